"""How similar texts are to a query and to each other: what a selection goes by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimful.config import SelectionOptions
from brimful.kernels import active
from brimful.kernels import similarities as checked

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from brimful.types import TextSimilarities


def tfidf_similarities(
    query: str | None,
    texts: Iterable[str],
    *,
    among: Iterable[int] | None = None,
    include_query: bool = True,
) -> TextSimilarities:
    """Return the TF-IDF cosines of n texts with the query, and of m of them with each other.

    For a selection by a rule of your own; `mmr_select` selects by the same similarities.

    `scores` (n,) are 0 where `query` is None. `among` names the m texts by index (None: all); `pairwise` (m, m) has
    them in that order; on its diagonal stands 1, up to rounding, and 0 for a text without words. `include_query`: the
    query is one of the texts that the weights of words come from. float64, read-only.

    Exact: no hashed vocabulary. Linear in the text, and in the words that each two of the m texts share; 8 m^2 bytes.
    The cosines are those of scikit-learn's `TfidfVectorizer` where words are the same and the query is not included.

    Raises InputError for a text or an index that cannot be used, with its place, and for more than 16,384 indices;
    ConfigError where `include_query` is no bool.

    >>> found = tfidf_similarities("fox", ["a fox", "a hen", "the fox"], among=[0, 2])
    >>> found.scores.round(2).tolist(), found.pairwise.round(2).tolist()
    ([0.63, 0.0, 0.54], [[1.0, 0.34], [0.34, 1.0]])
    """
    return checked.tfidf_similarities(active(), query, texts, among=among, include_query=include_query)


def text_cosines(query: str, texts: Sequence[str]) -> list[float]:
    """Return the TF-IDF cosine of each text with the query, which is one of the texts that words are weighed by.

    >>> text_cosines("fox", ["a fox", "a hen"])[1]
    0.0
    """
    cosines: list[float] = active().tfidf_scores(query, texts).tolist()
    return cosines


def cosines(query: ArrayLike, vectors: ArrayLike) -> list[float]:
    """Return the cosine of each of n vectors with a query vector; O(n d), and sorting.

    Raises InputError for a component that cannot be used, with its row and column.

    >>> cosines([1.0, 0.0], [[0.0, 1.0], [2.0, 0.0]])
    [0.0, 1.0]
    """
    # At lambda 1 a selection of all is a sort, and its scores are the cosines.
    found = active().mmr_select(query, vectors, SelectionOptions(mmr_lambda=1.0))
    return [score for _, score in sorted(zip(found.indices.tolist(), found.scores.tolist(), strict=True))]
