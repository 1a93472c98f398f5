"""Items that are cut before they are dropped: the longest piece that fits, and never one of what may not be cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assembly_parts import CONTENTS, COUNTERS, EXACT, LONG, MEASURED, build, measure
from brimful import count_tokens
from brimful.builders.priority.cutting import MARKER
from brimful.builders.priority.types import ContextItem

if TYPE_CHECKING:
    from brimful.protocols import TokenCounter

CUT_ITEMS = st.lists(
    st.builds(
        ContextItem,
        st.one_of(CONTENTS, st.integers(1, 60).map(lambda size: LONG[:size])),
        required=st.booleans(),
        priority=st.integers(0, 2),
        truncate_strategy=st.sampled_from([None, "end", "start", "middle"]),
    ),
    min_size=1,
    max_size=5,
)


@given(items=CUT_ITEMS, budget=st.integers(1, 40), counter=COUNTERS, backfill=st.booleans())
def test_what_is_cut_never_exceeds_the_budget(
    items: list[ContextItem], budget: int, counter: TokenCounter, *, backfill: bool
) -> None:
    found = build(items, budget, counter, backfill=backfill)
    bare = [ContextItem(item.content, item.required, item.priority) for item in items]
    whole = build(bare, budget, counter, backfill=backfill)
    cut = [items[decision.index] for decision in found.decisions if decision.fate == "truncated"]

    assert found.token_usage == measure(counter)(found.content)
    assert found.budget_exceeded == (found.token_usage > budget)
    assert all(item.priority > 0 and item.truncate_strategy for item in cut)
    assert all(decision.fate != "dropped" for decision in found.decisions if decision.required)
    if cut:
        assert not found.budget_exceeded
    else:
        assert (found.content, found.dropped) == (whole.content, whole.dropped)


@pytest.mark.parametrize("counter", [*EXACT, *MEASURED])
@pytest.mark.parametrize("required", [False, True])
def test_each_strategy_removes_its_part(counter: TokenCounter, *, required: bool) -> None:
    count = measure(counter)
    head = ContextItem("You are brief.", required=True)
    budget = count(f"{head.content}\n{LONG}") // 2 + 2
    words = LONG.split()
    pieces = {}
    for strategy in ("end", "start", "middle"):
        item = ContextItem(LONG, required=required, priority=1, source_id="s", truncate_strategy=strategy)
        found = build([head, item], budget, counter)
        beginning, piece = found.content.split("\n", 1)
        assert beginning == head.content
        assert count(found.content) == found.token_usage <= budget
        assert [decision.fate for decision in found.decisions] == ["included", "truncated"]
        assert (found.decisions[1].token_count, found.decisions[1].reason) == (count(piece), "budget_exceeded")
        assert (found.dropped, found.budget_exceeded) == ((), False)
        pieces[strategy] = piece
    kept = len(pieces["end"].split())
    assert 0 < kept < len(words)
    assert pieces["end"].split() == words[:kept]
    assert pieces["start"].split() == words[-len(pieces["start"].split()) :]
    start, end = pieces["middle"].split(MARKER)
    assert start.split() == words[: len(start.split())]
    assert end.split() == words[len(words) - len(end.split()) :]


@pytest.mark.parametrize("counter", EXACT)
def test_a_piece_takes_all_the_room_there_is(counter: TokenCounter) -> None:
    count, words = measure(counter), LONG.split()
    for budget in range(4, count(LONG)):
        found = build(
            [ContextItem("Be brief."), ContextItem(LONG, priority=1, truncate_strategy="end")], budget, counter
        )
        longest = max(
            (kept for kept in range(len(words)) if count(f"Be brief.\n{' '.join(words[:kept])}") <= budget), default=0
        )
        assert found.content.split() == ["Be", "brief.", *words[:longest]]


def test_an_item_of_priority_0_is_never_cut() -> None:
    for priority, fate in ((0, "dropped"), (-1, "dropped"), (1, "truncated")):
        found = build([ContextItem(LONG, priority=priority, truncate_strategy="end")], 5)
        assert [decision.fate for decision in found.decisions] == [fate]
    required = build([ContextItem(LONG, required=True, truncate_strategy="end")], 5)
    assert (required.content, required.budget_exceeded) == (LONG, True)


@pytest.mark.parametrize("strategy", ["end", "start", "middle"])
@pytest.mark.parametrize("counter", [*EXACT, *MEASURED])
def test_no_grapheme_is_cut_in_two(counter: TokenCounter, strategy: Any) -> None:
    family = "👨\u200d👩\u200d👧\u200d👦"
    for budget in range(1, measure(counter)(family * 9)):
        found = build([ContextItem(family * 9, priority=1, truncate_strategy=strategy)], budget, counter)
        assert found.token_usage <= budget
        assert not found.content.replace(MARKER, "").replace(family, "")


def test_only_the_item_that_would_go_last_is_cut() -> None:
    items = [
        ContextItem("Be brief.", required=True),
        ContextItem(LONG, priority=1, truncate_strategy="end"),
        ContextItem(LONG, priority=2, truncate_strategy="end"),
        ContextItem(LONG, priority=3, truncate_strategy="end"),
    ]
    found = build(items, count_tokens(f"Be brief.\n{LONG}\n") + 6)

    assert [decision.fate for decision in found.decisions] == ["included", "included", "truncated", "dropped"]


def test_required_items_are_cut_from_the_highest_number_on_when_all_others_are_gone() -> None:
    items = [
        ContextItem("Be brief.", required=True),
        ContextItem(LONG, required=True, priority=1, truncate_strategy="end"),
        ContextItem(LONG, required=True, priority=2, truncate_strategy="start"),
        ContextItem("optional", priority=1),
    ]
    one, two, three = (build(items, budget) for budget in (26, 12, 6))

    assert [decision.fate for decision in one.decisions] == ["included", "included", "truncated", "dropped"]
    assert [decision.fate for decision in two.decisions] == ["included", "truncated", "truncated", "dropped"]
    assert not one.budget_exceeded
    assert not two.budget_exceeded
    # Two pieces of a token each do not fit either: nothing is gained by cutting.
    assert (three.content, three.budget_exceeded) == (f"Be brief.\n{LONG}\n{LONG}", True)
    assert [decision.fate for decision in three.decisions] == ["included", "included", "included", "dropped"]
