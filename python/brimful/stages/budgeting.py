"""Filling a budget to the brim and never over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


class Account(Protocol):
    """What there is room for, in any unit that adds up."""

    def cost_of(self, item: int, /) -> int:
        """Return what an item takes up itself."""
        ...

    def room_for(self, item: int, /) -> int:
        """Return how much an item may take up beside what was taken."""
        ...

    def take(self, item: int, /) -> None:
        """Take an item, whether there is room or not."""
        ...


@dataclass(slots=True)
class PlainAccount:
    """An account of costs and a room; `price(n)` is what the n-th item taken, from 1, takes up beside its cost."""

    costs: Sequence[int]
    room: int
    price: Callable[[int], int] = lambda _: 0
    taken: int = field(default=0, init=False)

    def cost_of(self, item: int, /) -> int:
        """Return what an item takes up itself."""
        return self.costs[item]

    def room_for(self, _item: int, /) -> int:
        """Return how much an item may take up: as much as any other."""
        return self.room - self.price(self.taken + 1)

    def take(self, item: int, /) -> None:
        """Take an item."""
        self.room = self.room_for(item) - self.costs[item]
        self.taken += 1


@dataclass(slots=True)
class MeasuredAccount:
    """An account of what is never a sum: `measure` counts all that was taken, with what is about to be.

    Each look at the room measures once.
    """

    costs: Sequence[int]
    budget: int
    measure: Callable[[Sequence[int]], int]
    taken: list[int] = field(default_factory=list)

    def cost_of(self, item: int, /) -> int:
        """Return what an item takes up itself."""
        return self.costs[item]

    def room_for(self, item: int, /) -> int:
        """Return how much an item may take up: its cost, and what the whole with it leaves of the budget."""
        return self.costs[item] + self.budget - self.measure([*self.taken, item])

    def take(self, item: int, /) -> None:
        """Take an item."""
        self.taken.append(item)


@dataclass(frozen=True, slots=True)
class Filling:
    """What was taken, in order, and for each item how much room there was when its turn came."""

    taken: tuple[int, ...]
    rooms: dict[int, int]


def fill(items: Iterable[int], account: Account) -> Filling:
    """Take each item that still fits when its turn comes, and pass over the others. Linear.

    >>> fill([0, 1, 2], PlainAccount([5, 9, 4], 10))
    Filling(taken=(0, 2), rooms={0: 10, 1: 5, 2: 5})
    """
    taken: list[int] = []
    rooms: dict[int, int] = {}
    for item in items:
        rooms[item] = account.room_for(item)
        if account.cost_of(item) <= rooms[item]:
            account.take(item)
            taken.append(item)
    return Filling(tuple(taken), rooms)


def fill_newest(costs: Sequence[int], room: int) -> int:
    """Return the index of the oldest item that is kept, going back from the newest to the first that does not fit.

    Items are in order of time; as many as there are where none is kept. Older ones than the first misfit are not
    tried: what is kept has no gap. Linear.

    >>> fill_newest([1, 9, 2, 3], 8)
    2
    """
    oldest = len(costs)
    while oldest and costs[oldest - 1] <= room:
        oldest -= 1
        room -= costs[oldest]
    return oldest


def settle(taken: Sequence[int], budget: int, measure: Callable[[Sequence[int]], int]) -> tuple[int, ...]:
    """Give the last items back while the whole, measured, is over the budget: sums of parts are never trusted.

    >>> settle([0, 1, 2], 9, lambda items: 4 * len(items))
    (0, 1)
    """
    kept = list(taken)
    while kept and measure(kept) > budget:
        kept.pop()
    return tuple(kept)


def rebalance(budgets: Sequence[int], needs: Sequence[int]) -> list[int]:
    """Return the budgets after those with something to spare gave it to those in need, the first in need first.

    The sum stays what it was. A budget below 0 has nothing to spare.

    >>> rebalance([5, 30, 45, 20], [0, 33, 60, 20])
    [0, 33, 47, 20]
    """
    moved = [min(budget, max(need, 0)) for budget, need in zip(budgets, needs, strict=True)]
    spare = sum(budgets) - sum(moved)
    for index, need in enumerate(needs):
        given = min(spare, max(need - moved[index], 0))
        moved[index] += given
        spare -= given
    return moved
