"""What measures a text against a budget while it is cut: here by estimates, in `tokens/ruler.py` by exact counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from brimful.kernels._python.estimate import RULES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from brimful.config import EstimateRule

    Piece: TypeAlias = tuple[int, int]
    """Head and tail, around the marker."""


class Ruler(Protocol):
    """A text and its budget."""

    def whole(self) -> int | None:
        """Return the tokens of the text, or None where they are over the budget."""

    def is_over(self, head: int, tail: int) -> bool:
        """Return whether every piece is over that keeps `text[:head]` and `text[tail:]`, if that is easily seen."""

    def count(self, head: int, marker: str, tail: int) -> int:
        """Return the tokens of a piece."""

    def longest(self, pieces: Sequence[Piece], marker: str) -> Piece | None:
        """Return the last of the pieces that fits; each is the one before it with something more beside the marker."""


class EstimateRuler:
    """A text, measured in estimated tokens.

    No insertion lowers an estimate. The rules of characters and bytes add up weights that are not negative. An
    insertion never lowers the number of words either, since the white space that parts two words stays between them;
    and the estimates never fall as words grow. So the pieces that fit come first, and the longest is found by halving.
    """

    def __init__(self, rule: EstimateRule, text: str, budget: int) -> None:
        """Take the rule of `contract.Kernels.estimate_tokens`."""
        self._estimate = RULES[rule]
        self._text, self._budget = text, budget

    def whole(self) -> int | None:
        """Return the estimate of the text, or None where it is over the budget."""
        tokens = self._estimate(self._text)
        return tokens if tokens <= self._budget else None

    def is_over(self, head: int, tail: int) -> bool:
        """Return whether what is kept is over on one side of the marker."""
        return max(self._estimate(self._text[:head]), self._estimate(self._text[tail:])) > self._budget

    def count(self, head: int, marker: str, tail: int) -> int:
        """Return the estimate of a piece."""
        return self._estimate(self._text[:head] + marker + self._text[tail:])

    def longest(self, pieces: Sequence[Piece], marker: str) -> Piece | None:
        """Find the last of the pieces that fits, where the first does."""
        low, high = 0, len(pieces)
        while low < high:
            middle = (low + high) // 2
            head, tail = pieces[middle]
            if self.count(head, marker, tail) <= self._budget:
                low = middle + 1
            else:
                high = middle
        return pieces[low - 1] if low else None
