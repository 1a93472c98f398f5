"""Who goes first when the budget is exceeded, who comes back where there is room, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from brimful.builders.priority.types import DroppedItem, ItemDecision

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brimful.builders.priority.front_door import Given
    from brimful.builders.priority.types import Fate
    from brimful.stages.lines import Lines


@dataclass(frozen=True, slots=True)
class Fates:
    """What became of items, by their place in the text; `back` are those of `dropped` that came back."""

    dropped: Sequence[int] = ()
    cut: Sequence[int] = ()
    back: Sequence[int] = ()


def order_of_dropping(places: Iterable[int], priorities: Sequence[int]) -> list[int]:
    """Return the items in the order in which they go: the highest number first, of one priority the later first.

    >>> order_of_dropping([0, 1, 2], [1, 2, 2])
    [2, 1, 0]
    """
    return sorted(sorted(places, reverse=True), key=priorities.__getitem__, reverse=True)


def bring_back(lines: Lines, dropped: Sequence[int], budget: int) -> list[int]:
    """Put back each line with which the whole is still within the budget, the last dropped first; return those.

    By a counter that only measures, each takes a count of the whole.
    """
    back: list[int] = []
    if lines.total > budget:
        return back
    for place in reversed(dropped):
        lines.insert(place)
        if lines.total <= budget:
            back.append(place)
        else:
            lines.remove(place)
    return back


def decide(
    given: Given, line: Sequence[int], tokens: Sequence[int], fates: Fates
) -> tuple[tuple[ItemDecision, ...], tuple[DroppedItem, ...]]:
    """Return a decision an item, in the order given, and the items dropped, in the order of dropping.

    `line` has the index of the item at each place of the text; `tokens` are by place.
    """
    back = set(fates.back)
    dropped = [place for place in fates.dropped if place not in back]
    known: dict[int, tuple[Fate, str]] = {line[place]: ("included", "backfilled") for place in back}
    known |= dict.fromkeys((line[place] for place in fates.cut), ("truncated", "budget_exceeded"))
    known |= dict.fromkeys((line[place] for place in dropped), ("dropped", "budget_exceeded"))
    counts = dict(zip(line, tokens, strict=True))
    rows = enumerate(zip(given.source_ids, given.priorities, given.required, strict=True))
    decisions = tuple(
        ItemDecision(index, source, priority, required, counts[index], *_fate(known, index, required=required))
        for index, (source, priority, required) in rows
    )
    gone = (
        DroppedItem(given.name_of(index), given.priorities[index], counts[index])
        for index in (line[place] for place in dropped)
    )
    return decisions, tuple(gone)


def _fate(known: dict[int, tuple[Fate, str]], index: int, *, required: bool) -> tuple[Fate, str]:
    return known.get(index) or ("included", "required" if required else "fits")
