"""Encodings of tiktoken as counters."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from brimful import ConfigError, InputError
from brimful.integrations.tiktoken import from_tiktoken

tiktoken = pytest.importorskip("tiktoken", reason="the dependency group `references` is not installed")

LETTERS = {bytes([byte]): byte for byte in range(256)}
BYTES = tiktoken.Encoding("bytes", pat_str=".", mergeable_ranks=LETTERS, special_tokens={"<|end|>": 256})


def test_special_tokens_are_ordinary_text() -> None:
    counter = from_tiktoken(BYTES)

    assert counter.count(["abc", "", "<|end|>", "é"]) == [3, 0, 7, 2]
    assert not counter.approximate
    assert repr(counter) == "TiktokenCounter(encoding=<Encoding 'bytes'>)"


def test_lone_surrogates_are_repaired_and_texts_checked() -> None:
    assert from_tiktoken(BYTES).count(["\ud800", "\ud83d\ude00"]) == [3, 4]
    with pytest.raises(InputError, match=r"texts\[0\] must be a str, got None"):
        from_tiktoken(BYTES).count([None])  # type: ignore[list-item]


def test_a_pickled_counter_counts_the_same() -> None:
    assert pickle.loads(pickle.dumps(from_tiktoken(BYTES))).count(["abc"]) == [3]  # noqa: S301 - our own bytes


@pytest.mark.parametrize("given", [None, "o200k_base", 3])
def test_what_is_no_encoding_is_refused(given: Any) -> None:
    with pytest.raises(ConfigError, match=r"encoding must be a tiktoken.Encoding, got"):
        from_tiktoken(given)
