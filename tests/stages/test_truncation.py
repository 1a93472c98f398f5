"""Texts cut to size, seen from the public function."""

from __future__ import annotations

from typing import Any

import pytest

import brimful
from brimful import ConfigError, InputError
from brimful.config import TruncationOptions
from brimful.stages.truncation import cut_texts


def test_a_text_that_fits_is_given_back_as_it_is() -> None:
    assert brimful.truncate("a b c", 100, marker="...") == "a b c"


def test_a_grapheme_is_never_cut() -> None:
    family = "👨\u200d👩\u200d👧\u200d👦"

    for budget in range(60):
        piece = brimful.truncate(family * 3, budget, boundary="grapheme")
        assert piece == family * (len(piece) // len(family))


def test_many_texts_have_a_budget_each() -> None:
    texts = ["one two three four"] * 3

    assert cut_texts(texts, [0, 2, 100], TruncationOptions(rule="chars_div_4")) == ["one", "one two", texts[0]]


def test_lone_surrogates_are_repaired_in_text_and_marker() -> None:
    assert brimful.truncate("\ud800 b c d e f", 1, rule="chars_div_4", marker="\udfff") == "\ufffd b c\ufffd"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_tokens": -1}, "max_tokens must be a whole number from 0"),
        ({"cut": "left"}, "cut must be one of `end`, `start`, `middle`, got 'left'"),
        ({"boundary": "line"}, "boundary must be one of `grapheme`, `word`, `sentence`, got 'line'"),
        ({"rule": "exact"}, "rule must be one of"),
        ({"encoding": "gpt2"}, "encoding must be one of `cl100k_base`, `o200k_base`, got 'gpt2'"),
        (
            {"encoding": "o200k_base", "rule": "script"},
            "one of rule and encoding must be given, got rule 'script', encoding 'o200k_base'",
        ),
        ({"marker": None}, "marker must be a str, got None"),
    ],
)
def test_options_out_of_range_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        brimful.truncate("text", **{"max_tokens": 3, **arguments})


def test_options_have_a_rule_or_an_encoding() -> None:
    with pytest.raises(ConfigError, match="one of rule and encoding must be given, got rule None, encoding None"):
        TruncationOptions()


def test_exact_tokens_of_o200k_base_are_the_default() -> None:
    text = "会议定于二〇二四年三月五日在北京举行"

    piece = brimful.truncate(text, 8, marker="…")

    assert piece == brimful.truncate(text, 8, marker="…", encoding="o200k_base")
    assert brimful.count_tokens(piece) <= 8 < brimful.count_tokens(piece, encoding="cl100k_base")


def test_what_is_no_text_is_named() -> None:
    with pytest.raises(InputError, match="text must be a str, got None"):
        brimful.truncate(None, 3)  # type: ignore[arg-type]
