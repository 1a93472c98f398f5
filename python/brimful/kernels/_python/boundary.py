"""Where a text may be cut: between graphemes, between words, between sentences.

A text is read in stretches, so that its end can be cut without a look at its beginning. Every stretch begins where
the rules have nothing to remember; see `_fresh`.
"""

from __future__ import annotations

import functools
import itertools
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from brimful.kernels._python import unicode_table
from brimful.kernels._python.grapheme import Break, grapheme_starts
from brimful.kernels._python.text import alphanumeric_runs
from brimful.kernels._python.unicode import Class, Script, class_pattern, is_word_space, script_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brimful.config import Boundary

STOPS: Final = ".!?…。！？"  # noqa: RUF001 - wide characters are meant
"""What ends a sentence."""
CLOSERS: Final = "\"')]}’”»›〉》」』】〕〗〙〛＂＇）］｝｠｣"  # noqa: RUF001 - wide characters are meant
"""Closing quotes and brackets, which belong to the sentence before them."""
UNSPACED: Final = (Script.HAN, Script.KANA, Script.HANGUL)
FINER: Final[dict[Boundary, tuple[Boundary, ...]]] = {
    "sentence": ("sentence", "word", "grapheme"),
    "word": ("word", "grapheme"),
    "grapheme": ("grapheme",),
}
"""What to try at each boundary, in this order, until something fits."""
_STRETCH: Final = 1024


class Place(NamedTuple):
    """The beginning or the end of a grapheme."""

    at: int
    may_end: bool
    """What is kept may end here."""
    may_begin: bool
    """What is kept may begin here."""


def heads(text: str, boundary: Boundary) -> Iterator[Place]:
    """Give the ends of the graphemes of `text` from the first on.

    >>> [place.at for place in heads("two words.", "word") if place.may_end]
    [3, 9]
    """
    start = 0
    while start < len(text):
        end = _next_fresh(text, start + _STRETCH, boundary)
        yield from (place for place in _places(text, start, end, boundary) if place.at)
        start = end
    yield Place(len(text), may_end=False, may_begin=False)


def tails(text: str, boundary: Boundary) -> Iterator[Place]:
    """Give the beginnings of the graphemes of `text` from the last on.

    >>> [place.at for place in tails("two words.", "word") if place.may_begin]
    [9, 4, 0]
    """
    end = len(text)
    while end:
        start = _last_fresh(text, end - _STRETCH, boundary)
        yield from reversed(_places(text, start, end, boundary))
        end = start


def _next_fresh(text: str, at: int, boundary: Boundary) -> int:
    found = _fresh(boundary).search(text, at)
    return found.start() if found else len(text)


def _last_fresh(text: str, at: int, boundary: Boundary) -> int:
    # No pattern is searched for backwards, so a block is, and then the one before it.
    while at > 0:
        block = max(at - _STRETCH, 0)
        positions = [found.start() for found in _fresh(boundary).finditer(text, block, at + 1)]
        if positions:
            return positions[-1]
        at = block - 1
    return 0


@functools.cache
def _fresh(boundary: Boundary) -> re.Pattern[str]:
    """Match the character after a position where the rules remember nothing of what is before it.

    Graphemes: after a character of class Other, without a conjunct class, and after a pictograph, the rules know that
    character only; and none but GB9b and GB11 joins it to the one before. Sentences: no end is near.
    """
    begins = unicode_table.members(
        lambda record: record.grapheme_break in {Break.OTHER, Break.PICTOGRAPH} and not record.conjunct_break
    )
    joins = unicode_table.members(lambda record: record.grapheme_break in {Break.PREPEND, Break.ZWJ})
    near_an_end = _spaces() + re.escape(STOPS + CLOSERS)
    return re.compile(f"(?<=[^{_ranges(joins)}{near_an_end if boundary == 'sentence' else ''}])[{_ranges(begins)}]")


def _ranges(members: bytes) -> str:
    return "".join(f"\\U{run.start():08X}-\\U{run.end() - 1:08X}" for run in re.finditer(rb"\x01+", members))


def _places(text: str, start: int, end: int, boundary: Boundary) -> list[Place]:
    """Give the beginnings of the graphemes from the fresh position `start` to `end`."""
    strips = boundary != "grapheme"
    parted = _boundaries(text, start, end, boundary)
    places = []
    was_blank, is_open = strips and _ends_blank(text, start), False
    for at, following in itertools.pairwise([*_graphemes(text, start, end), end]):
        is_blank = strips and _blank().fullmatch(text, at, following) is not None
        parts = parted is None or at in parted
        # White space after a boundary leaves it open to what comes next.
        is_open = parts or (is_open and was_blank)
        places.append(Place(at, may_end=parts and not was_blank, may_begin=is_open and not is_blank))
        was_blank = is_blank
    return places


def _ends_blank(text: str, at: int) -> bool:
    """Return whether the last grapheme before `at` is of white space alone: two characters show it."""
    two = text[max(at - 2, 0) : at]
    return bool(two) and _blank().fullmatch(two, grapheme_starts(two)[-1]) is not None


def _graphemes(text: str, start: int, end: int) -> list[int]:
    return [start + at for at in grapheme_starts(text[start:end])]


def _boundaries(text: str, start: int, end: int, boundary: Boundary) -> set[int] | None:
    """Give the positions where words or sentences are parted; None stands for all of them."""
    if boundary == "grapheme":
        return None
    if boundary == "sentence":
        ends = {at for at in _sentence_ends(text, start, end) if _begins_one(text, at)}
        return ends | {0} if start == 0 else ends
    runs = alphanumeric_runs().finditer(text, max(start - 1, 0), end)
    inside = {at for run in runs for at in range(run.start() + 1, run.end())}
    return set(range(start, end)) - inside


def _sentence_ends(text: str, start: int, end: int) -> Iterator[int]:
    return (found.end() for found in _final_punctuation().finditer(text, start, end))


def _begins_one(text: str, at: int) -> bool:
    """Return whether a sentence that is over may end before the character at `at`."""
    return at < len(text) and (is_word_space(text[at]) or script_of(text[at]) in UNSPACED)


@functools.cache
def _blank() -> re.Pattern[str]:
    return re.compile(f"[{_spaces()}]+")


def _spaces() -> str:
    return f"{class_pattern(Class.WHITE_SPACE)}\\x1c-\\x1f"


@functools.cache
def _final_punctuation() -> re.Pattern[str]:
    return re.compile(f"[{re.escape(STOPS)}][{re.escape(CLOSERS)}]*")
