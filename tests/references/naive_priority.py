"""Items under a budget as one would write it down: one is dropped, the text is counted, and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from brimful.builders.priority.types import ContextItem


def keep(items: Sequence[ContextItem], count: Callable[[str], int], budget: int) -> tuple[list[int], list[int]]:
    """The items that are kept, in their order, and those that are dropped, in the order of dropping."""
    kept, dropped = list(range(len(items))), []
    optional = [index for index in kept if not items[index].required]
    while optional and count(join(items, kept)) > budget:
        worst = max(items[index].priority for index in optional)
        last = max(index for index in optional if items[index].priority == worst)
        optional.remove(last)
        kept.remove(last)
        dropped.append(last)
    return kept, dropped


def bring_back(
    items: Sequence[ContextItem], kept: Sequence[int], dropped: Sequence[int], count: Callable[[str], int], budget: int
) -> list[int]:
    """The items that are kept when those dropped come back, the most important first, where the whole still fits."""
    whole = list(kept)
    if count(join(items, whole)) > budget:
        return whole
    for index in sorted(dropped, key=lambda index: (items[index].priority, index)):
        more = sorted([*whole, index])
        if count(join(items, more)) <= budget:
            whole = more
    return whole


def join(items: Sequence[ContextItem], kept: Sequence[int]) -> str:
    """The text of a context."""
    return "\n".join(items[index].content for index in kept)
