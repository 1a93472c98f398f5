"""tfidf_scores: each back end against the plainest reference, the statements of the contract, and scikit-learn."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brimful.kernels._python import tfidf as twin
from references import naive_tfidf
from references.naive_tfidf import agreed
from strategies import WORDS, characters, few_words, sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.kernels import CheckedKernels

EDGES = (
    *("", "!?—", "東京都", "京", "か\u3099き", "한글abc", "漢x\u0301字"),
    *("ภาษาไทย", "_", "İ", "\u0301", "👨\u200d👩\u200d👧"),
)

text = st.one_of(sentences(), few_words(), st.text(characters, max_size=24), st.sampled_from(EDGES)).map(agreed)
texts = st.lists(text, max_size=7)
one_ulp = pytest.approx(1.0, rel=0, abs=math.ulp(1.0))


def score(
    kernels: CheckedKernels, query: str, given_texts: Sequence[str], *, include_query: bool = True
) -> list[float]:
    scores = kernels.tfidf_scores(query, given_texts, include_query=include_query)
    assert scores.dtype == "float64"
    return list(scores.tolist())


@given(query=text, texts=texts, include_query=st.booleans())
@example(query="", texts=["", "a"], include_query=True)
@example(query="a x", texts=["a", "b"], include_query=False)
@example(query="東京", texts=list(EDGES), include_query=True)
@example(query="a _ 7", texts=[" ".join(map(chr, range(128)))], include_query=True)
def test_scores_are_those_of_the_definition(
    kernels: CheckedKernels, query: str, texts: list[str], *, include_query: bool
) -> None:
    scores = score(kernels, query, texts, include_query=include_query)

    assert naive_tfidf.tfidf_scores(query, texts, include_query=include_query) == scores


@given(query=text, texts=texts)
def test_the_similarity_of_two_texts_is_the_score_of_one_as_a_query_that_is_not_included(
    kernels: CheckedKernels, query: str, texts: list[str]
) -> None:
    corpus = [query, *texts]
    vectors = twin.TextVectors(None, corpus, include_query=True)

    scores = score(kernels, query, corpus, include_query=False)

    assert [vectors.cosine(0, other) for other in range(len(corpus))] == scores
    assert [vectors.cosine(other, 0) for other in range(len(corpus))] == scores
    assert vectors.query_scores().tolist() == [0.0] * len(corpus)


@pytest.mark.parametrize("include_query", [True, False])
def test_one_letter_words_and_digits_count(kernels: CheckedKernels, *, include_query: bool) -> None:
    documents = ["C", "R", "the the", "1 2 3"]

    assert score(kernels, "C", documents, include_query=include_query) == [1.0, 0.0, 0.0, 0.0]
    assert score(kernels, "2", documents, include_query=include_query)[3] > 0.4
    assert score(kernels, "nowhere", documents, include_query=include_query) == [0.0] * 4
    assert score(kernels, "", documents, include_query=include_query) == [0.0] * 4
    assert score(kernels, "C", [], include_query=include_query) == []
    assert score(kernels, "", ["", "?!"], include_query=include_query) == [0.0, 0.0]


@pytest.mark.parametrize("same", [*(edge for edge in EDGES if naive_tfidf.terms(edge)), " ".join(WORDS)])
def test_equal_texts_have_similarity_one(kernels: CheckedKernels, same: str) -> None:
    assert score(kernels, same, [same, "another", f"({same})"], include_query=False) == [one_ulp, 0.0, one_ulp]


@pytest.mark.parametrize(
    ("query", "found", "missed"),
    [
        ("don't", "t", "dont"),
        ("x_y", "X_Y", "x y"),
        ("東京", "東京都", "京"),
        ("京", "京", "東京都"),
        ("漢", "漢abc字", "漢字"),
        ("abc", "漢abc字", "abcd"),
        ("カー", "カード", "カ"),
        ("か\u3099", "か\u3099き", "か き"),
        ("한국", "한국어", "국"),
        ("ภาษาไทย", "(ภาษาไทย)", "ภาษา"),
        ("İ", "i\u0307", "i"),
        ("ΟΔΟΣ", "οδος", "οδο"),
        ("abcdefgh", "ABCDEFGH", "abcdefghi"),
        ("abcdefghi", "ABCDEFGHI", "abcdefgh"),
        ("cafe\u0301", "cafe\u0301!", "cafe"),
    ],
)
def test_terms_are_words_and_pairs_of_neighbours_in_scripts_without_spaces(
    kernels: CheckedKernels, query: str, found: str, missed: str
) -> None:
    similarities = score(kernels, query, [found, missed])

    assert similarities[0] > 0.0 == similarities[1]


def test_words_that_no_text_has_change_the_score_only_when_the_query_is_included(kernels: CheckedKernels) -> None:
    documents = ["red apple", "green pear"]

    apart, included = (
        [score(kernels, query, documents, include_query=include)[0] for query in ("red zebra", "red")]
        for include in (False, True)
    )

    assert apart[0] == apart[1] > 0.0
    assert included[0] < included[1]


def test_values_are_those_of_scikit_learn(kernels: CheckedKernels) -> None:
    extraction = pytest.importorskip("sklearn.feature_extraction.text")
    rng = random.Random(11)
    words = [f"{letter}{number}" for letter in "abcdefgh_" for number in ("", *range(30))]
    corpus = [" ".join(rng.choices(words, k=rng.randrange(1, 200))) for _ in range(60)]
    vectorizer = extraction.TfidfVectorizer(token_pattern=r"(?u)\w+")  # noqa: S106 - no password
    rows = vectorizer.fit_transform(corpus)

    for query in ("a1", "b2 b2 c3 nowhere", corpus[7]):
        expected = (rows @ vectorizer.transform([query]).T).toarray().ravel().tolist()
        scores = score(kernels, query, corpus, include_query=False)
        assert scores == pytest.approx(expected, rel=0, abs=1e-15)
