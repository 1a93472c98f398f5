"""Filling: never over, and nothing left out that would still fit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.errors import BudgetError
from brimful.stages.budgeting import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Sizes in quarters of a token: what a rendering counts is rounded up once, what an item counts alone as well.
sizes = st.lists(st.integers(0, 40), max_size=12)


def measuring(quarters: Sequence[int], calls: list[int] | None = None) -> Callable[[Sequence[int]], int]:
    def measure(items: Sequence[int]) -> int:
        if calls is not None:
            calls.append(len(items))
        frame = 10 if items else 5
        return math.ceil((frame + sum(quarters[item] for item in items)) / 4)

    return measure


def plain_fill(quarters: Sequence[int], budget: int) -> list[int]:
    taken: list[int] = []
    for item in range(len(quarters)):
        if measuring(quarters)([*taken, item]) <= budget:
            taken.append(item)
    return taken


@given(quarters=sizes, budget=st.integers(2, 60))
def test_each_item_that_still_fits_when_its_turn_comes_is_taken(quarters: list[int], budget: int) -> None:
    costs = [math.ceil(size / 4) for size in quarters]

    assert plain_fill(quarters, budget) == fill(costs, budget, measuring(quarters), slack=2)


def test_costs_that_are_too_low_never_lead_over_the_budget() -> None:
    quarters = [40] * 10

    taken = fill([1] * 10, 33, measuring(quarters), slack=0)

    assert measuring(quarters)(taken) <= 33


def test_what_must_be_there_and_does_not_fit_is_an_error_with_both_numbers() -> None:
    with pytest.raises(BudgetError, match="need 2 tokens, max_tokens is 1") as refusal:
        fill([], 1, measuring([]), slack=0)

    assert (refusal.value.needed, refusal.value.available) == (2, 1)


def test_clear_cases_are_not_measured() -> None:
    calls: list[int] = []
    quarters = [400] * 1_000

    fill([100] * 1_000, 50_000, measuring(quarters, calls), slack=2)

    assert len(calls) < 20
