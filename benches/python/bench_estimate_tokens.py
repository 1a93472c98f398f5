"""Token estimates by rule, back end and number of texts."""

from __future__ import annotations

import functools
import struct
from importlib.resources import files
from typing import TYPE_CHECKING, get_args

import pytest

from brimful.config import EstimateRule
from workloads import request_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_benchmark.fixture import BenchmarkFixture

    from brimful.kernels import CheckedKernels

SEED = 1


@pytest.mark.parametrize("n", [10, 100, 1_000])
@pytest.mark.parametrize("rule", get_args(EstimateRule))
def test_estimate_tokens(benchmark: BenchmarkFixture, kernels: CheckedKernels, rule: EstimateRule, n: int) -> None:
    """Time a rule of a back end."""
    texts = texts_of(n)
    assert kernels.estimate_tokens(texts, rule=rule).tolist() == [PLAIN[rule](text) for text in texts]
    benchmark.group = f"estimate_tokens, {rule}, {n:,} texts"
    benchmark.extra_info["bytes"] = sum(len(text.encode()) for text in texts)
    benchmark(kernels.estimate_tokens, texts, rule=rule)


@functools.cache
def texts_of(n: int) -> list[str]:
    """Make the texts, once a size."""
    return request_texts(n, SEED)


def weigh(text: str, row: int) -> int:
    """Add up the weights of the bytes, one after the other, and round up to whole tokens."""
    weights = byte_weights()[256 * row : 256 * (row + 1)]
    return -(-sum(weights[byte] for byte in text.encode()) // 1024)


@functools.cache
def byte_weights() -> tuple[int, ...]:
    """Read the fitted weights: those of `script`, then those of `script_safe`."""
    return struct.unpack("<512H", (files("brimful") / "data" / "byte_weights.bin").read_bytes())


PLAIN: dict[EstimateRule, Callable[[str], int]] = {
    "words_div_4": lambda text: max(1, len(text.split()) // 4),
    "words_times_1_3": lambda text: int(len(text.split()) * 1.3),
    "utf16_div_4": lambda text: -(-len(text.encode("utf-16-le")) // 8),
    "chars_div_4": lambda text: len(text) // 4,
    "script": lambda text: weigh(text, 0),
    "script_safe": lambda text: weigh(text, 1),
}
