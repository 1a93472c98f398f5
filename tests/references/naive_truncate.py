"""The definition of truncation, written down once more: every number of graphemes is tried, from all of them down.

Characters are classified by the standard library, whose Unicode is older than ours: the strategies keep to
characters on which they agree (`knows`). Graphemes and counts of tokens are held to their own references elsewhere.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from brimful.kernels._python.unicode import Class, class_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from brimful.config import Boundary, Cut

LEVELS: tuple[Boundary, ...] = ("sentence", "word", "grapheme")
SENTENCE_END = re.compile(r"[.!?…。！？][\"')\]}’”»›〉》」』】〕〗〙〛＂＇）］｝｠｣]*\Z")
UNSPACED = re.compile(
    "CJK (UNIFIED|COMPATIBILITY) IDEOGRAPH|(CJK|KANGXI) RADICAL"
    "|HIRAGANA LETTER|KATAKANA|(PARENTHESIZED |CIRCLED )?HANGUL"
)


def truncate(
    text: str,
    budget: int,
    starts: list[int],
    *,
    count_tokens: Callable[[str], int],
    cut: Cut,
    boundary: Boundary,
    marker: str,
) -> tuple[str, bool]:
    """The piece that is kept, with the marker in it, and whether it is; `starts` are those of the graphemes."""
    if count_tokens(text) <= budget:
        return text, False
    borders = [*starts, len(text)]
    for tried, marked in ((marker, True), ("", False)):
        for level in LEVELS[LEVELS.index(boundary) :]:
            ends, beginnings = allowed(text, borders, level)
            for count in range(len(starts), 0, -1):
                first, rest = shares(count, cut)
                head = max(at for at in ends if at <= borders[first])
                tail = min(at for at in beginnings if at >= borders[len(starts) - rest])
                piece = text[:head] + tried + text[tail:]
                if head < tail and text[:head] + text[tail:] and count_tokens(piece) <= budget:
                    return piece, marked
    return "", False


def knows(text: str) -> bool:
    """Whether the standard library classifies every character as we do: it may take a later letter for unassigned."""
    return all(unicodedata.category(character) != "Cn" or class_of(character) is Class.OTHER for character in text)


def shares(count: int, cut: Cut) -> tuple[int, int]:
    if cut == "middle":
        return count - count // 2, count // 2
    return (count, 0) if cut == "end" else (0, count)


def allowed(text: str, borders: list[int], level: Boundary) -> tuple[set[int], set[int]]:
    """Where a head may end and a tail may begin, nothing kept of it included."""
    if level == "grapheme":
        return set(borders), set(borders)
    ends, beginnings = {0}, {len(text)}
    is_boundary = parts_words if level == "word" else parts_sentences
    for index, border in enumerate(borders):
        if not is_boundary(text, border):
            continue
        left, right = index, index
        while left > 0 and not text[borders[left - 1] : borders[left]].strip():
            left -= 1
        while right < len(borders) - 1 and not text[borders[right] : borders[right + 1]].strip():
            right += 1
        ends.add(borders[left])
        beginnings.add(borders[right])
    return ends, beginnings


def parts_words(text: str, at: int) -> bool:
    return not (is_alphanumeric(text[at - 1 : at]) and is_alphanumeric(text[at : at + 1]))


def is_alphanumeric(character: str) -> bool:
    return bool(character) and unicodedata.category(character)[0] in "LMN"


def parts_sentences(text: str, at: int) -> bool:
    if at == 0:
        return True
    following = text[at : at + 1]
    ends_here = not following.strip() or UNSPACED.match(unicodedata.name(following, "")) is not None
    return ends_here and SENTENCE_END.search(text[:at]) is not None
