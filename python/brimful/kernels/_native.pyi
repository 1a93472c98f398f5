from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from brimful.config import AdditiveRule, Boundary, Cut, Encoding, EstimateRule, First, Shingles, Words
from brimful.kernels.vectors import Row, Rows

__all__ = [
    "CONTRACT",
    "__version__",
    "bm25_scores",
    "count_tokens",
    "estimate_tokens",
    "fault",
    "inspect_text",
    "mmr_select_dense",
    "mmr_select_text",
    "near_duplicates",
    "sentence_ends",
    "set_threads",
    "tfidf_scores",
    "tfidf_similarities",
    "truncate",
    "weigh_tokens",
]

CONTRACT: Final[int]
__version__: Final[str]

def count_tokens(texts: Sequence[str], /, *, encoding: Encoding) -> bytes: ...
def estimate_tokens(texts: Sequence[str], /, *, rule: EstimateRule) -> bytes: ...
def weigh_tokens(texts: Sequence[str], /, *, rule: AdditiveRule) -> bytes: ...
def near_duplicates(
    texts: Sequence[str],
    /,
    *,
    shingle_size: int,
    threshold: float,
    containment: float | None,
    words: Words,
    shingles: Shingles,
    normalize: bool,
    distinguish_facts: bool,
) -> tuple[bytes, bytes]: ...
def sentence_ends(texts: Sequence[str], /) -> tuple[bytes, bytes]: ...
def tfidf_scores(query: str, texts: Sequence[str], /, *, include_query: bool) -> bytes: ...
def tfidf_similarities(
    query: str | None, texts: Sequence[str], among: NDArray[np.int64], /, *, include_query: bool
) -> tuple[bytes, bytes]: ...
def bm25_scores(query: str, texts: Sequence[str], /) -> bytes: ...
def mmr_select_dense(
    query: Row | None,
    vectors: Rows,
    /,
    *,
    relevance: NDArray[np.float64] | None,
    mmr_lambda: float,
    first: First,
    limit: int | None,
    costs: NDArray[np.int64] | None,
    texts: Sequence[str] | None,
    encoding: Encoding | None,
    budget: int | None,
) -> tuple[bytes, bytes]: ...
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
) -> tuple[bytes, bytes]: ...
def truncate(
    texts: Sequence[str],
    budgets: NDArray[np.int64],
    /,
    *,
    rule: EstimateRule | None,
    encoding: Encoding | None,
    cut: Cut,
    boundary: Boundary,
    marker: str,
) -> tuple[bytes, bytes, bytes, bytes]: ...
def inspect_text(text: str, /) -> tuple[bytes, str, str, bytes]: ...
def set_threads(count: int, /) -> None: ...
def fault(message: str, /) -> None: ...
