"""The longest piece of a text by exact counts, which may fall as a piece grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimful.kernels._python.tokens.measure import Measure
from brimful.kernels._python.tokens.pretokens import scan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.config import Encoding
    from brimful.kernels._python.truncate import Piece


class ExactRuler:
    """A text, measured against a budget in exact tokens.

    In cl100k_base "internationa" has 3 tokens and "international" has 1: a piece that fits may have one in it that does
    not, so halving would miss the longest. Pieces are counted from the longest down; where the tokens that cannot be
    avoided are over the budget already, they are passed by.
    """

    def __init__(self, encoding: Encoding, text: str, budget: int) -> None:
        """Measure the text as far as the budget reaches."""
        self._length, self._budget = len(text), budget
        self._measure = Measure(text, encoding, budget)

    def whole(self) -> int | None:
        """Return the tokens of the text, or None where they are over the budget."""
        return self._measure.whole()

    def is_over(self, head: int, tail: int) -> bool:
        """Return whether every piece is over that keeps `text[:head]` and `text[tail:]`, if that is easily seen."""
        return self._measure.least(head, tail) > self._budget

    def count(self, head: int, marker: str, tail: int) -> int:
        """Return the tokens of a piece."""
        return self._measure.count(head, scan(marker), tail)

    def longest(self, pieces: Sequence[Piece], marker: str) -> Piece | None:
        """Return the last of the pieces that fits."""
        scanned = scan(marker)
        for head, tail in reversed(pieces):
            if not self.is_over(head, tail) and self._measure.count(head, scanned, tail) <= self._budget:
                return head, tail
        return None
