"""What items are worth: ranking, normalisation, recency."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.errors import ConfigError, InputError
from brimful.stages.scoring import by_rank, composite, min_max, rank, recency, text_relevance

finite = st.floats(allow_nan=False, allow_infinity=False)
scores = st.lists(st.one_of(st.none(), st.sampled_from([0.0, -0.0, 0.5, 1.0]), finite), max_size=12)
numbers = st.lists(st.one_of(st.sampled_from([0.0, -0.0, 1.0, 1.7e308, -1.7e308]), finite), max_size=8)


@given(scores=scores)
def test_higher_scores_come_first_and_ties_keep_the_input_order(scores: list[float | None]) -> None:
    ranked = rank(scores)

    assert sorted(ranked) == list(range(len(scores)))
    for earlier, later in itertools.pairwise(ranked):
        first, second = scores[earlier], scores[later]
        assert second is None or (first is not None and first >= second)
        assert first != second or earlier < later


@pytest.mark.parametrize("normalize", [min_max, by_rank])
@given(numbers=numbers)
def test_normalised_scores_lie_between_0_and_1_and_keep_the_order(normalize: type, numbers: list[float]) -> None:
    found = normalize(numbers)

    assert all(0 <= score <= 1 for score in found)
    assert not found or max(found) == 1
    for one, other in itertools.combinations(range(len(numbers)), 2):
        if numbers[one] <= numbers[other]:
            assert found[one] <= found[other]


def test_equal_scores_are_all_the_best() -> None:
    assert min_max([3.0, 3.0]) == by_rank([3.0, 3.0]) == [1.0, 1.0]


def test_recency_halves_with_tau_over_ln_2_and_the_future_is_now() -> None:
    assert recency([0.0, 3600.0, -50.0, 1e9], 3600.0) == [1.0, math.exp(-1.0), 1.0, 0.0]


def test_a_composite_weighs_both() -> None:
    assert composite([0.5, 1.0], [1.0, 0.0], 0.0) == [0.5, 1.0]
    assert composite([0.5, 1.0], [1.0, 0.0], 1.0) == [1.0, 0.0]
    assert composite([0.5, 1.0], [1.0, 0.0], 0.25) == [0.625, 0.75]


def test_text_relevance_is_bm25_between_0_and_1() -> None:
    assert text_relevance("war", ["peace", "war and peace", "war"])[0] == 0.0
    assert text_relevance("war", ["peace", "war and peace", "war"])[2] == 1.0


@pytest.mark.parametrize("tau", [0.0, -1.0, float("nan"), float("inf"), "3600", None, True])
def test_tau_must_be_above_0(tau: Any) -> None:
    with pytest.raises(ConfigError, match=f"tau must be a finite number above 0, got {tau!r}"):
        recency([1.0], tau)


@pytest.mark.parametrize("age", [float("nan"), float("inf"), None, "1"])
def test_ages_are_finite_numbers(age: Any) -> None:
    with pytest.raises(InputError, match=rf"ages\[1\] must be a finite number, got {age!r}"):
        recency([1.0, age], 3600.0)


def test_every_item_of_a_composite_has_a_recency() -> None:
    with pytest.raises(InputError, match=r"recencies must be 2 numbers, .*, got 1"):
        composite([1.0, 0.5], [0.5], 0.5)


def test_a_weight_is_a_share() -> None:
    with pytest.raises(ConfigError, match="weight must be between 0 and 1, got 7"):
        composite([1.0], [0.5], 7)
