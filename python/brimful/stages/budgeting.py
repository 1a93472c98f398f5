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
