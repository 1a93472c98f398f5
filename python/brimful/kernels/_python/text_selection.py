"""Selection of texts by maximal marginal relevance, compared by TF-IDF cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from brimful.kernels._python.mmr import select
from brimful.kernels._python.tfidf import TextVectors
from brimful.kernels._python.tokens.count import count_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from brimful.config import Encoding, First


def mmr_select_text(
    query: str | None,
    texts: Sequence[str],
    /,
    *,
    relevance: NDArray[np.float64] | None,
    mmr_lambda: float,
    first: First,
    limit: int | None,
    costs: NDArray[np.int64] | None,
    encoding: Encoding | None,
    budget: int | None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Select texts by maximal marginal relevance; `contract.Kernels.mmr_select_text` specifies it."""
    vectors = TextVectors(query, texts, include_query=True)
    if query is not None:
        relevance = vectors.query_scores()
    return select(
        Cosines(vectors, len(texts)),
        np.zeros(len(texts)) if relevance is None else relevance,
        mmr_lambda=mmr_lambda,
        first=first,
        limit=limit,
        costs=costs if encoding is None else count_tokens(texts, encoding=encoding),
        budget=budget,
    )


class Cosines:
    """The cosines of all texts with one of them."""

    def __init__(self, vectors: TextVectors, count: int) -> None:
        self._vectors = vectors
        self._count = count

    def to(self, pick: int) -> NDArray[np.float64]:
        """Return the cosine of every text with one of them."""
        return np.array([self._vectors.cosine(text, pick) for text in range(self._count)], dtype=np.float64)
