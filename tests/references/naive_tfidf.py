"""The definitions of terms, TF-IDF and BM25, written down once more, in the plainest way and with other tools.

Vectors are dense, every text is cut anew, and characters are classified by the standard library, whose Unicode is
another than ours: the tests keep to characters on which they agree.
"""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PAIRED = re.compile("CJK (UNIFIED|COMPATIBILITY) IDEOGRAPH|IDEOGRAPHIC ITERATION|HIRAGANA|KATAKANA|HANGUL")


def agreed(text: str) -> str:
    """Drop the characters that this Python's Unicode does not know yet."""
    return "".join(character for character in text if unicodedata.category(character) != "Cn")


def terms(text: str) -> list[str]:
    folded = "".join(character.lower() for character in text).replace("ς", "σ")
    found: list[str] = []
    for inside, run in itertools.groupby(folded, key=is_of_terms):
        if inside:
            found.extend(cut("".join(run)))
    return found


def is_of_terms(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in "LMN" or category == "Pc"


def cut(run: str) -> list[str]:
    """Cut where Han, Kana and Hangul with their marks begin and end, and pair what is between."""
    pieces: list[tuple[bool, str]] = [(False, "")]
    for character in run:
        after, piece = pieces[-1]
        is_mark = unicodedata.category(character)[0] == "M"
        is_paired = PAIRED.match(unicodedata.name(character, "")) is not None or (is_mark and after)
        if is_paired == after:
            pieces[-1] = (after, piece + character)
        else:
            pieces.append((is_paired, character))
    found: list[str] = []
    for is_paired, piece in pieces:
        found.extend(pairs(piece) if is_paired else [piece][: len(piece)])
    return found


def pairs(piece: str) -> list[str]:
    return [first + second for first, second in itertools.pairwise(piece)] or [piece]


def tfidf_scores(query: str, texts: Sequence[str], *, include_query: bool) -> list[float]:
    asked, *rows = weigh([query, *texts] if include_query else texts, [query, *texts])
    return [cosine(asked, row) for row in rows]


def weigh(weighing: Sequence[str], texts: Sequence[str]) -> list[list[float]]:
    """Give the dense vectors of `texts`, over the vocabulary and with the weights of the texts `weighing`."""
    vocabulary = list(dict.fromkeys(term for text in weighing for term in terms(text)))
    having = [[term in terms(text) for text in weighing].count(True) for term in vocabulary]
    idfs = [math.log((len(weighing) + 1) / (count + 1)) + 1 for count in having]

    def vector(text: str) -> list[float]:
        own = terms(text)
        return [own.count(term) / len(own) * idf if own else 0.0 for term, idf in zip(vocabulary, idfs, strict=True)]

    return [vector(text) for text in texts]


def cosine(left: list[float], right: list[float]) -> float:
    norms = math.sqrt(dot(left, left)) * math.sqrt(dot(right, right))
    return dot(left, right) / norms if norms else 0.0


def dot(left: list[float], right: list[float]) -> float:
    total = 0.0
    for one, other in zip(left, right, strict=True):
        total += one * other
    return total


def bm25_scores(query: str, texts: Sequence[str]) -> list[float]:
    k1, b = 1.5, 0.75
    rows = [terms(text) for text in texts]
    scores = []
    for row in rows:
        score = 0.0
        for term in terms(query):
            if term in row:
                df, tf = [term in other for other in rows].count(True), row.count(term)
                idf = math.log(1 + (len(rows) - df + 0.5) / (df + 0.5))
                mean = len([term for other in rows for term in other]) / len(rows)
                score += idf * tf / (tf + k1 * (1 - b + b * len(row) / mean))
        scores.append(score)
    return scores
