"""Who gets the room: best first, each document that still fits whole and repeats none of those taken.

Near-duplicates are found for a whole batch at once, and there a document counts as kept that later turns out not to
fit. Its copies deserve a chance then: they are judged again without it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from brimful.kernels import active
from brimful.stages.budgeting import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from brimful.config import NearDuplicateOptions


@dataclass(frozen=True, slots=True)
class Repeat:
    """Which item another one repeats, and how similar they are."""

    of: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The items taken, in the order in which they were offered room, and what repeats them; no other fitted."""

    taken: tuple[int, ...]
    repeats: dict[int, Repeat] = field(default_factory=dict)


def compete(
    texts: Sequence[str],
    costs: Sequence[int],
    *,
    room: int,
    price: Callable[[int], int],
    options: NearDuplicateOptions | None,
    prefer: Callable[[Sequence[int]], Sequence[int]],
) -> Outcome:
    """Let items compete for room; `costs`, `room` and `price` are those of `fill`.

    Of items that repeat each other the earlier one stays; without options nothing counts as a repeat. `prefer` puts
    those that stay in the order in which they are offered room. Near-duplicates are found once, and again each time
    that an item did not fit while a copy of it might.
    """
    # What never fits keeps nobody out.
    line = [item for item, cost in enumerate(costs) if cost <= room - price(1)]
    withdrawn: dict[int, dict[int, Repeat]] = {}
    while True:
        repeats = _find_repeats(texts, line, options)
        kept = [item for item in line if item not in repeats]
        filling = fill([costs[item] for item in kept], room, price)
        if len(filling.taken) < len(kept):  # else the order cannot matter
            kept = list(prefer(kept))
            filling = fill([costs[item] for item in kept], room, price)
        taken = [kept[place] for place in filling.taken]
        rooms = dict(zip(kept, filling.rooms, strict=True))
        blocked = _find_blocked(costs, repeats, rooms, set(taken))
        if not blocked:
            return _conclude(costs, taken, repeats, withdrawn, filling.left - price(len(taken) + 1))
        # Only of the first is it certain that it does not fit: what its copies take, others may lack.
        first = next(item for item in kept if item in blocked)
        withdrawn[first] = {copy: repeat for copy, repeat in repeats.items() if repeat.of == first}
        line.remove(first)


def _find_blocked(costs: Sequence[int], repeats: dict[int, Repeat], rooms: dict[int, int], taken: set[int]) -> set[int]:
    """Return the items that did not fit when a copy of them might have."""
    return {repeat.of for copy, repeat in repeats.items() if repeat.of not in taken and costs[copy] <= rooms[repeat.of]}


def _conclude(
    costs: Sequence[int],
    taken: Sequence[int],
    repeats: dict[int, Repeat],
    withdrawn: dict[int, dict[int, Repeat]],
    left: int,
) -> Outcome:
    """Name the repeats of what was taken: copies, and withdrawn originals that would fit now but for their copy."""
    found = {item: repeat for item, repeat in repeats.items() if repeat.of in taken}
    for original, copies in withdrawn.items():
        shown = [copy for copy in taken if copy in copies]
        if shown and costs[original] <= left:
            found[original] = Repeat(shown[0], copies[shown[0]].similarity)
    return Outcome(tuple(taken), found)


def _find_repeats(texts: Sequence[str], line: Sequence[int], options: NearDuplicateOptions | None) -> dict[int, Repeat]:
    if options is None:
        return {}
    found = active().near_duplicates([texts[item] for item in line], options)
    verdicts = zip(line, found.duplicate_of.tolist(), found.similarity.tolist(), strict=True)
    return {item: Repeat(line[origin], similarity) for item, origin, similarity in verdicts if origin >= 0}
