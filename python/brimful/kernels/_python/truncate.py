"""Texts cut to a budget of tokens: the longest piece that fits, with the marker inside the budget."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np

from brimful.kernels._python.boundary import FINER, heads, tails
from brimful.kernels._python.estimate import RULES
from brimful.kernels._python.tokens.ruler import ExactRuler

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from brimful.config import Boundary, Cut, Encoding, EstimateRule
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
    rule: EstimateRule | None,
    encoding: Encoding | None,
    cut: Cut,
    boundary: Boundary,
    marker: str,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Find what is kept of each text: head, tail, marked, tokens; `contract.Kernels.truncate` specifies it."""
    cutter = Cutter(cut, boundary, marker)
    measure = _ruler(rule, encoding)
    columns = np.empty((4, len(texts)), dtype=np.int64)
    for row, (text, budget) in enumerate(zip(texts, np.frombuffer(budgets, dtype=np.int64).tolist(), strict=True)):
        columns[:, row] = cutter.keep(text, budget, measure(text, budget))
    head, tail, marked, tokens = columns
    return head, tail, marked, tokens


def _ruler(rule: EstimateRule | None, encoding: Encoding | None) -> Callable[[str, int], Ruler]:
    if encoding is not None:
        return functools.partial(ExactRuler, encoding)
    if rule is not None:
        return functools.partial(EstimateRuler, rule)
    message = "a rule or an encoding is needed"
    raise ValueError(message)


class Ruler(Protocol):
    """What measures a text against its budget: by estimates, or by exact counts as in `tokens/ruler.py`."""

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


class Kept(NamedTuple):
    """A row of the answer."""

    head: int
    tail: int
    marked: bool
    tokens: int


@dataclass(frozen=True, slots=True)
class Cutter:
    """The options, and what they make of a text."""

    cut: Cut
    boundary: Boundary
    marker: str

    def keep(self, text: str, budget: int, ruler: Ruler) -> Kept:
        """Keep the text whole, or else the longest piece with the marker, or else without it, or else nothing."""
        tokens = ruler.whole()
        if tokens is not None:
            whole = 0 if self.cut == "start" else len(text)
            return Kept(whole, whole, marked=False, tokens=tokens)
        pieces = functools.cache(functools.partial(self._pieces, text, self._bounds(len(text), budget, ruler)))
        for marker, marked in ((self.marker, True), ("", False)):
            for boundary in FINER[self.boundary]:
                found = ruler.longest(pieces(boundary), marker)
                if found is not None:
                    head, tail = found
                    return Kept(head, tail, marked=marked, tokens=ruler.count(head, marker, tail))
        return Kept(0, len(text), marked=False, tokens=ruler.count(0, "", len(text)))

    def _pieces(self, text: str, bounds: tuple[int, int], boundary: Boundary) -> list[Piece]:
        """List the pieces that are neither empty nor the whole text, shortest first.

        Each is the one before it with something more beside the marker. Past both bounds no place can give a piece that
        fits. Past one of them places still count, since a piece that has one is over.
        """
        first, last = bounds
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
        return [(head, tail) for head, tail in pieces if head < tail]

    def _bounds(self, length: int, budget: int, ruler: Ruler) -> tuple[int, int]:
        """Give a head from which on every piece is over and a tail up to which every piece is, where pieces reach."""
        first, last = 0, length
        if self.cut != "start":
            first = _reach(length, budget, lambda size: ruler.is_over(size, length))
        if self.cut != "end":
            last -= _reach(length, budget, lambda size: ruler.is_over(0, length - size))
        return first, last


def _reach(length: int, budget: int, is_over: Callable[[int], bool]) -> int:
    """Measure parts of one end of a text that is over, each twice as long as the last, until one is over."""
    size = _CHARACTERS_A_TOKEN * max(budget, 0) + 64
    while size < length:
        if is_over(size):
            return size
        size *= 2
    return length
