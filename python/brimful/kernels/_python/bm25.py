"""BM25 scores, by Lucene's formula."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from brimful.kernels._python.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

K1: Final = 1.5
"""How fast the count of a term in a text saturates."""

B: Final = 0.75
"""How much the length of a text counts."""


def bm25_scores(query: str, texts: Sequence[str], /) -> NDArray[np.float64]:
    """Score each text for the query; `contract.Kernels.bm25_scores` specifies it."""
    asked = terms_of(query)
    distinct = frozenset(asked)
    rows = [terms_of(text) for text in texts]
    counts = [Counter(filter(distinct.__contains__, terms)) for terms in rows]
    idfs = inverse_frequencies(distinct, counts)
    length = 0
    for terms in rows:
        length += len(terms)
    scores = np.zeros(len(texts), dtype=np.float64)
    for position, (terms, count) in enumerate(zip(rows, counts, strict=True)):
        if count:
            saturation = K1 * (1.0 - B + B * len(terms) / (length / len(rows)))
            scores[position] = score(asked, count, idfs, saturation)
    return scores


def inverse_frequencies(terms: frozenset[str], counts: list[Counter[str]]) -> dict[str, float]:
    """Return the weight of each term, by how many of the texts have it."""
    having = Counter(term for count in counts for term in count)
    return {term: math.log(1.0 + (len(counts) - having[term] + 0.5) / (having[term] + 0.5)) for term in terms}


def score(asked: list[str], count: Counter[str], idfs: dict[str, float], saturation: float) -> float:
    """Add up the shares of the query's terms, repeated ones too, in the order of the query."""
    shares = {term: idfs[term] * times / (times + saturation) for term, times in count.items()}
    total = 0.0
    for term in asked:
        total += shares.get(term, 0.0)
    return total
