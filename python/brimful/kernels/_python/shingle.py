"""The shingles of a text: the set that stands for it in comparisons."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from brimful.kernels._python.text import split_words
from brimful.kernels._python.unicode import ALPHANUMERICS, Script, class_of, script_of

if TYPE_CHECKING:
    from typing import TypeAlias

    from brimful.config import Shingles, Words

    Shingle: TypeAlias = tuple[str, ...] | str
    """A word shingle is a tuple of words, a character shingle a str: never equal."""

CHARACTERS_A_SHINGLE = 5


def shingle_set(folded: str, *, size: int, words: Words, shingles: Shingles) -> set[Shingle]:
    """Return the distinct shingles of a text that is lower-cased already; never empty. Linear."""
    parts = split_words(folded, words)
    if shingles == "auto" and is_mostly_unspaced(folded):
        joined = "".join(parts)
        count = max(1, len(joined) - CHARACTERS_A_SHINGLE + 1)
        return {joined[start : start + CHARACTERS_A_SHINGLE] for start in range(count)}
    count = max(1, len(parts) - size + 1)
    return {tuple(parts[start : start + size]) for start in range(count)}


def is_mostly_unspaced(folded: str) -> bool:
    """Whether more than half of the letters, marks and numbers are of scripts written without spaces."""
    if folded.isascii():
        return False
    alphanumeric = unspaced = 0
    for character, times in Counter(folded).items():
        if class_of(character) in ALPHANUMERICS:
            alphanumeric += times
            if script_of(character) is not Script.NONE:
                unspaced += times
    return 2 * unspaced > alphanumeric
