"""TF-IDF cosines of texts with a query, and of chosen texts with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from brimful.kernels._python.tfidf import TextVectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def tfidf_similarities(
    query: str | None, texts: Sequence[str], among: NDArray[np.int64], /, *, include_query: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compare texts with the query and each other; `contract.Kernels.tfidf_similarities` specifies it."""
    vectors = TextVectors(query, texts, include_query=include_query)
    chosen: list[int] = among.tolist()
    cosines = [vectors.cosine(left, right) for left in chosen for right in chosen]
    return vectors.query_scores(), np.array(cosines, dtype=np.float64)
