"""How two texts differ: lines that were added, removed and changed, and how much of the characters is the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from brimful.records.alignment import Block, align

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SMALL: Final = 200
"""Lines, or characters, from which on `difflib` leaves out what is frequent; below it we match as it does."""
WORDS: Final = re.compile(
    r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+|\s+"
)
"""Words, white space, and single characters of scripts that put no spaces between words."""


@dataclass(frozen=True, slots=True)
class ContentDiff:
    """How many lines differ, and the share of characters that is the same (0 to 1)."""

    lines_added: int
    lines_removed: int
    lines_changed: int
    similarity_score: float
    diff_summary: str


def compare_content(base: str, comparison: str) -> ContentDiff:
    r"""Compare two texts line by line, and as a whole.

    A removed line that an added one stands for counts as changed. A line break at the end of a text begins no line;
    where it is all that differs, the last line is changed. With fewer than 200 lines on both sides lines are matched as
    `difflib` does, in larger texts by `align`. Below 200 characters `similarity_score` is the ratio of `difflib`, else
    that of characters in equal beginnings, ends, lines and words. Time grows as n log n.

    >>> compare_content("a\nb\nc", "a\nc\nd\n").diff_summary
    '~1 lines modified'
    """
    ours, theirs = _lines(base), _lines(comparison)
    same = sum(block.size for block in _blocks(ours, theirs))
    changed = min(len(ours), len(theirs)) - same
    if base != comparison and same == len(ours) == len(theirs):
        changed = 1
    added, removed = max(0, len(theirs) - len(ours)), max(0, len(ours) - len(theirs))
    parts = ((added, "+{} lines"), (removed, "-{} lines"), (changed, "~{} lines modified"))
    summary = ", ".join(words.format(count) for count, words in parts if count) or "No changes"
    return ContentDiff(added, removed, changed, similarity(base, comparison), summary)


def changed_lines(base: str, comparison: str) -> Iterator[str]:
    """Give the lines that differ, in order, without their ends: `-` before those removed, `+` before those added."""
    ours, theirs = _lines(base), _lines(comparison)
    at = there = 0
    for block in (*_blocks(ours, theirs), Block(len(ours), len(theirs), 0)):
        yield from (f"-{line.splitlines()[0]}" for line in ours[at : block.base])
        yield from (f"+{line.splitlines()[0]}" for line in theirs[there : block.other])
        at, there = block.base + block.size, block.other + block.size


def similarity(base: str, comparison: str) -> float:
    """Return twice the characters that match over all characters, 1.0 for two empty texts."""
    if base == comparison:
        return 1.0
    total = len(base) + len(comparison)
    if max(len(base), len(comparison)) < SMALL:
        return SequenceMatcher(None, base, comparison, autojunk=False).ratio()
    start = _shared(base, comparison)
    ours, theirs = base[start:], comparison[start:]
    end = _shared(ours[::-1], theirs[::-1])
    inner = _matched(ours[: len(ours) - end], theirs[: len(theirs) - end])
    return 2.0 * (start + end + inner) / total


def _shared(base: str, comparison: str) -> int:
    """Return how many characters two texts that differ begin with alike."""
    pairs = zip(base, comparison, strict=False)
    return next((at for at, (ours, theirs) in enumerate(pairs) if ours != theirs), min(len(base), len(comparison)))


def _matched(base: str, comparison: str) -> int:
    """Return the number of characters in lines that are equal, and in equal words of those that are not."""
    ours, theirs = base.splitlines(keepends=True), comparison.splitlines(keepends=True)
    matched = at = there = 0
    for block in (*align(ours, theirs), Block(len(ours), len(theirs), 0)):
        matched += _size(ours, block.base, block.size)
        matched += _matched_words("".join(ours[at : block.base]), "".join(theirs[there : block.other]))
        at, there = block.base + block.size, block.other + block.size
    return matched


def _matched_words(base: str, comparison: str) -> int:
    if not base or not comparison:
        return 0
    ours, theirs = WORDS.findall(base), WORDS.findall(comparison)
    return sum(_size(ours, block.base, block.size) for block in align(ours, theirs))


def _size(parts: Sequence[str], start: int, count: int) -> int:
    return sum(len(part) for part in parts[start : start + count])


def _lines(text: str) -> list[str]:
    """Return the lines with their ends; the last one gets one, so that a line behind it changes nothing."""
    lines = text.splitlines(keepends=True)
    if lines and lines[-1].splitlines() == lines[-1:]:
        lines[-1] += "\n"
    return lines


def _blocks(base: Sequence[str], other: Sequence[str]) -> list[Block]:
    if max(len(base), len(other)) >= SMALL:
        return align(base, other)
    blocks = SequenceMatcher(None, base, other, autojunk=False).get_matching_blocks()
    return [Block(*block) for block in blocks if block.size]
