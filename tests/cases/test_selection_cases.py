"""Public bug reports about similarity and selection, as small inputs."""

from __future__ import annotations

import numpy as np
import pytest

import brimful
from brimful.errors import InputError
from brimful.kernels import active
from recorded_cases import CASES


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_similarity_mmr_01_a_vector_that_is_not_finite_is_named(bad: float) -> None:
    with pytest.raises(InputError, match=r"query\[0\] must be finite"):
        brimful.mmr_select([bad, 0.0], [[1.0, 0.0], [0.0, 1.0]], limit=1)
    with pytest.raises(InputError, match=r"candidates\[0\]\[1\] must be finite"):
        brimful.mmr_select([1.0, 0.0], [[1.0, bad], [0.0, 1.0]], limit=1)


def test_similarity_mmr_03_a_limit_is_an_upper_bound() -> None:
    rows = np.eye(2)
    found = {limit: brimful.mmr_select([1.0, 0.5], rows, limit=limit).indices.tolist() for limit in (0, 1, 2, 3, 10**6)}

    assert [len(picks) for picks in found.values()] == [0, 1, 2, 2, 2]
    assert brimful.mmr_select([1.0], [], limit=3).indices.tolist() == []
    with pytest.raises(InputError, match="limit must not be negative, got -1"):
        brimful.mmr_select([1.0, 0.5], rows, limit=-1)


@pytest.mark.parametrize("mmr_lambda", [1.0, 0.0])
def test_similarity_mmr_05_lambda_1_is_relevance_and_0_is_diversity(mmr_lambda: float) -> None:
    case = CASES["similarity_mmr-05"]

    found = brimful.mmr_select(case["input"]["query"], case["input"]["docs"], limit=4, mmr_lambda=mmr_lambda)

    assert case["expected"][str(mmr_lambda)] == found.indices.tolist()


@pytest.mark.parametrize("mmr_lambda", [-0.1, 1.1, float("nan")])
def test_similarity_mmr_05_lambda_outside_0_to_1_is_refused(mmr_lambda: float) -> None:
    with pytest.raises(ValueError, match="mmr_lambda must be between 0 and 1"):
        brimful.mmr_select([1, 0], [[1, 0]], mmr_lambda=mmr_lambda)


def test_similarity_mmr_07_words_of_one_letter_count() -> None:
    case = CASES["similarity_mmr-07"]["input"]
    kernels = active()

    assert kernels.tfidf_scores(case["query"], case["docs"]).tolist() == [1.0, 0.0, 0.0, 0.0]
    assert kernels.tfidf_scores("", case["docs"]).tolist() == [0.0] * 4
    assert brimful.mmr_select("", case["docs"], mmr_lambda=1.0).indices.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(("component", "kind"), [(3e38, "f4"), (1e200, "f8"), (1e-200, "f8"), (1e-45, "f4")])
def test_similarity_mmr_09_large_and_tiny_components_have_a_cosine(component: float, kind: str) -> None:
    row = np.array([component, component], dtype=kind)

    [score] = brimful.mmr_select(row, row[np.newaxis, :], mmr_lambda=1.0).scores.tolist()

    assert score == pytest.approx(1.0, abs=1e-15)
