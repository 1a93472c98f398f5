"""Estimates: each back end against naive references."""

from __future__ import annotations

import math
import string
from importlib.resources import files
from typing import TYPE_CHECKING, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.config import EstimateRule

if TYPE_CHECKING:
    from brimful.kernels import CheckedKernels

RULES: tuple[EstimateRule, ...] = get_args(EstimateRule)
SCRIPT_RULES: tuple[EstimateRule, ...] = ("script", "script_safe")
WEIGHTS = (files("brimful") / "data" / "byte_weights.bin").read_bytes()
# White_Space and U+001C to U+001F, written out: what parts words, whatever Unicode this Python has.
WORD_SPACES = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000"
)
EDGES = (
    *("w " * words for words in range(6)),
    *(" w" * words for words in range(6)),
    "a\x1cb\x1db\x1eb\x1fb",
    "a\x85b\xa0b",
    "a\u200bb\u180eb\ufeffb",
    "Привет, мир! Γειά. שלום مرحبا नमस्ते สวัสดี გამარჯობა",
    "命令解释器的初始化脚本也可能执行。\u3000日本語のテキスト。한국어 문장입니다.",
    "👍 👨‍👩‍👧‍👦 ❤️ 🇩🇪 👍🏽",
    "\0",
    "a\0b \0 c",
    "x" * 1023 + " é " + "y" * 1023,
)
EDGE_TEXTS = st.text(
    st.one_of(st.sampled_from(WORD_SPACES + "\0\u200b\u180e\ufeffé漢한👍"), st.characters(codec="utf-8"))
)


def estimate(kernels: CheckedKernels, text: str, rule: EstimateRule) -> int:
    """The estimate of one text."""
    found = kernels.estimate_tokens([text], rule=rule)
    assert np.dtype(np.int64) == found.dtype
    assert found.shape == (1,)
    return int(found[0])


def count_words(text: str) -> int:
    """Words of `text.split()`, counted without it."""
    for space in WORD_SPACES[1:]:
        text = text.replace(space, "\t")
    return len([word for word in text.split("\t") if word])


def naive_script(text: str, start: int) -> int:
    """The sum of the weights, byte by byte."""
    total = 0
    for byte in text.encode():
        at = start + 2 * byte
        total += int.from_bytes(WEIGHTS[at : at + 2], "little")
    return math.ceil(total / 1024)


def naive(text: str, rule: EstimateRule) -> int:
    """The rule, from its words."""
    if rule == "words_div_4":
        return max(1, count_words(text) // 4)
    if rule == "words_times_1_3":
        return int(count_words(text) * 1.3)
    if rule == "utf16_div_4":
        return math.ceil(sum(2 if ord(character) > 0xFFFF else 1 for character in text) / 4)
    if rule == "chars_div_4":
        return len(text) // 4
    return naive_script(text, 0 if rule == "script" else 512)


@pytest.mark.parametrize("rule", RULES)
def test_every_edge_equals_its_naive_reference(kernels: CheckedKernels, rule: EstimateRule) -> None:
    expected = [naive(text, rule) for text in EDGES]
    assert expected == kernels.estimate_tokens(EDGES, rule=rule).tolist()


@given(texts=st.lists(EDGE_TEXTS, max_size=20))
def test_every_rule_equals_its_naive_reference(kernels: CheckedKernels, texts: list[str]) -> None:
    for rule in RULES:
        expected = [naive(text, rule) for text in texts]
        assert expected == kernels.estimate_tokens(texts, rule=rule).tolist()


@pytest.mark.parametrize("rule", RULES)
def test_no_texts_give_no_estimates(kernels: CheckedKernels, rule: EstimateRule) -> None:
    found = kernels.estimate_tokens([], rule=rule)
    assert (np.dtype(np.int64), (0,)) == (found.dtype, found.shape)


@pytest.mark.parametrize("rule", RULES)
def test_a_text_of_10_mb_is_ten_thousand_times_its_kilobyte(kernels: CheckedKernels, rule: EstimateRule) -> None:
    kilobyte = "1234567 " * 512  # 512 words and a whole number of fours
    words, units = 512 * 2500, len(kilobyte) * 2500
    weights = np.frombuffer(WEIGHTS, "<u2").reshape(2, 256).astype(int)
    script = weights[:, list(kilobyte.encode())].sum(axis=1) * 2500
    expected = {
        "words_div_4": words // 4,
        "words_times_1_3": 13 * words // 10,
        "utf16_div_4": units // 4,
        "chars_div_4": units // 4,
        "script": -(-int(script[0]) // 1024),
        "script_safe": -(-int(script[1]) // 1024),
    }
    assert expected[rule] == estimate(kernels, kilobyte * 2500, rule)


@given(first=EDGE_TEXTS, second=EDGE_TEXTS)
def test_script_sums_add_up_within_one_token_and_never_shrink(kernels: CheckedKernels, first: str, second: str) -> None:
    for rule in SCRIPT_RULES:
        one, other, both = (estimate(kernels, text, rule) for text in (first, second, first + second))
        assert max(one, other) <= both <= one + other <= both + 1


@given(text=EDGE_TEXTS)
def test_script_safe_is_never_below_script(kernels: CheckedKernels, text: str) -> None:
    assert estimate(kernels, text, "script") <= estimate(kernels, text, "script_safe")


@pytest.mark.parametrize("rule", SCRIPT_RULES)
def test_script_gives_0_for_nothing_and_at_least_1_for_anything(kernels: CheckedKernels, rule: EstimateRule) -> None:
    anything = [*string.printable, "\0", "\x7f", "\xa0", "é", "漢", "👍", "\u200b", "\ufeff", "\U0010ffff"]
    assert estimate(kernels, "", rule) == 0
    assert kernels.estimate_tokens(anything, rule=rule).min() >= 1


def test_seed_000_words_over_4_at_least_1(kernels: CheckedKernels) -> None:
    texts = ["w " * words for words in (0, 1, 3, 4, 7, 8, 400)]
    expected = [1, 1, 1, 1, 1, 2, 100]
    assert expected == kernels.estimate_tokens(texts, rule="words_div_4").tolist()


def test_seed_001_int_of_words_times_1_3(kernels: CheckedKernels) -> None:
    texts = ["w " * words for words in range(12)]
    expected = [0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14]
    assert expected == kernels.estimate_tokens(texts, rule="words_times_1_3").tolist()


def test_seed_004_utf16_length_over_4_rounded_up(kernels: CheckedKernels) -> None:
    texts = ["", "a", "abcd", "abcde", "👍👍", "👍👍a"]
    expected = [0, 1, 1, 2, 1, 2]
    assert expected == kernels.estimate_tokens(texts, rule="utf16_div_4").tolist()


def test_int_of_words_times_1_3_is_13_words_over_10_below_5000(kernels: CheckedKernels) -> None:
    texts = ["w " * words for words in range(5000)]
    expected = [13 * words // 10 for words in range(5000)]
    assert expected == kernels.estimate_tokens(texts, rule="words_times_1_3").tolist()
