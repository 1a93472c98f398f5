"""The definition of near-duplicates, written down once more, in the plainest way and with other tools.

Characters are classified by the standard library, whose Unicode is older than ours: the strategies keep to
characters on which they agree.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful import NearDuplicateOptions

UNSPACED = re.compile(
    "CJK (UNIFIED|COMPATIBILITY) IDEOGRAPH|HIRAGANA|KATAKANA|HANGUL|THAI (CHARACTER|DIGIT)|LAO |KHMER |MYANMAR "
)


def near_duplicates(texts: Sequence[str], options: NearDuplicateOptions) -> tuple[list[int], list[float]]:
    """Compare every text with every kept one, in order."""
    origins: list[int] = []
    similarities: list[float] = []
    kept: list[int] = []
    plain = [prepare(text, options) for text in texts]
    sets = [shingles(lower(text), options) for text in plain]
    for position in range(len(texts)):
        origin, similarity = -1, 0.0
        for earlier in kept:
            found = similarity_of(sets[position], sets[earlier], options)
            if found is None or (options.distinguish_facts and contradict(plain[position], plain[earlier])):
                continue
            origin, similarity = earlier, found
            break
        if origin < 0:
            kept.append(position)
        origins.append(origin)
        similarities.append(similarity)
    return origins, similarities


def prepare(text: str, options: NearDuplicateOptions) -> str:
    if not options.normalize:
        return text
    return unicodedata.normalize("NFC", text.removeprefix("\ufeff"))


def lower(text: str) -> str:
    return "".join(character.lower() for character in text).replace("ς", "σ")


def is_alphanumeric(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMN"


def runs(text: str) -> list[str]:
    groups = itertools.groupby(text, key=is_alphanumeric)
    return ["".join(run) for inside, run in groups if inside]


def shingles(folded: str, options: NearDuplicateOptions) -> set[object]:
    parts = folded.split() if options.words == "whitespace" else runs(folded)
    symbols: Sequence[str] = parts
    size, kind = options.shingle_size, "words"
    letters = [character for character in folded if is_alphanumeric(character)]
    if options.shingles == "auto" and 2 * sum(map(is_unspaced, letters)) > len(letters):
        symbols, size, kind = "".join(parts), 5, "characters"
    if len(symbols) < size:
        return {(kind, tuple(symbols))}
    return {(kind, tuple(symbols[at : at + size])) for at in range(len(symbols) - size + 1)}


def is_unspaced(character: str) -> bool:
    return UNSPACED.match(unicodedata.name(character, "")) is not None


def similarity_of(later: set[object], earlier: set[object], options: NearDuplicateOptions) -> float | None:
    jaccard = len(later & earlier) / len(later | earlier)
    if jaccard >= options.threshold:
        return jaccard
    containment = len(later & earlier) / len(later)
    if options.containment is not None and containment >= options.containment:
        return containment
    return None


def contradict(one: str, other: str) -> bool:
    return bool(lacking(one, other)) and bool(lacking(other, one))


def lacking(stated: str, asked: str) -> set[str]:
    words = {lower(word) for word in runs(asked)}
    capitalised = {lower(word) for word in runs(stated) if unicodedata.category(word[0]) in {"Lu", "Lt"}}
    return (numbers(lower(stated)) - numbers(lower(asked))) | (capitalised - words)


def numbers(folded: str) -> set[str]:
    marked = "".join("0" if unicodedata.category(character)[0] == "N" else character for character in folded)
    return {folded[found.start() : found.end()] for found in re.finditer(r"0+(?:[.,]0+)*", marked)}
