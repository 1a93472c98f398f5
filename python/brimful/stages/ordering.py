"""In which order the chosen items are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.config import Order

Item = TypeVar("Item")


def edges_first(ranked: Sequence[Item]) -> list[Item]:
    """Return ranked items with the best at the two edges and the weakest in the middle.

    Models attend least to the middle of a long context (Liu et al. 2023, "Lost in the Middle").

    >>> edges_first([0, 1, 2, 3, 4, 5])
    [0, 2, 4, 5, 3, 1]
    """
    return [*ranked[0::2], *reversed(ranked[1::2])]


def arrange(ranked: Sequence[int], order: Order) -> list[int]:
    """Return ranked indices in reading order: `edges`, `score` (as ranked) or `input` (ascending)."""
    if order == "edges":
        return edges_first(ranked)
    return sorted(ranked) if order == "input" else list(ranked)
