"""Blocks: the weights of those that end in a line break add up, by every scale that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brimful import EstimateCounter, ExactCounter, count_tokens, from_callable
from brimful.stages.weighing import Scale
from hostile import ALPHABETS
from strategies import SPACES, WORDS

if TYPE_CHECKING:
    from brimful import TokenCounter

ADDITIVE = [ExactCounter(), ExactCounter("cl100k_base"), EstimateCounter("script"), EstimateCounter("script_safe")]
pieces = st.sampled_from((*WORDS, *SPACES, *"[]#/!_'\n\r 1"))
bodies = st.one_of(
    st.lists(pieces, max_size=10).map("".join),
    st.text(st.sampled_from("".join(ALPHABETS)), max_size=12),
    st.text(max_size=12),
)
blocks = st.tuples(st.sampled_from(["[1]\n", "[12] a.txt\n", "# Question", "a", "é", "中", "'s", "9"]), bodies)


@given(blocks=st.lists(blocks.map("".join), min_size=1, max_size=5), end=bodies)
@example(blocks=["[1]\n    ", "[2]\n/\n/", "[3]\n...\r"], end="#")
@pytest.mark.parametrize("counter", ADDITIVE)
def test_blocks_that_end_in_a_line_break_add_up(counter: TokenCounter, blocks: list[str], end: str) -> None:
    scale = Scale.of(counter)
    parts = [*(f"{block}\n\n" for block in blocks), f"# {end}"]

    assert scale.additive
    assert scale.weigh(["".join(parts)]) == [sum(scale.weigh(parts))]
    assert scale.weigh_behind("# Sources\n\n", parts) == scale.weigh(parts)


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_numbers_of_the_same_length_cost_the_same(encoding: str) -> None:
    counts = count_tokens([f"[{number}]\n" for number in range(1, 10_000)], encoding=encoding).tolist()  # type: ignore[call-overload]

    lengths = [len(str(number)) for number in range(1, 10_000)]
    assert len(set(zip(lengths, counts, strict=True))) == 4


def test_what_a_counter_adds_to_every_text_falls_out() -> None:
    scale = Scale.of(from_callable(lambda text: len(text.split()) + 2))

    assert not scale.additive
    assert scale.weigh_behind("# Sources\n\n", ["one", "one two", ""]) == [1, 2, 0]
    assert scale.count("one two") == 4


def test_nothing_weighs_less_than_nothing() -> None:
    assert Scale.of(from_callable(lambda text: 9 - min(9, len(text)))).weigh_behind("#\n", ["abc"]) == [0]
