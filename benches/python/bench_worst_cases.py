"""Near-duplicates of texts that are hard for one step or another, by the compiled back end; the answers are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from brimful import NearDuplicateOptions
from workloads import request_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_benchmark.fixture import BenchmarkFixture

    from brimful.kernels import CheckedKernels

MILLION: Final = 1_000_000
WORDS: Final = " ".join(f"word{number}" for number in range(900_000))
"""A text of 10 MB."""


def repeat_every(count: int, distinct: int) -> list[int]:
    """Return the verdicts on texts of which the first `distinct` are repeated in their order."""
    return [-1 if number < distinct else number % distinct for number in range(count)]


CASES: Final[dict[str, Callable[[], tuple[list[str], list[int]]]]] = {
    "a million texts of one word": lambda: (
        [f"w{number % 700_000}" for number in range(MILLION)],
        repeat_every(MILLION, 700_000),
    ),
    "a million texts of four words": lambda: (
        [f"of four words {number % 700_000}" for number in range(MILLION)],
        repeat_every(MILLION, 700_000),
    ),
    "100,000 equal texts": lambda: (request_texts(1, 1) * 100_000, repeat_every(100_000, 1)),
    "100,000 texts that are equal but for a space": lambda: (
        [f"{' ' * (number % 7)}{text}" for text in request_texts(1, 1) for number in range(100_000)],
        repeat_every(100_000, 1),
    ),
    "a text of 10 MB and a longer copy": lambda: ([WORDS, f"{WORDS} more"], [-1, 0]),
    "a word of 10 MB and a longer one": lambda: (["x" * 10_000_000, "x" * 10_000_001], [-1, -1]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_worst_cases(benchmark: BenchmarkFixture, kernels: CheckedKernels, name: str) -> None:
    """Time the compiled back end, and hold its verdicts against those that are known."""
    if kernels.name == "python":
        pytest.skip("the Python back end takes minutes")
    texts, expected = CASES[name]()
    benchmark.group = "near_duplicates, worst cases"
    benchmark.name = name

    found = benchmark(kernels.near_duplicates, texts, NearDuplicateOptions())

    assert found.duplicate_of.tolist() == expected
