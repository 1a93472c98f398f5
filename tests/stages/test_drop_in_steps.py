"""The small steps that the drop-in builders share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful import ConfigError, ExactCounter, InputError, count_tokens, estimate_tokens, from_callable
from brimful.stages.budgeting import MeasuredAccount, fill, rebalance
from brimful.stages.counting import RuleCounter
from brimful.stages.dedup import find_exact_repeats
from brimful.stages.inputs import read_items
from brimful.stages.scoring import halved, weighted_sums
from brimful.stages.similarity import cosines
from brimful.stages.synopses import split_sentences, summarize
from brimful.stages.truncation import longest, shorten, truncate
from strategies import sentences

if TYPE_CHECKING:
    from brimful.config import Boundary

budgets = st.lists(st.integers(-50, 200), min_size=4, max_size=4)


@given(given_budgets=budgets, needs=st.lists(st.integers(0, 300), min_size=4, max_size=4))
def test_rebalancing_moves_only_what_is_spare(given_budgets: list[int], needs: list[int]) -> None:
    moved = rebalance(given_budgets, needs)

    assert sum(moved) <= sum(given_budgets)
    for budget, need, after in zip(given_budgets, needs, moved, strict=True):
        assert after >= min(budget, need)
        assert after <= max(budget, need)
    if all(budget >= 0 for budget in given_budgets) and sum(needs) <= sum(given_budgets):
        assert moved == needs


def test_a_measured_account_looks_at_the_whole() -> None:
    def measure(items: list[int]) -> int:
        return 10 * len(items) ** 2

    account = MeasuredAccount([10, 10, 10], 40, measure)  # type: ignore[arg-type]

    assert fill([0, 1, 2], account).taken == (0, 1)
    assert account.taken == [0, 1]
    assert account.room_for(2) == 10 + 40 - 90


@given(limit=st.integers(0, 40), count=st.integers(0, 40))
def test_longest_finds_where_things_stop_fitting(limit: int, count: int) -> None:
    assert longest(count, lambda size: size <= limit) == min(limit, count)


@given(text=sentences(30), budget=st.integers(-3, 20), boundary=st.sampled_from(["grapheme", "word", "sentence"]))
def test_shorten_is_truncate_for_counters_of_ours(text: str, budget: int, boundary: Boundary) -> None:
    limit = max(0, budget)
    for counter, options in (
        (ExactCounter("cl100k_base"), {"encoding": "cl100k_base"}),
        (RuleCounter("words_times_1_3"), {"rule": "words_times_1_3"}),
    ):
        [piece] = shorten([text], [budget], counter, boundary=boundary, marker="…")
        assert piece.join("…") == truncate(text, limit, boundary=boundary, marker="…", **options)  # type: ignore[arg-type]


@given(text=sentences(30), budget=st.integers(0, 60), boundary=st.sampled_from(["grapheme", "word", "sentence"]))
def test_shorten_fits_by_any_counter(text: str, budget: int, boundary: Boundary) -> None:
    [piece] = shorten([text], [budget], from_callable(len), boundary=boundary, marker="…")
    short = piece.join("…")

    assert len(short) <= budget
    assert text.startswith(short.removesuffix("…"))
    assert (short == text) == (len(text) <= budget or not text)


def test_shorten_by_any_counter_is_the_longest_to_within_four_characters() -> None:
    text = "".join(chr(0x4E00 + at) for at in range(200))
    for budget in range(5, 150):
        [piece] = shorten([text], [budget], from_callable(len), boundary="grapheme", marker="…")
        assert budget - 4 <= len(piece.join("…")) <= budget


def test_a_rule_counter_counts_by_its_rule() -> None:
    texts = ["one two three four five", ""]

    assert RuleCounter("utf16_div_4").count(texts) == estimate_tokens(texts, rule="utf16_div_4").tolist()
    with pytest.raises(ConfigError, match="rule must be one of"):
        RuleCounter("exact")  # type: ignore[arg-type]


def test_exact_repeats_go_to_the_first_of_the_line() -> None:
    texts = ["A b", "a  B", "x", "a\tb", "X"]

    found = find_exact_repeats(texts, [3, 2, 0, 4, 1])
    assert {item: repeat.of for item, repeat in found.items()} == {0: 3, 4: 2, 1: 3}


def test_sentences_of_texts() -> None:
    texts = ["One.  Two!\nThree", "", "  ", "東京。大阪。", "e.g. this"]

    assert split_sentences(texts) == [["One.", "Two!", "Three"], [], [], ["東京。", "大阪。"], ["e.g.", "this"]]


@given(text=sentences(40))
def test_sentences_are_the_text_without_the_white_space_around_them(text: str) -> None:
    [parts] = split_sentences([text])

    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(part == part.strip() and part for part in parts)


def test_a_synopsis_is_weighed_against_the_sentences_of_all_texts() -> None:
    texts = ["The cat sat. The tide rose.", "The tide fell. The gate shut."]

    assert summarize("tide gate", texts) == ["The tide rose.", "The gate shut."]
    assert summarize("", texts) == ["The cat sat.", "The tide fell."]
    assert summarize("x", []) == []


def test_cosines_are_in_the_order_of_the_vectors() -> None:
    assert cosines([1.0, 0.0], [[0.0, 2.0], [-3.0, 0.0], [4.0, 0.0], [0.0, 0.0]]) == [0.0, -1.0, 1.0, 0.0]
    with pytest.raises(InputError, match="finite"):
        cosines([1.0, 0.0], [[0.0, float("nan")]])


def test_half_lives_go_on_below_zero_until_floats_end() -> None:
    assert halved([0.0, 1.0, -2.0], 1.0) == [1.0, 0.5, 4.0]
    with pytest.raises(InputError, match=r"ages\[1\] must not be that far below 0, got -10000.0"):
        halved([0.0, -10_000.0], 1.0)


def test_weighted_sums_are_added_from_left_to_right() -> None:
    assert weighted_sums([[0.1], [0.2], [0.3]], [1.0, 1.0, 1.0]) == [0.1 + 0.2 + 0.3]
    assert weighted_sums([[], []], [1.0, 1.0]) == []


def test_items_are_read_once() -> None:
    assert read_items("documents", iter("ab")) == ["a", "b"]
    assert read_items("documents", None) == []


def test_a_piece_by_exact_counts_is_within_its_budget() -> None:
    [piece] = shorten(["international treaty " * 20], [7], ExactCounter(), boundary="word", marker="\n[...]")

    assert count_tokens(piece.join("\n[...]")) <= 7
