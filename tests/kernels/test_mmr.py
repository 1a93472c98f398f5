"""mmr_select: each back end against the literal formula, and against the statements of the contract."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.config import SelectionOptions
from brimful.errors import ConfigError, InputError
from brimful.kernels._python.tfidf import TextVectors
from references import naive_mmr
from strategies import few_words, sentences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from brimful.kernels import CheckedKernels
    from brimful.types import Selection

# Few different components: ties, equal rows, opposite rows and rows of zeros come often.
components = st.sampled_from([0.0, 0.0, 1.0, -1.0, 0.5, 2.0, 3.0])
wild = st.one_of(components, st.floats(allow_nan=False, allow_infinity=False, width=32))
wide = st.one_of(wild, st.sampled_from([1e200, -1e200, 1e-200, 5e-324, 1.7e308, 2.0**300, 2.0**-300]))
shares = st.sampled_from([0.0, 0.3, 0.5, 0.9, 1.0])


@st.composite
def rows(draw: st.DrawFn, kind: Any) -> NDArray[Any]:
    """Rows of widths around the sixteen lanes."""
    width = draw(st.sampled_from([0, 1, 2, 3, 15, 16, 17, 33]))
    count = draw(st.integers(1, 7))
    values = components if draw(st.booleans()) else (wild if kind == np.float32 else wide)
    return np.array(
        draw(st.lists(st.lists(values, min_size=width, max_size=width), min_size=count, max_size=count)), kind
    )


@st.composite
def requests(draw: st.DrawFn, count: int) -> dict[str, Any]:
    """Options, and costs where there is a budget."""
    budget = draw(st.one_of(st.none(), st.integers(0, 20)))
    costs = draw(st.lists(st.integers(0, 9), min_size=count, max_size=count))
    return {
        "mmr_lambda": draw(shares),
        "first": draw(st.sampled_from(["relevance", "score"])),
        "limit": draw(st.one_of(st.none(), st.integers(0, count + 1))),
        "budget": budget,
        "costs": None if budget is None else costs,
    }


def run(kernels: CheckedKernels, query: Any, candidates: Any, *, relevance: Any = None, **request: Any) -> Selection:
    costs = request.pop("costs", None)
    return kernels.mmr_select(query, candidates, SelectionOptions(**request), relevance=relevance, costs=costs)


def as_lists(selection: Selection) -> tuple[list[int], list[float]]:
    return selection.indices.tolist(), selection.scores.tolist()


@given(data=st.data(), kind=st.sampled_from([np.float32, np.float64]))
def test_picks_and_scores_are_those_of_the_formula(kernels: CheckedKernels, data: st.DataObject, kind: Any) -> None:
    vectors = data.draw(rows(kind))
    query = vectors[data.draw(st.integers(0, len(vectors) - 1))] + data.draw(components)
    query = np.where(np.isfinite(query), query, 1).astype(kind)
    request = data.draw(requests(len(vectors)))

    found = run(kernels, query, vectors, **request)

    listed = vectors.astype(float).tolist()
    relevance = [naive_mmr.cosine(row, query.astype(float).tolist()) for row in listed]
    expected = naive_mmr.select(lambda a, b: naive_mmr.cosine(listed[a], listed[b]), relevance, **request)
    assert expected == as_lists(found)


@given(data=st.data())
def test_a_given_relevance_takes_the_place_of_the_query(kernels: CheckedKernels, data: st.DataObject) -> None:
    vectors = data.draw(rows(np.float64))
    relevance = data.draw(
        st.lists(st.sampled_from([-1.0, 0.0, 0.5, 0.5, 2.0]), min_size=len(vectors), max_size=len(vectors))
    )
    request = data.draw(requests(len(vectors)))

    found = run(kernels, None, vectors, relevance=relevance, **request)

    listed = vectors.tolist()
    expected = naive_mmr.select(lambda a, b: naive_mmr.cosine(listed[a], listed[b]), relevance, **request)
    assert expected == as_lists(found)


@given(data=st.data(), texts=st.lists(st.one_of(few_words(), sentences(6)), min_size=1, max_size=6))
def test_texts_are_compared_by_their_tfidf_cosine(
    kernels: CheckedKernels, data: st.DataObject, texts: list[str]
) -> None:
    request = data.draw(requests(len(texts)))
    query = data.draw(few_words())

    found = run(kernels, query, texts, **request)

    vectors = TextVectors(query, texts, include_query=True)
    expected = naive_mmr.select(vectors.cosine, kernels.tfidf_scores(query, texts).tolist(), **request)
    assert expected == as_lists(found)


def tied(count: int, kind: type[np.generic]) -> NDArray[Any]:
    """Rows of one-hot vectors, a few of each: nearly all scores are equal."""
    return np.eye(5, 40, dtype=kind)[np.arange(count) * 3 % 5]


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("mmr_lambda", [0.0, 0.5, 1.0])
def test_ties_go_to_the_lower_index_however_many(kernels: CheckedKernels, kind: Any, mmr_lambda: float) -> None:
    vectors = tied(60, kind)

    found = run(kernels, vectors[0], vectors, mmr_lambda=mmr_lambda)

    listed = vectors.tolist()
    expected = naive_mmr.select(
        functools.cache(lambda a, b: naive_mmr.cosine(listed[a], listed[b])),
        [naive_mmr.cosine(row, listed[0]) for row in listed],
        mmr_lambda=mmr_lambda,
        first="relevance",
        limit=None,
        costs=None,
        budget=None,
    )
    assert expected == as_lists(found)


@given(data=st.data())
def test_lambda_1_sorts_by_relevance(kernels: CheckedKernels, data: st.DataObject) -> None:
    vectors = data.draw(rows(np.float64))
    relevance = data.draw(st.lists(st.floats(-5, 5), min_size=len(vectors), max_size=len(vectors)))

    found = run(kernels, None, vectors, relevance=relevance, mmr_lambda=1.0)

    assert sorted(range(len(vectors)), key=lambda index: -relevance[index]) == found.indices.tolist()


def test_a_negative_cosine_raises_a_score(kernels: CheckedKernels) -> None:
    # After the first pick, the opposite row is worth more than the one at right angles: lazily kept scores of the
    # first round would be no upper bounds.
    vectors = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])

    assert run(kernels, None, vectors, relevance=[1.0, 0.2, 0.0]).indices.tolist() == [0, 2, 1]


def test_of_similarities_that_differ_in_the_sign_of_zero_the_earlier_one_stays(kernels: CheckedKernels) -> None:
    # The cosine of the first two rows is less than the least float64 below 0.
    large, least = 2.0**300, 5e-324
    vectors = np.array([[large, 0, 0], [-least, large, 0], [0, 0, large]])

    found = run(kernels, None, vectors, relevance=[2.0, -0.0, 1.0])

    assert (found.indices.tolist(), found.scores.tobytes()) == ([0, 2, 1], np.array([1.0, 0.5, 0.0]).tobytes())


def test_nothing_that_fits_is_nothing_and_no_error(kernels: CheckedKernels) -> None:
    assert as_lists(run(kernels, None, ["a", "b"], relevance=[1, 1], budget=1, costs=[2, 3])) == ([], [])
    assert as_lists(run(kernels, "a", [], limit=3)) == ([], [])
    assert as_lists(run(kernels, [1.0], np.empty((0, 1)))) == ([], [])
    assert as_lists(run(kernels, None, np.array([]))) == ([], [])


def test_a_candidate_without_room_is_passed_over_and_later_ones_are_taken(kernels: CheckedKernels) -> None:
    found = run(kernels, None, np.eye(3), relevance=[0.9, 0.8, 0.7], mmr_lambda=1.0, budget=5, costs=[3, 4, 2])

    assert found.indices.tolist() == [0, 2]


BAD: dict[str, tuple[Any, Any, dict[str, Any], str]] = {
    "a query that is not finite": ([float("nan"), 0.0], [[1.0, 0.0]], {}, "query[0] must be finite, got nan"),
    "a component that is not finite": (
        [1.0, 0.0],
        [[1.0, 2.0], [0.0, float("-inf")]],
        {},
        "candidates[1][1] must be finite, got -inf",
    ),
    "ragged rows": ([1.0], [[1.0], [1.0, 2.0]], {}, "candidates must be numbers in rows of one length"),
    "objects": ([1.0], np.array([[1.0]], dtype=object), {}, "candidates must be numbers in rows of one length"),
    "0 dimensions": ([1.0], np.array(1.0), {}, "candidates must have 2 dimensions"),
    "1 dimension": ([1.0], [1.0, 2.0], {}, "candidates must have 2 dimensions"),
    "a query of another width": ([1.0], [[1.0, 2.0]], {}, "query must have 2 components as the candidates have"),
    "a text asked of vectors": ("text", [[1.0, 2.0]], {}, "query must be a vector of numbers, got 'text'"),
    "a vector asked of texts": ([1.0], ["text"], {}, "query must be a str, got [1.0]"),
    "texts and others": ("a", ["text", None], {}, "candidates[1] must be a str, got None"),
    "a bare text": ("a", "text", {}, "candidates must be str in an order, got 'text'"),
    "no query and no relevance": (None, ["a"], {}, "relevance must be given where query is None"),
    "too few relevances": (None, ["a", "b"], {"relevance": [1.0]}, "relevance must be 2 numbers"),
    "a relevance that is not finite": (
        None,
        ["a", "b"],
        {"relevance": [1.0, float("inf")]},
        "relevance[1] must be a finite number, got inf",
    ),
    "a relevance that is no number": (
        None,
        ["a", "b"],
        {"relevance": [1.0, "2"]},
        "relevance[1] must be a finite number, got '2'",
    ),
    "relevances in no order": (None, ["a", "b"], {"relevance": {1.0, 2.0}}, "relevance must be 2 numbers in an order"),
    "ragged relevances": (None, ["a", "b"], {"relevance": [[1], [1, 2]]}, "relevance[0] must be a finite number"),
    "one relevance": (None, ["a"], {"relevance": np.array(1.0)}, "relevance must be 1 numbers in an order"),
    "candidates in no order": ("a", {"a", "b"}, {}, "candidates must be str in an order"),
    "one text as an array": ("a", np.array("abc"), {}, "candidates must be numbers in rows of one length"),
    "a query too large for float32": (
        [1e300, 0.0],
        np.eye(2, dtype=np.float32),
        {},
        "query[0] must fit float32, the type of the candidates, got 1e+300",
    ),
    "a negative cost": ("a", ["a"], {"budget": 1, "costs": [-1]}, "costs[0] must be a whole number from 0"),
    "a cost that is no whole number": (
        "a",
        ["a", "b"],
        {"budget": 1, "costs": [1, 0.5]},
        "costs[1] must be a whole number from 0",
    ),
    "a negative limit": ("a", ["a"], {"limit": -1}, "limit must not be negative, got -1"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_used_is_named(kernels: CheckedKernels, name: str) -> None:
    query, candidates, request, message = BAD[name]

    with pytest.raises(InputError) as refusal:
        run(kernels, query, candidates, **request)

    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"mmr_lambda": 1.1}, "mmr_lambda must be between 0 and 1, got 1.1"),
        ({"mmr_lambda": -0.1}, "mmr_lambda must be between 0 and 1, got -0.1"),
        ({"mmr_lambda": float("nan")}, "mmr_lambda must be between 0 and 1, got nan"),
        ({"first": "best"}, "first must be one of `relevance`, `score`, got 'best'"),
        ({"budget": 3}, "budget needs costs, one a candidate"),
        ({"budget": -3, "costs": [1]}, "budget must be a whole number from 0"),
        ({"limit": 1.5}, "limit must be a whole number from 0"),
    ],
)
def test_options_out_of_range_are_named(kernels: CheckedKernels, request_: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        run(kernels, "a", ["a"], **request_)

    assert message in str(refusal.value)


@pytest.mark.parametrize("kind", ["float16", "int8", "int64", "uint8", ">f4", ">f8", "bool"])
def test_other_types_and_strides_select_as_their_float64_copy(kernels: CheckedKernels, kind: str) -> None:
    whole = (np.arange(48).reshape(8, 6) * 7 % 5).astype(kind)
    for view in (whole, whole[:, ::2], whole[::-1], whole[1:3], whole.T):
        view.flags.writeable = False
        copied = np.ascontiguousarray(view, dtype=np.float64)
        assert run(kernels, copied[0], view) == run(kernels, copied[0], copied)


def test_arrays_that_are_not_aligned_and_buffers_of_other_kinds_are_taken(kernels: CheckedKernels) -> None:
    rows = np.array([[1.0, 2.0], [3.0, -1.0], [1.0, 1.0]])
    for kind in (np.float32, np.float64):
        exact = rows.astype(kind)
        offset = np.frombuffer(b"\0" + exact.tobytes(), dtype=kind, offset=1).reshape(3, 2)
        expected = run(kernels, [1.0, 1.0], exact)
        assert expected == run(kernels, offset[2], offset) == run(kernels, [1.0, 1.0], exact.data)
    worth = np.frombuffer(b"\0" + np.arange(3.0).tobytes(), dtype=np.float64, offset=1)
    prices = np.frombuffer(b"\0" + np.arange(3).tobytes(), dtype=np.int64, offset=1)
    found = run(kernels, None, rows, relevance=worth, costs=prices, budget=2, mmr_lambda=1.0)
    assert found.indices.tolist() == [2, 0]


def test_a_given_relevance_wins_over_the_query(kernels: CheckedKernels) -> None:
    assert run(kernels, [1.0, 0.0], np.eye(2), relevance=[0.0, 1.0], limit=1).indices.tolist() == [1]
    assert run(kernels, "a", ["a", "b"], relevance=[0.0, 1.0], limit=1).indices.tolist() == [1]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_both_back_ends_agree_on_a_thousand_rows(both: tuple[CheckedKernels, CheckedKernels], kind: Any) -> None:
    rng = np.random.default_rng(5)
    centres = rng.standard_normal((20, 100))
    vectors = (centres[rng.integers(0, 20, 1000)] + 0.3 * rng.standard_normal((1000, 100))).astype(kind)
    vectors[::7] = vectors[3]

    rust, python = (run(back_end, vectors[0], vectors, limit=60) for back_end in both)

    assert rust.indices.tobytes() == python.indices.tobytes()
    assert rust.scores.tobytes() == python.scores.tobytes()
