"""Filling a budget to the brim and never over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Filling:
    """What was taken, in order, for each item how much room there was when its turn came, and how much is left."""

    taken: tuple[int, ...]
    rooms: tuple[int, ...]
    left: int


def fill(costs: Sequence[int], room: int, price: Callable[[int], int] = lambda _: 0) -> Filling:
    """Take each item that still fits when its turn comes, and pass over the others. Linear.

    `costs[i]` is what item i takes up, in any unit that adds up; `price(n)` what the n-th taken, from 1, takes up
    beside it: the frame of the first, a longer number.

    >>> fill([5, 9, 4], 10)
    Filling(taken=(0, 2), rooms=(10, 5, 5), left=1)
    """
    taken: list[int] = []
    rooms: list[int] = []
    for item, cost in enumerate(costs):
        rooms.append(room - price(len(taken) + 1))
        if cost <= rooms[-1]:
            room = rooms[-1] - cost
            taken.append(item)
    return Filling(tuple(taken), tuple(rooms), room)


def settle(taken: Sequence[int], budget: int, measure: Callable[[Sequence[int]], int]) -> tuple[int, ...]:
    """Give the last items back while the whole, measured, is over the budget: sums of parts are never trusted.

    >>> settle([0, 1, 2], 9, lambda items: 4 * len(items))
    (0, 1)
    """
    kept = list(taken)
    while kept and measure(kept) > budget:
        kept.pop()
    return tuple(kept)
