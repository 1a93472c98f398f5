"""Selection, seen from the public function: what it takes, what it refuses, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brimful
from brimful import ConfigError, InputError, Selection
from brimful.stages.selection import select_until_full
from brimful.stages.similarity import cosines, tfidf_similarities
from references import naive_mmr

ROWS = [[1.0, 0.0], [0.9, 0.1], [0.2, 0.9], [0.0, 1.0]]
TEXTS = ["a red fox", "a red fox", "a red hen", "the sea"]
NAN, INFINITY = float("nan"), float("inf")
LARGEST = "9,007,199,254,740,992"


def picks(*arguments: Any, **options: Any) -> list[int]:
    indices: list[int] = brimful.mmr_select(*arguments, **options).indices.tolist()
    return indices


def test_rows_are_picked_for_relevance_and_for_being_unlike() -> None:
    assert picks([1, 0.2], ROWS) == [1, 3, 0, 2]
    assert picks([1, 0.2], ROWS, mmr_lambda=1) == [1, 0, 2, 3]
    assert picks([1, 0.2], ROWS, mmr_lambda=0, limit=2) == [1, 3]


def test_texts_are_picked_for_relevance_and_for_being_unlike() -> None:
    assert picks("red fox", TEXTS) == [0, 3, 1, 2]
    assert picks("red fox", TEXTS, mmr_lambda=1) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "rows", [np.array(ROWS), np.array(ROWS, np.float32), np.array(ROWS)[::1, ::-1], tuple(map(tuple, ROWS)), iter(ROWS)]
)
def test_rows_come_in_arrays_lists_and_iterators(rows: Any) -> None:
    assert sorted(picks([1, 1], rows)) == [0, 1, 2, 3]


@pytest.mark.parametrize("texts", [TEXTS, tuple(TEXTS), iter(TEXTS), np.array(TEXTS), dict.fromkeys("abcd").keys()])
def test_texts_come_in_lists_iterators_and_arrays(texts: Any) -> None:
    assert sorted(picks("red", texts)) == [0, 1, 2, 3]


@pytest.mark.parametrize("candidates", [ROWS, TEXTS])
def test_relevance_takes_the_place_of_a_query(candidates: Any) -> None:
    assert picks(None, candidates, relevance=[0, 0.5, 1, 2], mmr_lambda=1) == [3, 2, 1, 0]
    assert picks(None, candidates, relevance=np.array([3, 2, 1, 0]), mmr_lambda=1) == [0, 1, 2, 3]
    assert picks(candidates[0], candidates, relevance=(0, 0, 0, 7), mmr_lambda=1) == [3, 0, 1, 2]


def test_scores_are_those_of_the_formula() -> None:
    found = brimful.mmr_select(None, np.eye(2), relevance=[1.0, 0.5], mmr_lambda=0.75)

    assert found == Selection(indices=np.array([0, 1]), scores=np.array([0.75, 0.375]))
    assert (found.indices.dtype.name, found.scores.dtype.name) == ("int64", "float64")


@pytest.mark.parametrize("limit", [4, 5, 10**9, None])
@pytest.mark.parametrize(("query", "candidates"), [([1.0, 0.2], ROWS), ("red fox", TEXTS)])
def test_a_limit_beyond_the_candidates_gives_them_all(query: Any, candidates: Any, limit: int | None) -> None:
    assert brimful.mmr_select(query, candidates, limit=limit) == brimful.mmr_select(query, candidates)
    assert len(picks(query, candidates, limit=limit)) == 4


@pytest.mark.parametrize(("query", "candidates"), [([1.0, 0.2], ROWS), ("red fox", TEXTS)])
def test_a_smaller_limit_gives_the_beginning(query: Any, candidates: Any) -> None:
    everything = picks(query, candidates)

    assert [picks(query, candidates, limit=limit) for limit in range(4)] == [everything[:limit] for limit in range(4)]


@pytest.mark.parametrize("candidates", [[], (), iter([]), np.array([]), np.empty((0, 3))])
@pytest.mark.parametrize("options", [{}, {"limit": 2}, {"budget": 3, "costs": []}, {"relevance": []}])
def test_of_nothing_nothing_is_picked(candidates: Any, options: dict[str, Any]) -> None:
    candidates = [] if not hasattr(candidates, "__len__") else candidates
    for query in (None, "red", [1.0, 2.0, 3.0]):
        assert picks(query, candidates, **options) == []


@given(
    costs=st.lists(st.integers(0, 9), min_size=4, max_size=4),
    budget=st.integers(0, 30),
    texts=st.booleans(),
    first=st.sampled_from(["relevance", "score"]),
)
def test_the_budget_is_never_exceeded_and_what_would_still_fit_is_taken(
    costs: list[int], budget: int, first: Any, *, texts: bool
) -> None:
    query: Any = "red fox" if texts else [1.0, 0.2]

    found = picks(query, TEXTS if texts else ROWS, costs=costs, budget=budget, first=first)

    left = budget - sum(costs[index] for index in found)
    assert left >= 0
    assert all(costs[index] > left for index in {0, 1, 2, 3} - set(found))


def test_costs_without_a_budget_change_nothing() -> None:
    assert picks("red fox", TEXTS, costs=[9, 9, 9, 9]) == picks("red fox", TEXTS)


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
@pytest.mark.parametrize("first", ["relevance", "score"])
@given(budget=st.integers(0, 30))
def test_texts_are_counted_in_the_encoding(encoding: Any, first: Any, budget: int) -> None:
    texts = ["a red fox", "a red fox " * 3, "", "international hens", "the sea, the sea", "狐狸 and hens"]
    costs = brimful.count_tokens(texts, encoding=encoding).tolist()
    options = {"budget": budget, "first": first}
    rows = np.array([[1.0, index] for index in range(len(texts))])

    by_costs = brimful.mmr_select("red fox", texts, costs=costs, **options)
    assert brimful.mmr_select("red fox", texts, encoding=encoding, **options) == by_costs
    by_costs = brimful.mmr_select([1, 2], rows, costs=costs, **options)
    assert brimful.mmr_select([1, 2], rows, encoding=encoding, texts=texts, **options) == by_costs


def test_vectors_are_counted_by_their_texts_only() -> None:
    with pytest.raises(ConfigError, match="encoding needs texts, one a vector"):
        brimful.mmr_select([1.0, 0.0], ROWS, encoding="o200k_base", budget=3)


@pytest.mark.parametrize("options", [{}, {"limit": 2}, {"budget": 3, "costs": [1, 1, 1, 1]}])
def test_texts_beside_vectors_need_an_encoding(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="texts need an encoding to be counted in"):
        brimful.mmr_select([1.0, 0.0], ROWS, texts=TEXTS, **options)


def test_an_encoding_without_a_budget_changes_nothing() -> None:
    assert picks("red fox", TEXTS, encoding="o200k_base") == picks("red fox", TEXTS)


def test_limit_and_budget_hold_together() -> None:
    assert picks(None, ROWS, relevance=[4, 3, 2, 1], mmr_lambda=1, costs=[5, 1, 1, 1], budget=4, limit=2) == [1, 2]


def test_the_first_pick_is_the_most_relevant_or_the_one_of_the_highest_score() -> None:
    options = {"relevance": [0.1, 0.9], "mmr_lambda": 0.0, "limit": 1}

    assert picks(None, np.eye(2), **options) == [1]
    assert picks(None, np.eye(2), first="score", **options) == [0]


@pytest.mark.parametrize(("query", "candidates"), [([1.0, 0.2], ROWS), ("red fox", TEXTS), ("red", [])])
def test_results_are_read_only(query: Any, candidates: Any) -> None:
    found = brimful.mmr_select(query, candidates)

    assert not found.indices.flags.writeable
    assert not found.scores.flags.writeable


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32])
def test_no_argument_is_changed(kind: Any) -> None:
    def given_values() -> list[Any]:
        rows = np.arange(12).reshape(4, 3).astype(kind)
        return [rows, np.array([1.0, 2.0, 3.0]), np.array([4, 3, 2, 1]), [1, 2, 3, 4], list(TEXTS)]

    rows, query, costs, relevance, texts = values = given_values()
    brimful.mmr_select(query, rows, costs=costs, budget=5)
    brimful.mmr_select(None, rows, relevance=relevance, costs=costs, budget=5)
    brimful.mmr_select("red", texts, costs=costs, budget=5)

    assert [np.asarray(value).tolist() for value in values] == [np.asarray(value).tolist() for value in given_values()]
    assert all(value.flags.writeable for value in (rows, query, costs))


def test_lone_surrogates_select_as_what_replaces_them() -> None:
    assert brimful.mmr_select("a\ud800", ["b", "a\udfff"]) == brimful.mmr_select("a\ufffd", ["b", "a\ufffd"])


BAD_CALLS: list[tuple[Any, Any, dict[str, Any], str]] = [
    ("red", "text", {}, "candidates must be str in an order, got 'text'"),
    ("red", {"a"}, {}, "candidates must be str in an order, got {'a'}"),
    ("red", None, {}, "candidates must be str in an order, got None"),
    ("red", ["a", None], {}, "candidates[1] must be a str, got None"),
    ("red", ["a", [1.0]], {}, "candidates[1] must be a str, got [1.0]"),
    (["red"], ["a"], {}, "query must be a str, got ['red']"),
    ("red", ROWS, {}, "query must be a vector of numbers, got 'red'"),
    ([1.0], ROWS, {}, "query must have 2 components as the candidates have, got shape (1,)"),
    ([1.0, NAN], ROWS, {}, "query[1] must be finite, got nan"),
    ([1.0, 0.0], [[1.0, 0.0], [0.0, INFINITY]], {}, "candidates[1][1] must be finite, got inf"),
    ([1.0, 0.0], [[1.0, 0.0], [0.0]], {}, "candidates must be numbers in rows of one length"),
    ([1.0, 0.0], [[1.0, 0.0], "text"], {}, "candidates must be numbers in rows of one length"),
    ([1.0, 0.0], [1.0, 0.0], {}, "candidates must have 2 dimensions (rows, components), got 1"),
    (None, TEXTS, {}, "relevance must be given where query is None"),
    (None, ROWS, {}, "relevance must be given where query is None"),
    (None, TEXTS, {"relevance": [1, 2]}, "relevance must be 4 numbers, one a text or vector, got 2"),
    (None, TEXTS, {"relevance": [1, NAN, 3, 4]}, "relevance[1] must be a finite number, got nan"),
    (None, TEXTS, {"relevance": [1, 2, 3, "4"]}, "relevance[3] must be a finite number, got '4'"),
    (None, TEXTS, {"relevance": {1, 2, 3, 4}}, "relevance must be 4 numbers in an order, got {1, 2, 3, 4}"),
    ("red", TEXTS, {"budget": 3, "costs": [1]}, "costs must be 4 numbers, one a text or vector, got 1"),
    (
        "red",
        TEXTS,
        {"budget": 3, "costs": [1, 2, 3, -4]},
        f"costs[3] must be a whole number from 0 to {LARGEST}, got -4",
    ),
    (
        "red",
        TEXTS,
        {"budget": 3, "costs": [1, True, 3, 4]},
        f"costs[1] must be a whole number from 0 to {LARGEST}, got True",
    ),
    ("red", TEXTS, {"budget": 3, "costs": 7}, "costs must be 4 numbers in an order, got 7"),
    ("red", TEXTS, {"limit": -1}, "limit must not be negative, got -1"),
    ("red", TEXTS, {"texts": TEXTS}, "texts go with vectors only"),
    ([1.0, 0.0], ROWS, {"texts": ["a"]}, "texts must be 4 str, one a vector, got 1"),
    ([1.0, 0.0], ROWS, {"texts": ["a", "b", "c", 4]}, "texts[3] must be a str, got 4"),
]


@pytest.mark.parametrize(("query", "candidates", "options", "message"), BAD_CALLS)
def test_what_cannot_be_used_is_named(query: Any, candidates: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as refusal:
        brimful.mmr_select(query, candidates, **options)

    assert str(refusal.value).startswith(message)


OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"mmr_lambda": 1.5}, "mmr_lambda must be between 0 and 1, got 1.5"),
    ({"mmr_lambda": NAN}, "mmr_lambda must be between 0 and 1, got nan"),
    ({"mmr_lambda": "half"}, "mmr_lambda must be between 0 and 1, got 'half'"),
    ({"first": "last"}, "first must be one of `relevance`, `score`, got 'last'"),
    ({"limit": 2.0}, "limit must be a whole number from 0"),
    ({"limit": True}, "limit must be a whole number from 0"),
    ({"budget": 3}, "budget needs costs, one a candidate, or an encoding to count them in"),
    ({"encoding": "p50k_base"}, "encoding must be one of `cl100k_base`, `o200k_base`, got 'p50k_base'"),
    (
        {"encoding": "o200k_base", "costs": [1] * 4, "budget": 3},
        "one of costs and encoding may be given, got costs and encoding 'o200k_base'",
    ),
    ({"budget": -1, "costs": [1] * 4}, f"budget must be a whole number from 0 to {LARGEST}, got -1"),
    ({"budget": 1.0, "costs": [1] * 4}, f"budget must be a whole number from 0 to {LARGEST}, got 1.0"),
]


@pytest.mark.parametrize(("options", "message"), OPTIONS)
@pytest.mark.parametrize(("query", "candidates"), [([1.0, 0.2], ROWS), ("red fox", TEXTS)])
def test_options_out_of_range_are_named(query: Any, candidates: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        brimful.mmr_select(query, candidates, **options)

    assert str(refusal.value).startswith(message)


def until_full(*arguments: Any, **options: Any) -> tuple[int, ...]:
    return select_until_full(*arguments, **options).indices


def test_nothing_is_picked_once_the_budget_is_used_up() -> None:
    candidates, worth = ["one", "", "two"], [0.9, 0.1, 0.5]

    assert until_full(candidates, worth, costs=[1, 0, 1], budget=1, mmr_lambda=1.0) == (0,)
    assert until_full(candidates, worth, costs=[1, 0, 1], budget=2, mmr_lambda=1.0) == (0, 2)
    assert until_full(candidates, worth, costs=[1, 0, 1], budget=3, mmr_lambda=1.0) == (0, 2, 1)
    assert until_full(candidates, worth, costs=[1, 0, 1], budget=2**53, mmr_lambda=1.0) == (0, 2, 1)
    assert until_full(["", "one"], [0.9, 0.1], costs=[0, 1], budget=1, mmr_lambda=1.0) == (0, 1)
    assert until_full(["", "one"], [0.9, 0.1], costs=[0, 9], budget=1, mmr_lambda=1.0) == (0,)


@pytest.mark.parametrize("budget", [0, -1])
def test_without_a_budget_nothing_is_picked_not_even_what_costs_nothing(budget: int) -> None:
    assert until_full([""], [1.0], costs=[0], budget=budget, mmr_lambda=0.5) == ()
    assert until_full([], [], costs=[], budget=5, mmr_lambda=0.5) == ()


@given(
    costs=st.lists(st.integers(0, 6), min_size=1, max_size=8), budget=st.integers(-1, 20), mmr_lambda=st.floats(0, 1)
)
def test_the_query_weighs_words_and_is_never_picked(costs: list[int], budget: int, mmr_lambda: float) -> None:
    words = ["red", "fox", "hen", "sea"]
    texts = [" ".join(words[place % 4 :] + words[: place % 3]) for place in range(len(costs))]
    worth = [(7 * place % 5) / 4 for place in range(len(costs))]

    found = select_until_full(texts, worth, costs=costs, budget=budget, mmr_lambda=mmr_lambda, query="red hen")

    alike = tfidf_similarities("red hen", texts).pairwise
    expected, _ = naive_mmr.select(
        lambda one, other: float(alike[one][other]),
        worth,
        mmr_lambda=mmr_lambda,
        first="score",
        limit=None,
        costs=costs,
        budget=budget,
    )
    spent = [sum(costs[index] for index in expected[:place]) for place in range(len(expected))]
    assert tuple(index for index, before in zip(expected, spent, strict=True) if before < budget) == found.indices


def test_the_cosines_of_rows_stand_in_the_order_of_the_rows() -> None:
    rows = np.array([[0.0, 2.0], [3.0, 0.0], [-1.0, 0.0], [0.0, 0.0], [1.0, 1.0]])

    found = cosines(np.array([1.0, 0.0]), rows)

    assert pytest.approx(found) == [0.0, 1.0, -1.0, 0.0, 0.5**0.5]
