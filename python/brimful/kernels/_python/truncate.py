"""Texts cut to a budget of estimated tokens: the longest piece that fits, with the marker inside the budget."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from brimful.kernels._python.boundary import FINER, heads, tails
from brimful.kernels._python.estimate import RULES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from brimful.config import Boundary, Cut, EstimateRule
    from brimful.kernels.contract import Buffer

    Piece: TypeAlias = tuple[int, int]
    """Head and tail, around the marker."""

_CHARACTERS_A_TOKEN: Final = 8
"""Most texts have fewer, so that most are measured once."""


def truncate(
    texts: Sequence[str],
    budgets: Buffer,
    /,
    *,
    rule: EstimateRule,
    cut: Cut,
    boundary: Boundary,
    marker: str,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Find what is kept of each text: head, tail, marked, tokens; `contract.Kernels.truncate` specifies it."""
    cutter = Cutter(rule, cut, boundary, marker)
    columns = np.empty((4, len(texts)), dtype=np.int64)
    for row, (text, budget) in enumerate(zip(texts, np.frombuffer(budgets, dtype=np.int64).tolist(), strict=True)):
        columns[:, row] = cutter.keep(text, budget)
    head, tail, marked, tokens = columns
    return head, tail, marked, tokens


class Kept(NamedTuple):
    """A row of the answer."""

    head: int
    tail: int
    marked: bool
    tokens: int


@dataclass(frozen=True, slots=True)
class Cutter:
    """The options, and what they make of a text.

    Pieces are nested: each is the one before it with something inserted beside the marker. No insertion lowers an
    estimate. The rules of characters and bytes add up weights that are not negative. An insertion never lowers the
    number of words either, since the white space that parts two words stays between them; and the estimates never
    fall as words grow. So the pieces that fit come first, and the longest is found by halving.
    """

    rule: EstimateRule
    cut: Cut
    boundary: Boundary
    marker: str

    def keep(self, text: str, budget: int) -> Kept:
        """Keep the text whole, or else the longest piece with the marker, or else without it, or else nothing."""
        tokens = self._estimate(text)
        if tokens <= budget:
            whole = 0 if self.cut == "start" else len(text)
            return Kept(whole, whole, marked=False, tokens=tokens)
        pieces = functools.cache(functools.partial(self._pieces, text, budget))
        for marker, marked in ((self.marker, True), ("", False)):
            for boundary in FINER[self.boundary]:
                found = self._longest(text, budget, pieces(boundary), marker)
                if found is not None:
                    head, tail = found
                    assembled = text[:head] + marker + text[tail:]
                    return Kept(head, tail, marked=marked, tokens=self._estimate(assembled))
        return Kept(0, len(text), marked=False, tokens=self._estimate(""))

    def _longest(self, text: str, budget: int, pieces: list[Piece], marker: str) -> Piece | None:
        """Find the last of the pieces that fits, where the first does."""
        low, high = 0, len(pieces)
        while low < high:
            middle = (low + high) // 2
            head, tail = pieces[middle]
            if self._estimate(text[:head] + marker + text[tail:]) <= budget:
                low = middle + 1
            else:
                high = middle
        return pieces[low - 1] if low else None

    def _pieces(self, text: str, budget: int, boundary: Boundary) -> list[Piece]:
        """List the pieces that are not empty, shortest first.

        Past both bounds no place can give a piece that fits. Past one of them places still count, since a piece that
        has one is over.
        """
        first, last = self._bounds(text, budget)
        from_start, from_end = heads(text, boundary), tails(text, boundary)
        pieces = []
        head, tail = 0, len(text)
        read_head, read_tail = 0, len(text)
        while read_head < read_tail and (read_head < first or read_tail > last):
            if self.cut != "start":
                read_head, may_end, _ = next(from_start)
                if may_end:
                    head = read_head
                    pieces.append((head, tail))
            if self.cut != "end" and read_head < read_tail:
                read_tail, _, may_begin = next(from_end)
                if may_begin:
                    tail = read_tail
                    pieces.append((head, tail))
        return pieces

    def _bounds(self, text: str, budget: int) -> tuple[int, int]:
        """Give a position with more than the budget before it and one with more after it, where pieces reach."""
        first, last = 0, len(text)
        if self.cut != "start":
            first = self._characters_over(text, budget, of_end=False)
        if self.cut != "end":
            last -= self._characters_over(text, budget, of_end=True)
        return first, last

    def _characters_over(self, text: str, budget: int, *, of_end: bool) -> int:
        """Measure parts of one end of a text that is over, each twice as long as the last, until one is over."""
        size = _CHARACTERS_A_TOKEN * max(budget, 0) + 64
        while size < len(text):
            part = text[-size:] if of_end else text[:size]
            if self._estimate(part) > budget:
                return size
            size *= 2
        return len(text)

    def _estimate(self, text: str) -> int:
        return RULES[self.rule](text)
