"""TF-IDF of chunks beside scikit-learn, and beside bm25s: the index made, a query scored, pairs compared."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import bm25s
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from brimful import TextSimilarities, mmr_select, tfidf_similarities
from brimful.kernels import active
from compare.timing import against, least_times, milliseconds, table
from workloads import request_texts, write_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from brimful import Selection

SEED: Final = 1
COUNTS: Final = (100, 1_000, 10_000)
PAIRED: Final = 50
"""So many chunks are compared with each other."""
TARGET: Final = 10
HEAD: Final = (
    *("chunks", "brimful", "scikit-learn", "bm25s", "scikit-learn / brimful", "bm25s / brimful"),
    *("brimful, by selection", "brimful, BM25", "bm25s / brimful, BM25"),
)


def ours(query: str, texts: list[str]) -> TextSimilarities:
    """Score all texts, and compare the first with each other."""
    return tfidf_similarities(query, texts, among=range(PAIRED), include_query=False)


def ours_by_selection(query: str, texts: list[str]) -> Selection:
    """Score all texts; then select all of the first, which compares every pair, in the order of the selection."""
    active().tfidf_scores(query, texts, include_query=False)
    return mmr_select(query, texts[:PAIRED], limit=PAIRED)


def with_sklearn(query: str, texts: list[str]) -> TextSimilarities:
    """Score all texts, and compare the first with each other. Its rows have length 1: a product is a cosine."""
    vectorizer = TfidfVectorizer()
    rows = vectorizer.fit_transform(texts)
    scores = (rows @ vectorizer.transform([query]).T).toarray()[:, 0]
    return TextSimilarities(scores=scores, pairwise=(rows[:PAIRED] @ rows[:PAIRED].T).toarray())


def with_bm25s(query: str, texts: list[str]) -> NDArray[np.float32]:
    """Score all texts; it compares no pairs."""
    index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    index.index(bm25s.tokenize(texts, stopwords=None, show_progress=False), show_progress=False)
    [terms] = bm25s.tokenize([query], stopwords=None, show_progress=False, return_ids=False)
    return np.asarray(index.get_scores(terms), dtype=np.float32)


def tfidf_table() -> str:
    """Compare, then time, every number of chunks."""
    return table(HEAD, lines())


def lines() -> Iterator[tuple[str, ...]]:
    """Give a line of the table for each number of chunks."""
    [query] = write_texts(1, "query", copies=0, shortest=12, longest=12)
    for count in COUNTS:
        texts = request_texts(count, SEED)
        assert_equal_scores(query, texts)
        yield line(query, texts)


def assert_equal_scores(query: str, texts: list[str]) -> None:
    """Hold the cosines against scikit-learn's and the BM25 scores against those of bm25s, which are float32.

    The words are ASCII letters, two at least: the three cut them alike.
    """
    found, theirs = ours(query, texts), with_sklearn(query, texts)
    assert found.scores.any()
    assert np.abs(found.scores - theirs.scores).max() < 1e-12
    assert np.abs(found.pairwise - theirs.pairwise).max() < 1e-12
    np.testing.assert_allclose(active().bm25_scores(query, texts), with_bm25s(query, texts), rtol=1e-5, atol=1e-5)


def line(query: str, texts: list[str]) -> tuple[str, ...]:
    """Time one number of chunks."""
    times = least_times(
        {
            "ours": partial(ours, query, texts),
            "ours, by selection": partial(ours_by_selection, query, texts),
            "sklearn": partial(with_sklearn, query, texts),
            "bm25s": partial(with_bm25s, query, texts),
            "ours, BM25": partial(active().bm25_scores, query, texts),
        }
    )
    return (
        f"{len(texts):,}",
        *(milliseconds(times[name]) for name in ("ours", "sklearn", "bm25s")),
        *(against(times[name], times["ours"], TARGET) for name in ("sklearn", "bm25s")),
        *(milliseconds(times[name]) for name in ("ours, by selection", "ours, BM25")),
        f"{times['bm25s'] / times['ours, BM25']:,.1f}",
    )
