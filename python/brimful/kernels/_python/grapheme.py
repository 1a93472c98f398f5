"""Extended grapheme clusters: UAX 29, revision 45 (Unicode 16.0), with its rules GB9c and GB11."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from brimful.kernels._python import unicode_table


class Break(IntEnum):
    """Grapheme_Cluster_Break, with Extended_Pictographic as one of its values: no character has both."""

    OTHER = 0
    CR = 1
    LF = 2
    CONTROL = 3
    EXTEND = 4
    ZWJ = 5
    REGIONAL_INDICATOR = 6
    PREPEND = 7
    SPACING_MARK = 8
    L = 9
    V = 10
    T = 11
    LV = 12
    LVT = 13
    PICTOGRAPH = 14


class Conjunct(IntEnum):
    """Indic_Conjunct_Break."""

    NONE = 0
    CONSONANT = 1
    EXTEND = 2
    LINKER = 3


class Progress(IntEnum):
    """How much of a sequence with a given beginning the last characters are."""

    NONE = 0
    BEGUN = 1
    LINKED = 2


_BREAKS: Final = tuple(Break)
_CONJUNCTS: Final = tuple(Conjunct)
_CONTROLS: Final = {Break.CR, Break.LF, Break.CONTROL}
_EXTENDERS: Final = {Break.EXTEND, Break.ZWJ, Break.SPACING_MARK}
_SYLLABLE_PARTS: Final = {
    Break.L: {Break.L, Break.V, Break.LV, Break.LVT},
    Break.LV: {Break.V, Break.T},
    Break.V: {Break.V, Break.T},
    Break.LVT: {Break.T},
    Break.T: {Break.T},
}


@dataclass(slots=True)
class _Before:
    """What the rules ask about the characters before a position."""

    last: Break | None = None
    pictograph: Progress = Progress.NONE
    """A pictograph and its extensions (begun), with a joiner after them (linked): GB11."""
    conjunct: Progress = Progress.NONE
    """A consonant and its extensions (begun), with a linker among them (linked): GB9c."""
    half_flag: bool = False
    """An odd number of regional indicators: GB12, GB13."""

    def pass_over(self, current: Break, conjunct: Conjunct) -> None:
        self.last = current
        self.half_flag = current is Break.REGIONAL_INDICATOR and not self.half_flag
        self.pictograph = _follow_pictograph(self.pictograph, current)
        self.conjunct = _follow_conjunct(self.conjunct, conjunct)


def grapheme_starts(text: str) -> list[int]:
    r"""Return the code point offsets at which the extended grapheme clusters of `text` begin, ascending. Linear.

    >>> grapheme_starts("e\u0301\r\n👩‍🚀")
    [0, 2, 4]
    """
    if text.isascii():
        return [at for at, char in enumerate(text) if not (char == "\n" and at and text[at - 1] == "\r")]
    breaks = unicode_table.column(text, lambda record: record.grapheme_break)
    conjuncts = unicode_table.column(text, lambda record: record.conjunct_break)
    starts, before = [], _Before()
    for at, (current, conjunct) in enumerate(
        zip(map(_BREAKS.__getitem__, breaks), map(_CONJUNCTS.__getitem__, conjuncts), strict=True)
    ):
        if current is before.last is Break.OTHER and conjunct is Conjunct.NONE:
            # Most characters, and only GB999 speaks of them; the rules below would say the same, slowly.
            before.conjunct = Progress.NONE
            starts.append(at)
            continue
        if not _joins(before, current, conjunct):
            starts.append(at)
        before.pass_over(current, conjunct)
    return starts


def _joins(before: _Before, current: Break, conjunct: Conjunct) -> bool:
    """Return whether no cluster begins here: the rules GB1 to GB999, in their order."""
    last = before.last
    if last is None or (last, current) == (Break.CR, Break.LF):
        return last is not None
    if last in _CONTROLS or current in _CONTROLS:
        return False
    return (
        current in _SYLLABLE_PARTS.get(last, ())
        or current in _EXTENDERS
        or last is Break.PREPEND
        or (conjunct is Conjunct.CONSONANT and before.conjunct is Progress.LINKED)
        or (current is Break.PICTOGRAPH and before.pictograph is Progress.LINKED)
        or (current is Break.REGIONAL_INDICATOR and before.half_flag)
    )


def _follow_pictograph(so_far: Progress, current: Break) -> Progress:
    if current is Break.PICTOGRAPH or (current is Break.EXTEND and so_far is Progress.BEGUN):
        return Progress.BEGUN
    if current is Break.ZWJ and so_far is Progress.BEGUN:
        return Progress.LINKED
    return Progress.NONE


def _follow_conjunct(so_far: Progress, conjunct: Conjunct) -> Progress:
    if conjunct is Conjunct.CONSONANT:
        return Progress.BEGUN
    if conjunct is Conjunct.LINKER and so_far is not Progress.NONE:
        return Progress.LINKED
    return so_far if conjunct is Conjunct.EXTEND else Progress.NONE
