"""Items that are cut before they are dropped: the longest piece with which the whole fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from brimful.config import TruncationOptions
from brimful.stages.counters import ExactCounter
from brimful.stages.counting import EstimateCounter, RuleCounter
from brimful.stages.truncation import cut_texts, longest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from brimful.config import Cut
    from brimful.protocols import TokenCounter
    from brimful.stages.lines import Lines

MARKER: Final = " [...] "
"""What stands in the gap of an item that lost its middle: two halves must not read as one sentence."""
_TRIES: Final = 4
"""Sizes tried before halving: the first is a token above what is free, as a joint may save one."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of a text by their size: in tokens, or where a counter is anybody's in steps of four code points."""

    text: str
    options: TruncationOptions
    largest: int
    in_tokens: bool

    @classmethod
    def of(cls, text: str, tokens: int, cut: Cut, counter: TokenCounter) -> Pieces:
        """Return the pieces of a text that counts so many tokens: whole words, or graphemes where no word fits."""
        marker = MARKER if cut == "middle" else ""
        if type(counter) is ExactCounter:
            exact = TruncationOptions(encoding=counter.encoding, cut=cut, marker=marker)
            return cls(text, exact, tokens - 1, in_tokens=True)
        if type(counter) in (EstimateCounter, RuleCounter):
            rule = TruncationOptions(rule=counter.rule, cut=cut, marker=marker)  # type: ignore[attr-defined]  # its type is known by now
            return cls(text, rule, tokens - 1, in_tokens=True)
        return cls(text, TruncationOptions(rule="chars_div_4", cut=cut, marker=marker), len(text) // 4, in_tokens=False)

    def make(self, size: int) -> str:
        """Return the longest piece of a size, from 1; an empty text where it would be blank."""
        [piece] = cut_texts([self.text], [size if self.in_tokens else size - 1], self.options)
        return piece if piece.strip() else ""

    def find(self, room: int, fits: Callable[[str], bool]) -> str:
        """Return the longest piece that fits, an empty text where none does."""

        def check(size: int) -> bool:
            return fits(self.make(size))

        sizes = range(min(room + 1, self.largest), 0, -1)[:_TRIES] if self.in_tokens else range(0)
        size = next(filter(check, sizes), None)
        if size is None:
            size = longest(min(sizes, default=self.largest + 1) - 1, check)
        return self.make(size) if size > 0 else ""

    def shortest(self) -> str:
        """Return the shortest piece that is not blank: sizes are doubled until there is one."""
        size = 1
        while size <= self.largest and not self.make(size):
            size *= 2
        return self.make(size) if size <= self.largest else ""


def cut_to_fit(lines: Lines, place: int, pieces: Pieces, budget: int) -> bool:
    """Put the longest piece with which the whole fits into a place that is empty, and say whether there is one."""

    def fits(piece: str) -> bool:
        lines.insert(place, piece)
        within = lines.total <= budget
        lines.remove(place)
        return within

    piece = pieces.find(budget - lines.total, fits)
    if piece:
        lines.insert(place, piece)
        return True
    lines.insert(place, pieces.text)
    lines.remove(place)
    return False


def cut_required(lines: Lines, cuttable: Mapping[int, Pieces], budget: int) -> list[int]:
    """Cut lines that may not be dropped, one after the other, until the whole fits; return those that were.

    Each but the last is cut to its shortest piece. Where that does not bring the whole into the budget, none is cut.
    """
    cut = []
    for place, pieces in cuttable.items():
        shortest = pieces.shortest()
        if not shortest:
            continue
        cut.append(place)
        lines.remove(place)
        if cut_to_fit(lines, place, pieces, budget):
            return cut
        lines.insert(place, shortest)
    if lines.total <= budget:
        return cut
    for place in cut:
        lines.remove(place)
        lines.insert(place, cuttable[place].text)
    return []
