"""tfidf_similarities: each back end against the plainest reference, and what the checks let through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brimful
from brimful.errors import ConfigError, InputError
from brimful.kernels import similarities
from references import naive_tfidf
from references.naive_tfidf import agreed
from strategies import few_words, sentences

if TYPE_CHECKING:
    from brimful.kernels import CheckedKernels

text = st.one_of(sentences(), few_words()).map(agreed)
texts = st.lists(text, max_size=6)


@given(query=text, texts=texts, include_query=st.booleans(), data=st.data())
def test_scores_and_similarities_are_those_of_the_definition(
    kernels: CheckedKernels, query: str, texts: list[str], data: st.DataObject, *, include_query: bool
) -> None:
    among = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=6)) if texts else []

    found = similarities.tfidf_similarities(kernels, query, texts, among=among, include_query=include_query)

    assert naive_tfidf.tfidf_scores(query, texts, include_query=include_query) == found.scores.tolist()
    vectors = naive_tfidf.weigh([query, *texts] if include_query else texts, texts)
    expected = [[naive_tfidf.cosine(vectors[left], vectors[right]) for right in among] for left in among]
    assert expected == found.pairwise.tolist()
    assert found.pairwise.shape == (len(among), len(among))


@given(texts=texts)
def test_without_a_query_all_texts_are_compared_by_their_own_words(kernels: CheckedKernels, texts: list[str]) -> None:
    found = similarities.tfidf_similarities(kernels, None, texts)

    assert found.scores.tolist() == [0.0] * len(texts)
    rows = [kernels.tfidf_scores(text, texts, include_query=False).tolist() for text in texts]
    assert found.pairwise.tolist() == rows


def test_the_similarities_are_those_that_a_selection_goes_by() -> None:
    texts = ["a red fox", "a hen", "the red hen", "the sea"]
    found = brimful.tfidf_similarities("a red sea", texts)

    chosen = brimful.mmr_select("a red sea", texts)

    first, second = chosen.indices[:2]
    assert chosen.scores[0] == 0.5 * found.scores[first]
    assert chosen.scores[1] == 0.5 * found.scores[second] - 0.5 * found.pairwise[second, first]


def test_results_are_float64_read_only_and_compare_by_value() -> None:
    found = brimful.tfidf_similarities("fox", ["a fox", "a hen"], among=np.array([1, 0]))

    for column in (found.scores, found.pairwise):
        assert column.dtype == np.float64
        assert not column.flags.writeable
    assert found == brimful.tfidf_similarities("fox", iter(["a fox", "a hen"]), among=iter([1, 0]))
    assert found != brimful.tfidf_similarities("fox", ["a fox", "a hen"], among=[1])
    assert found != "another"
    assert brimful.tfidf_similarities(None, []).pairwise.shape == (0, 0)


def test_lone_surrogates_count_as_what_replaces_them() -> None:
    found = brimful.tfidf_similarities("a\ud800", ["a\udfff", "b"])

    assert found == brimful.tfidf_similarities("a\ufffd", ["a\ufffd", "b"])


BAD_CALLS: list[tuple[dict[str, Any], str]] = [
    ({"query": 3}, "query must be a str, got 3"),
    ({"texts": "text"}, "texts must be str in an order, got 'text'"),
    ({"texts": ["a", None]}, "texts[1] must be a str, got None"),
    ({"among": [0, 2]}, "among[1] must be an index of the 2 texts, from 0 on, got 2"),
    ({"among": [-1]}, "among[0] must be an index of the 2 texts, from 0 on, got -1"),
    ({"among": [1.0]}, "among[0] must be an index of the 2 texts, from 0 on, got 1.0"),
    ({"among": [True]}, "among[0] must be an index of the 2 texts, from 0 on, got True"),
    ({"among": np.zeros((1, 1), np.int64)}, "among[0] must be an index of the 2 texts, from 0 on, got array([0])"),
    ({"among": {0, 1}}, "among must be indices in an order, got {0, 1}"),
    ({"among": 1}, "among must be indices in an order, got 1"),
    ({"among": [0] * 16_385}, "among must name at most 16,384 texts, got 16,385"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_CALLS, ids=[message for _, message in BAD_CALLS])
def test_what_cannot_be_used_is_named(kernels: CheckedKernels, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as refusal:
        similarities.tfidf_similarities(kernels, **{"query": "a", "texts": ["a", "b"], **arguments})

    assert str(refusal.value).startswith(message)


def test_more_texts_than_can_be_compared_need_a_choice(kernels: CheckedKernels) -> None:
    many = ["a"] * 16_385

    with pytest.raises(InputError, match="among must name at most 16,384 texts, got 16,385"):
        similarities.tfidf_similarities(kernels, "a", many)
    assert similarities.tfidf_similarities(kernels, "a", many, among=[0, -1 + len(many)]).pairwise.shape == (2, 2)


def test_a_flag_is_a_flag(kernels: CheckedKernels) -> None:
    with pytest.raises(ConfigError, match="include_query must be True or False, got 1"):
        similarities.tfidf_similarities(kernels, "a", ["a"], include_query=1)  # type: ignore[arg-type]
