"""Exact token counts by encoding, back end and number of texts, all seen before."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, get_args

import pytest

from brimful.config import Encoding
from workloads import request_texts

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

    from brimful.kernels import CheckedKernels

SEED = 1


@pytest.mark.parametrize("n", [10, 100, pytest.param(1_000, marks=pytest.mark.timed)])
@pytest.mark.parametrize("encoding", get_args(Encoding))
def test_count_tokens(benchmark: BenchmarkFixture, kernels: CheckedKernels, encoding: Encoding, n: int) -> None:
    """Time an encoding of a back end."""
    texts = texts_of(n)
    assert kernels.count_tokens(texts, encoding=encoding).tolist() == plain_counts(n, encoding)
    benchmark.group = f"count_tokens, {encoding}, {n:,} texts"
    benchmark.extra_info["bytes"] = sum(len(text.encode()) for text in texts)
    benchmark(kernels.count_tokens, texts, encoding=encoding)


@functools.cache
def texts_of(n: int) -> list[str]:
    """Make the texts, once a size."""
    return request_texts(n, SEED)


@functools.cache
def plain_counts(n: int, encoding: Encoding) -> list[int]:
    """Count by the plain form of the tests, which needs `regex`."""
    naive = pytest.importorskip("references.naive_tokens", exc_type=ImportError)
    return [naive.count_tokens(text, encoding) for text in texts_of(n)]
