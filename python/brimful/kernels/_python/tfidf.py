"""TF-IDF: texts as sparse vectors, and their cosines."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from brimful.kernels._python.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    Vector: TypeAlias = dict[int, float]
    """Term number to weight, in the order of the vocabulary."""


def tfidf_scores(query: str, texts: Sequence[str], /, *, include_query: bool) -> NDArray[np.float64]:
    """Compute the cosine of each text with the query; `contract.Kernels.tfidf_scores` specifies it."""
    return TextVectors(query, texts, include_query=include_query).query_scores()


class TextVectors:
    """The TF-IDF vectors of texts, and of a query where there is one."""

    def __init__(self, query: str | None, texts: Sequence[str], *, include_query: bool) -> None:
        """Weigh the terms by the texts, and by the query too where it is to be included."""
        rows = [terms_of(text) for text in texts]
        asked = [] if query is None else terms_of(query)
        weighing = [asked, *rows] if include_query and query is not None else rows
        self._numbers = number_terms(weighing)
        self._idfs = inverse_frequencies(weighing, self._numbers)
        self._vectors = [self._vector(terms) for terms in rows]
        self._norms = [norm(vector) for vector in self._vectors]
        self._query = self._vector(asked)

    def cosine(self, left: int, right: int) -> float:
        """Return the cosine of two texts."""
        return cosine(self._vectors[left], self._vectors[right], self._norms[left], self._norms[right])

    def query_scores(self) -> NDArray[np.float64]:
        """Return the cosine of each text with the query; 0 where there is no query."""
        query_norm = norm(self._query)
        scores = [
            cosine(self._query, vector, query_norm, own_norm)
            for vector, own_norm in zip(self._vectors, self._norms, strict=True)
        ]
        return np.array(scores, dtype=np.float64)

    def _vector(self, terms: list[str]) -> Vector:
        """Give weights to the terms that have a number; the others count for the length only."""
        counts = Counter(self._numbers[term] for term in terms if term in self._numbers)
        return {number: counts[number] / len(terms) * self._idfs[number] for number in sorted(counts)}


def number_terms(rows: Iterable[list[str]]) -> dict[str, int]:
    """Give each term a number, by first appearance."""
    numbers: dict[str, int] = {}
    for terms in rows:
        for term in terms:
            numbers.setdefault(term, len(numbers))
    return numbers


def inverse_frequencies(rows: list[list[str]], numbers: dict[str, int]) -> list[float]:
    """Return the weight of each term, by how many of the rows have it."""
    having = [0] * len(numbers)
    for terms in rows:
        for term in set(terms):
            having[numbers[term]] += 1
    return [math.log((len(rows) + 1) / (texts + 1)) + 1.0 for texts in having]


def norm(vector: Vector) -> float:
    """Return the square root of the squares, added in the order of the vocabulary."""
    square = 0.0
    for weight in vector.values():
        square += weight * weight
    return math.sqrt(square)


def cosine(left: Vector, right: Vector, left_norm: float, right_norm: float) -> float:
    """Return the cosine of two vectors, 0 where one has no terms."""
    dot = 0.0
    for number, weight in left.items():
        other = right.get(number)
        if other is not None:
            dot += weight * other
    norms = left_norm * right_norm
    return dot / norms if norms else 0.0
