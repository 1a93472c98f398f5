"""What counts for the flagship, and what it does with counters of which nothing is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from brimful import (
    ConfigError,
    ContextBuilder,
    ExactCounter,
    InputError,
    count_tokens,
    estimate_tokens,
    for_model,
    from_callable,
)
from brimful.builders.flagship.filling import top_up
from brimful.stages.dedup import Repeat

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from brimful import Context


def test_tokens_are_exact_unless_the_counter_says_otherwise() -> None:
    texts = ["Water is wet.", "价格"]

    def build(**counting: Any) -> Context:
        return ContextBuilder(100, **counting).build(documents=texts, query="What?")

    default, older = build(), build(model="gpt-4")
    assert default.tokens == count_tokens(default.text) == build(model="gpt-4o").tokens
    assert older.tokens == count_tokens(older.text, encoding="cl100k_base")
    assert default.tokens_exact
    assert build(token_counter=from_callable(len)).tokens_exact
    assert not build(token_counter=from_callable(len, approximate=True)).tokens_exact
    assert not build(model="claude-sonnet-4-5").tokens_exact
    assert build(model="claude-sonnet-4-5").tokens == estimate_tokens(default.text, rule="script_safe")


def test_the_counter_is_that_of_the_options() -> None:
    mine = from_callable(len)

    assert ContextBuilder(1).counter == ExactCounter("o200k_base")
    assert ContextBuilder(1, model="gpt-4").counter == for_model("gpt-4")
    assert ContextBuilder(1, token_counter=mine).counter is mine


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"model": ""}, "model must be the name of a model, got ''"),
        ({"token_counter": "cl100k_base"}, "token_counter must have a method `count(texts)`, got 'cl100k_base'"),
        ({"token_counter": [1]}, "token_counter must have a method `count(texts)`, got [1]"),
        (
            {"token_counter": len},
            "token_counter must have a method `count(texts)`, got <built-in function len>\nhint: p",
        ),
        (
            {"token_counter": ExactCounter},
            "token_counter must have a method `count(texts)`, got <class 'brimful.stages.",
        ),
        (
            {"model": "gpt-4", "token_counter": ExactCounter()},
            "model and token_counter both say how to count: give one",
        ),
    ],
)
def test_what_cannot_count_is_refused_at_once(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        ContextBuilder(1, **given)

    assert str(refusal.value).startswith(message)


@pytest.mark.parametrize("count", [lambda _: -1, lambda _: 1.5, lambda _: None, lambda text: 1 // (len(text) - 15)])
def test_a_counter_that_counts_nonsense_is_named(count: Any) -> None:
    with pytest.raises(InputError, match=r"^token counter <function .*"):
        ContextBuilder(100, token_counter=from_callable(count)).build(documents=["fifteen letters"])


class Fits:
    """A window in which these places fit, whatever was taken."""

    def __init__(self, *fitting: int) -> None:
        self.line = range(6)
        self.fitting = fitting

    def open_beside(self, _taken: Sequence[int]) -> Callable[[int], bool]:
        return lambda place: place in self.fitting


def test_what_fits_after_all_is_taken_unless_it_repeats_or_is_repeated() -> None:
    # 4 repeats 0 and 2 repeats 1; 3 is known to repeat 0; 5 repeats nothing and does not fit.
    taken, repeats = [0, 2], {3: Repeat(0, 0.9)}

    def find(places: Sequence[int]) -> dict[int, Repeat]:
        known = {4: Repeat(0, 0.8), 2: Repeat(1, 0.7)}
        return {place: repeat for place, repeat in known.items() if {place, repeat.of} <= set(places)}

    top_up(taken, repeats, Fits(1, 3, 4), find)  # type: ignore[arg-type]

    assert taken == [0, 2]
    assert repeats == {3: Repeat(0, 0.9), 1: Repeat(2, 0.7), 4: Repeat(0, 0.8)}
    top_up(taken, repeats, Fits(5), find)  # type: ignore[arg-type]
    assert taken == [0, 2, 5]
