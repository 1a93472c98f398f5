"""Who goes first when the budget is exceeded, who comes back where there is room, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from brimful.builders.priority.types import DroppedItem, ItemDecision

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brimful.builders.priority.front_door import Given
    from brimful.builders.priority.types import Fate
    from brimful.stages.lines import Lines

OVER: Final = "budget_exceeded"


class Fates(NamedTuple):
    """What became of items, by their place in the text; `back` are those of `dropped` that came back."""

    dropped: Sequence[int] = ()
    cut: Sequence[int] = ()
    back: Sequence[int] = ()

    @property
    def lost(self) -> int:
        """How many were dropped and did not come back."""
        return len(self.dropped) - len(self.back)


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
    back = {line[place] for place in fates.back}
    gone = [index for place in fates.dropped if (index := line[place]) not in back]
    what: list[Fate] = ["included"] * len(line)
    why = ["required" if required else "fits" for required in given.required]
    for index in back:
        why[index] = "backfilled"
    for index in gone:
        what[index], why[index] = "dropped", OVER
    for place in fates.cut:
        what[line[place]], why[line[place]] = "truncated", OVER
    counts = list(tokens)
    for place, index in enumerate(line):
        counts[index] = tokens[place]
    columns = (range(len(line)), given.source_ids, given.priorities, given.required, counts, what, why)
    dropped = [DroppedItem(given.name_of(index), given.priorities[index], counts[index]) for index in gone]
    return tuple(map(ItemDecision, *columns)), tuple(dropped)
