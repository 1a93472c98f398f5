"""bm25_scores: each back end against the plainest reference, the statements of the contract, and bm25s."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from references import naive_tfidf
from references.naive_tfidf import agreed
from strategies import characters, few_words, sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.kernels import CheckedKernels

text = st.one_of(sentences(), few_words(), st.text(characters, max_size=24)).map(agreed)
texts = st.lists(text, max_size=7)


def score(kernels: CheckedKernels, query: str, given_texts: Sequence[str]) -> list[float]:
    scores = kernels.bm25_scores(query, given_texts)
    assert scores.dtype == "float64"
    return list(scores.tolist())


@given(query=text, texts=texts)
@example(query="a b a", texts=["a", "b a", "", "c"])
@example(query="東京 京 i\u0307", texts=["", "東京都", "京", "İ", "!?—", "👨\u200d👩\u200d👧"])
def test_scores_are_those_of_the_definition(kernels: CheckedKernels, query: str, texts: list[str]) -> None:
    assert naive_tfidf.bm25_scores(query, texts) == score(kernels, query, texts)


@given(query=text, texts=texts)
def test_a_score_is_positive_where_a_word_is_shared_and_zero_elsewhere(
    kernels: CheckedKernels, query: str, texts: list[str]
) -> None:
    asked = set(naive_tfidf.terms(query))
    shares = [not asked.isdisjoint(naive_tfidf.terms(given_text)) for given_text in texts]

    assert [value > 0.0 for value in score(kernels, query, texts)] == shares


def test_nothing_asked_or_nothing_there_scores_zero(kernels: CheckedKernels) -> None:
    assert score(kernels, "a", []) == []
    assert score(kernels, "", ["a", ""]) == [0.0, 0.0]
    assert score(kernels, "a", ["", "?!"]) == [0.0, 0.0]


def test_a_word_counts_as_often_as_it_is_asked(kernels: CheckedKernels) -> None:
    documents = ["a b", "b c c"]

    assert score(kernels, "b b", documents) == [2 * value for value in score(kernels, "b", documents)]


def test_rare_words_repeated_words_and_short_texts_score_higher(kernels: CheckedKernels) -> None:
    common, rare = (score(kernels, word, ["a b", "a c", "a d"])[0] for word in ("a", "b"))
    often, once, longer = score(kernels, "a", ["a a b b", "a b b b", "a b b b b b"])

    assert rare > common > 0.0
    assert often > once > longer


def test_values_are_those_of_bm25s(kernels: CheckedKernels) -> None:
    bm25s = pytest.importorskip("bm25s")
    rng = random.Random(13)
    words = [f"{letter}{number}" for letter in "abcdefgh_" for number in ("", *range(30))]
    rows = [rng.choices(words, k=rng.randrange(1, 200)) for _ in range(60)]
    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75, dtype="float64")
    index.index(rows, show_progress=False)

    for query in (["a1"], ["b2", "c3", "_"], sorted(set(rows[7]))):
        scores = score(kernels, " ".join(query), [" ".join(row) for row in rows])
        assert scores == pytest.approx(index.get_scores(query).tolist(), rel=1e-14, abs=0)
