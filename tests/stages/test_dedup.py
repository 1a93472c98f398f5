"""near_duplicates with scores: who scores more stays, and everything is named by its place as given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful import InputError, near_duplicates
from strategies import texts

SCORES = st.sampled_from([-1.0, -0.0, 0.0, 0.5, 0.5000000000000001, 3.0])


@st.composite
def scored_texts(draw: st.DrawFn) -> tuple[list[str], list[float]]:
    drawn = draw(texts)
    return drawn, draw(st.lists(SCORES, min_size=len(drawn), max_size=len(drawn)))


@given(scored=scored_texts())
def test_scores_are_a_priority_with_ties_by_index(scored: tuple[list[str], list[float]]) -> None:
    given_texts, scores = scored
    order = sorted(range(len(scores)), key=lambda index: (-scores[index], index))

    by_scores = near_duplicates(given_texts, scores=scores, threshold=0.4, shingle_size=2)
    by_order = near_duplicates([given_texts[index] for index in order], threshold=0.4, shingle_size=2)

    for place, index in enumerate(order):
        origin = int(by_order.duplicate_of[place])
        assert by_scores.duplicate_of[index] == (-1 if origin < 0 else order[origin])
        assert by_scores.similarity[index] == by_order.similarity[place]
    assert by_scores.kept.tolist() == [index for index in range(len(order)) if by_scores.duplicate_of[index] < 0]


@given(drawn=texts)
def test_equal_scores_are_the_order_of_the_texts(drawn: list[str]) -> None:
    assert near_duplicates(drawn, scores=[0.5] * len(drawn)) == near_duplicates(drawn)


def test_repaired_texts_are_named_by_their_place_as_given() -> None:
    found = near_duplicates(["a\ud800", "b", "c\udfff"], scores=[1, 2, 3])

    assert found.repaired.tolist() == [0, 2]


def test_results_by_scores_are_read_only() -> None:
    found = near_duplicates(["a", "a"], scores=np.array([1, 2], dtype=np.float32))

    assert found.duplicate_of.tolist() == [1, -1]
    for column in (found.kept, found.duplicate_of, found.similarity, found.repaired):
        with pytest.raises(ValueError, match="read-only"):
            column[:] = 0


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1.0], "scores must be 2 numbers, one a text or vector, got 1"),
        ([1.0, 2.0, 3.0], "scores must be 2 numbers, one a text or vector, got 3"),
        ([1.0, float("nan")], "scores[1] must be a finite number, got nan"),
        ([float("inf"), 1.0], "scores[0] must be a finite number, got inf"),
        ([1.0, None], "scores[1] must be a finite number, got None"),
        ([True, 1.0], "scores[0] must be a finite number, got True"),
        ({1.0, 2.0}, "scores must be 2 numbers in an order, got {1.0, 2.0}"),
        (3.0, "scores must be 2 numbers in an order, got 3.0"),
    ],
)
def test_scores_that_are_none_are_refused(scores: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        near_duplicates(["a", "b"], scores=scores)

    assert message == str(refusal.value)


def test_a_text_that_is_none_is_named_by_its_place_as_given() -> None:
    with pytest.raises(InputError) as refusal:
        near_duplicates(["a", 3, "b"], scores=[1, 2, 3])  # type: ignore[list-item]

    assert str(refusal.value) == "texts[1] must be a str, got 3"
