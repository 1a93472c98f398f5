"""Filling: never over, and nothing passed over that would still fit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from brimful.stages.budgeting import PlainAccount, fill, fill_newest, settle

costs = st.lists(st.integers(0, 40), max_size=12)
first_prices = st.lists(st.integers(0, 5), min_size=13, max_size=13)


@given(costs=costs, room=st.integers(-5, 200), prices=first_prices)
def test_each_item_that_fits_when_its_turn_comes_is_taken(costs: list[int], room: int, prices: list[int]) -> None:
    filling = fill(range(len(costs)), PlainAccount(costs, room, lambda place: prices[place]))

    used = 0
    for item, cost in enumerate(costs):
        before = [taken for taken in filling.taken if taken < item]
        left = room - used - prices[len(before) + 1]
        assert left == filling.rooms[item]
        assert (cost <= left) == (item in filling.taken)
        if item in filling.taken:
            used += cost + prices[len(before) + 1]
    assert used <= max(room, 0)


@given(costs=costs, budget=st.integers(0, 200))
def test_settling_gives_back_the_last_and_no_more_than_it_must(costs: list[int], budget: int) -> None:
    def measure(items: object) -> int:
        return 3 + sum(costs[item] for item in items)  # type: ignore[attr-defined]

    kept = settle(range(len(costs)), budget, measure)

    assert kept == tuple(range(len(kept)))
    assert not kept or measure(kept) <= budget
    assert len(kept) == len(costs) or measure([*kept, len(kept)]) > budget


@given(costs=costs, room=st.integers(-5, 200))
def test_history_is_kept_back_to_the_first_misfit(costs: list[int], room: int) -> None:
    oldest = fill_newest(costs, room)

    assert 0 <= oldest <= len(costs)
    assert oldest == len(costs) or sum(costs[oldest:]) <= room
    assert oldest == 0 or sum(costs[oldest - 1 :]) > room
