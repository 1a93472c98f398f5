"""Filling a budget to the brim and never over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from brimful.errors import BudgetError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def fill(costs: Sequence[int], budget: int, measure: Callable[[Sequence[int]], int], *, slack: int) -> list[int]:
    """Return the items taken, in order: each one that still fits whole when its turn comes, skipping the others.

    `measure(items)` counts the tokens of the whole rendering with these items, and alone decides. It is dear, so
    `costs[i]`, the tokens of item i rendered by itself, settle the clear cases: for a set that is not empty,
    adding i must add at most `costs[i]` and at least `costs[i] - slack`. It is measured for items
    within `slack` of the brim, and a few times more.

    Raises BudgetError when the rendering without any item is over the budget.

    >>> fill([5, 9, 4], 10, lambda items: sum([5, 9, 4][item] for item in items), slack=0)
    [0, 2]
    """
    needed = measure(())
    if needed > budget:
        message = f"the query and its frame need {needed:,} tokens, max_tokens is {budget:,}"
        raise BudgetError(message, needed=needed, available=budget)
    glass = _Glass(budget=budget, measure=measure, slack=slack, low=needed, high=needed)
    for item, cost in enumerate(costs):
        glass.offer(item, cost)
    glass.settle()
    return glass.taken


@dataclass(slots=True, kw_only=True)
class _Glass:
    """What was taken, and between which two counts its rendering must lie."""

    budget: int
    measure: Callable[[Sequence[int]], int]
    slack: int
    low: int
    high: int
    taken: list[int] = field(default_factory=list)

    def offer(self, item: int, cost: int) -> None:
        """Take the item if it fits."""
        if self.low < self.high and not self._is_clear(cost):
            self._weigh()
        if self.low + cost - self.slack > self.budget:
            return
        if self.taken and self.high + cost <= self.budget:
            self.taken.append(item)
            self.low += cost - self.slack
            self.high += cost
            return
        count = self.measure([*self.taken, item])
        if count <= self.budget:
            self.taken.append(item)
            self.low = self.high = count

    def settle(self) -> None:
        """Give the last items back while the rendering as a whole is over: sums of parts are never trusted."""
        self._weigh()
        while self.high > self.budget:
            self.taken.pop()
            self._weigh()

    def _is_clear(self, cost: int) -> bool:
        """Whether the bounds settle an item of this cost."""
        return self.high + cost <= self.budget or self.low + cost - self.slack > self.budget

    def _weigh(self) -> None:
        self.low = self.high = self.measure(self.taken)
