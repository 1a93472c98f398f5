"""Items under a budget: held against dropping one by one and counting the text each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assembly_parts import CONTENTS, COUNTERS, LONG, build, measure
from brimful import count_tokens
from brimful.builders.priority.assembly import Assembled, AssemblyOptions
from brimful.builders.priority.types import ContextItem, DroppedItem
from brimful.errors import BudgetError, ConfigError, InputError
from brimful.stages.counters import count_with, from_callable
from brimful.stages.counting import EstimateCounter
from references import naive_priority

if TYPE_CHECKING:
    from brimful.protocols import TokenCounter

ITEMS = st.lists(st.builds(ContextItem, CONTENTS, required=st.booleans(), priority=st.integers(-1, 4)), max_size=8)
BUDGETS = st.integers(-1, 60)


def counts_of(found: Assembled) -> list[int]:
    return [decision.token_count for decision in found.decisions]


@given(items=ITEMS, budget=BUDGETS, counter=COUNTERS)
def test_the_text_is_that_of_dropping_one_by_one(items: list[ContextItem], budget: int, counter: TokenCounter) -> None:
    found = build(items, budget, counter)
    kept, dropped = naive_priority.keep(items, measure(counter), budget) if budget else (range(len(items)), [])
    content = naive_priority.join(items, kept)

    assert found.content == content
    assert found.token_usage == measure(counter)(content)
    assert found.budget_exceeded == bool(budget and found.token_usage > budget)
    assert [gone.source_id for gone in found.dropped] == [f"item_{index}" for index in dropped]
    assert [gone.token_count for gone in found.dropped] == [measure(counter)(items[index].content) for index in dropped]
    fates = ["dropped" if index in dropped else "included" for index in range(len(items))]
    assert [decision.fate for decision in found.decisions] == fates
    assert [decision.index for decision in found.decisions] == list(range(len(items)))
    assert counts_of(found) == count_with(counter, [item.content for item in items])


@given(items=ITEMS, budget=BUDGETS, counter=COUNTERS)
def test_what_fits_comes_back_in_order_of_priority(
    items: list[ContextItem], budget: int, counter: TokenCounter
) -> None:
    found = build(items, budget, counter, backfill=True)
    kept, dropped = naive_priority.keep(items, measure(counter), budget) if budget else (range(len(items)), [])
    whole = naive_priority.bring_back(items, kept, dropped, measure(counter), budget)

    assert found.content == naive_priority.join(items, whole)
    assert found.token_usage == measure(counter)(found.content)
    assert [gone.source_id for gone in found.dropped] == [f"item_{index}" for index in dropped if index not in whole]
    back = [decision.index for decision in found.decisions if decision.reason == "backfilled"]
    assert back == sorted(set(whole) - set(kept))


@pytest.mark.parametrize(
    ("budget", "content"),
    [(6, "aaa\ncc"), (8, "aaa\ncc\nd"), (9, "aaa\ncc\nd"), (11, "aaa\ncc\nd\nee"), (5, "aaa\nd"), (3, "aaa")],
)
def test_of_two_that_would_fit_the_lower_number_comes_back(budget: int, content: str) -> None:
    items = [
        ContextItem("aaa"),
        ContextItem("b" * 100, priority=1),
        ContextItem("cc", priority=2),
        ContextItem("d", priority=3),
        ContextItem("ee", priority=3),
    ]
    found = build(items, budget, from_callable(len), backfill=True)

    assert (found.content, build(items, budget, from_callable(len)).content) == (content, "aaa")
    assert found.decisions[1].fate == "dropped"


@given(items=ITEMS, budget=BUDGETS, counter=COUNTERS)
def test_the_order_of_priority_sorts_the_text_only(
    items: list[ContextItem], budget: int, counter: TokenCounter
) -> None:
    found = build(items, budget, counter, order="priority")
    line = sorted(range(len(items)), key=lambda index: items[index].priority)
    sorted_items = [items[index] for index in line]
    count = measure(counter)
    kept, dropped = naive_priority.keep(sorted_items, count, budget) if budget else (range(len(items)), [])

    assert found.content == naive_priority.join(sorted_items, kept)
    assert found.token_usage == count(found.content)
    assert [gone.source_id for gone in found.dropped] == [f"item_{line[place]}" for place in dropped]
    assert [decision.priority for decision in found.decisions] == [item.priority for item in items]
    assert counts_of(found) == count_with(counter, [item.content for item in items])


def test_a_required_item_outlives_an_optional_one_of_a_lower_number() -> None:
    found = build([ContextItem("optional"), ContextItem("required", required=True, priority=9)], 1)

    assert (found.content, found.dropped) == ("required", (DroppedItem("item_0", 0, 1),))
    assert [decision.reason for decision in found.decisions] == ["budget_exceeded", "required"]


def test_one_item_and_a_text() -> None:
    dropped = build(ContextItem("hello world", priority=2), 1, from_callable(len))
    kept = build(ContextItem("hello world", required=True), 1, from_callable(len))
    text = build("hello world", 1, from_callable(len))

    # D11: what is counted is the text, which is empty.
    assert (dropped.content, dropped.token_usage, dropped.budget_exceeded) == ("", 0, False)
    assert dropped.dropped == (DroppedItem("result", 2, 11),)
    for found in (kept, text):
        assert (found.content, found.token_usage, found.budget_exceeded) == ("hello world", 11, True)


@pytest.mark.parametrize("budget", [None, 0])
def test_without_a_budget_all_is_kept_and_counted(budget: int | None) -> None:
    found = build([ContextItem("one"), ContextItem("two", priority=9)], budget)

    assert (found.content, found.token_usage, found.budget_exceeded) == ("one\ntwo", 3, False)
    assert [decision.token_count for decision in found.decisions] == [1, 1]


def test_without_a_counter_nothing_is_counted() -> None:
    found = build([ContextItem("one"), ContextItem("two")], None, None)

    assert (found.content, found.token_usage, found.approximate) == ("one\ntwo", 0, False)
    assert [decision.token_count for decision in found.decisions] == [0, 0]
    with pytest.raises(ConfigError, match="max_tokens needs a token_counter, got max_tokens 5 without one"):
        build([ContextItem("one")], 5, None)


def test_below_a_negative_budget_nothing_optional_stays() -> None:
    found = build([ContextItem("a"), ContextItem("b", required=True), ContextItem("", priority=3)], -3)

    assert (found.content, found.token_usage, found.budget_exceeded) == ("b", 1, True)


def test_an_overflow_is_raised_where_that_is_asked_for() -> None:
    items = [ContextItem("one two three", required=True), ContextItem("four")]
    with pytest.raises(BudgetError, match="the required items need 3 tokens, and max_tokens is 2") as caught:
        build(items, 2, on_overflow="raise")
    assert (caught.value.needed, caught.value.available) == (3, 2)
    assert not build(items, 3, on_overflow="raise").budget_exceeded
    with pytest.raises(BudgetError):
        build("one two three", 2, on_overflow="raise")


def test_who_estimates_is_told() -> None:
    assert build("text", 5, EstimateCounter("script_safe")).approximate
    assert not build("text", 5, from_callable(len)).approximate
    assert build("text", 5, from_callable(len, approximate=True)).approximate


def test_a_counter_that_fails_is_named() -> None:
    with pytest.raises(InputError, match=r"token counter .* failed"):
        build([ContextItem("a")], 5, from_callable(lambda text: text.missing))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"on_overflow": "ignore"}, "on_overflow must be one of `flag`, `raise`, got 'ignore'"),
        ({"backfill": 1}, "backfill must be True or False, got 1"),
        ({"order": "edges"}, "order must be one of `input`, `priority`, got 'edges'"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        AssemblyOptions(**options)


def test_the_seeds_example() -> None:
    items = [
        ContextItem(" ".join(["short"] * 100), priority=0),
        ContextItem(" ".join(["medium"] * 400), priority=1),
        ContextItem(" ".join(["long"] * 800), priority=2),
    ]
    found = build(items, 1_000)

    assert found.token_usage == count_tokens(found.content) == 501  # the newline counts (D11)
    assert [decision.fate for decision in found.decisions] == ["included", "included", "dropped"]


def test_many_items_are_dropped_at_once() -> None:
    items = [ContextItem(f"Item {number}. {LONG}", priority=number % 7) for number in range(2_000)]
    found = build(items, 500)

    assert found.token_usage <= 500
    assert len(found.dropped) + found.content.count("\n") + 1 == 2_000
