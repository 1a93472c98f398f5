"""Near-duplicates by back end and number of texts, beside the naive form of seed 001."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import pytest

from brimful import NearDuplicateOptions
from brimful.kernels import load
from naive_form import naive_verdicts
from workloads import corpus_texts, request_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_benchmark.fixture import BenchmarkFixture

    from brimful.kernels import CheckedKernels
    from naive_form import Verdicts

SEED = 1
LARGEST_REQUEST = 100
"""Up to here the texts are one request, and the naive form, which is quadratic, is quick enough to compare with."""
OPTIONS = NearDuplicateOptions()
LARGE = pytest.param(10_000, marks=pytest.mark.timed)


@pytest.mark.parametrize("n", [10, 100, 1_000, LARGE])
def test_near_duplicates(
    benchmark: BenchmarkFixture, kernels: CheckedKernels, other: CheckedKernels | None, n: int
) -> None:
    """Time a back end."""
    texts = texts_of(n)
    if n <= LARGEST_REQUEST:
        assert judge(kernels, texts) == naive_verdicts(texts)
    elif other is None:
        pytest.skip("there is no other back end to compare with")
    else:
        assert judge(kernels, texts) == judge(other, texts)
    benchmark.group = f"near_duplicates, {n:,} texts"
    benchmark(kernels.near_duplicates, texts, OPTIONS)


@pytest.mark.parametrize("n", [10, 100, pytest.param(1_000, marks=pytest.mark.timed)])
def test_naive_form(benchmark: BenchmarkFixture, n: int) -> None:
    """Time the naive form, for the ratio."""
    texts = texts_of(n)
    assert naive_verdicts(texts) == judge(load("python"), texts)
    benchmark.group = f"near_duplicates, {n:,} texts"
    benchmark(naive_verdicts, texts)


@functools.cache
def texts_of(n: int) -> list[str]:
    """Make the texts, once a size."""
    return request_texts(n, SEED) if n <= LARGEST_REQUEST else corpus_texts(n, SEED)


def judge(kernels: CheckedKernels, texts: Sequence[str]) -> Verdicts:
    """Ask a back end."""
    found = kernels.near_duplicates(texts, OPTIONS)
    return found.duplicate_of.tolist(), found.similarity.tolist()
