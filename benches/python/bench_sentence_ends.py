"""Ends of sentences by back end and number of texts."""

from __future__ import annotations

import functools
import random
import re
from typing import TYPE_CHECKING

import pytest

from workloads import request_texts

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

    from brimful.kernels import CheckedKernels

SEED = 1
PLAIN = re.compile(r"""[.!?]["')\]}]*(?=\s)|\Z""")
"""The rule for ASCII text that does not end in white space; a stop at the very end is matched with the end."""


@pytest.mark.parametrize("n", [10, 100, 1_000])
def test_sentence_ends(benchmark: BenchmarkFixture, kernels: CheckedKernels, n: int) -> None:
    """Time a back end."""
    texts = texts_of(n)
    plain = [[found.end() for found in PLAIN.finditer(text)] for text in texts]
    counts, ends = kernels.sentence_ends(texts)
    assert counts.tolist() == [len(found) for found in plain]
    assert ends.tolist() == [end for found in plain for end in found]
    benchmark.group = f"sentence_ends, {n:,} texts"
    benchmark.extra_info["bytes"] = sum(len(text) for text in texts)
    benchmark(kernels.sentence_ends, texts)


@functools.cache
def texts_of(n: int) -> list[str]:
    """Make the texts, once a size: sentences of 4 to 24 words."""
    rng = random.Random(SEED)
    return [stop(text.split(), rng) for text in request_texts(n, SEED)]


def stop(words: list[str], rng: random.Random) -> str:
    """Put a stop behind some words."""
    place = 0
    while (place := place + rng.randint(4, 24)) < len(words):
        words[place] += rng.choice((".", "?", "!", ".)", '."'))
    return " ".join(words) + "."
