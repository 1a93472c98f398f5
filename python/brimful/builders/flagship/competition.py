"""Who gets the room: best first, each document that still fits whole and repeats none of those taken.

Near-duplicates are found for a whole batch at once, and there a document counts as kept that later turns out not to
fit. Its copies deserve a chance then: they are judged again without it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from brimful.stages.budgeting import fill
from brimful.stages.dedup import Repeat, find_repeats

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from brimful.config import NearDuplicateOptions
    from brimful.stages.budgeting import Account, Filling


@dataclass(frozen=True, slots=True)
class Outcome:
    """The items taken, in the order in which they were offered room, and what repeats them; no other fitted."""

    taken: tuple[int, ...]
    repeats: dict[int, Repeat] = field(default_factory=dict)


def compete(
    texts: Sequence[str],
    open_account: Callable[[], Account],
    *,
    options: NearDuplicateOptions | None,
    prefer: Callable[[Sequence[int]], Sequence[int]],
) -> Outcome:
    """Let items compete for the room of an account, which `open_account` gives with nothing taken.

    Of items that repeat each other the earlier one stays; without options nothing counts as a repeat. `prefer` puts
    those that stay in the order in which they are offered room. Near-duplicates are found once, and again each time
    that an item did not fit while a copy of it might.
    """
    # What never fits keeps nobody out.
    empty = open_account()
    line = [item for item in range(len(texts)) if empty.cost_of(item) <= empty.room_for(item)]
    withdrawn: dict[int, dict[int, Repeat]] = {}
    while True:
        repeats = find_repeats(texts, line, options)
        kept = [item for item in line if item not in repeats]
        account = open_account()
        filling = fill(kept, account)
        if len(filling.taken) < len(kept):  # else the order cannot matter
            kept, account = list(prefer(kept)), open_account()
            filling = fill(kept, account)
        blocked = _find_blocked(account, repeats, filling)
        if not blocked:
            return _conclude(account, filling.taken, repeats, withdrawn)
        # Only of the first is it certain that it does not fit: what its copies take, others may lack.
        first = next(item for item in kept if item in blocked)
        withdrawn[first] = {copy: repeat for copy, repeat in repeats.items() if repeat.of == first}
        line.remove(first)


def _find_blocked(account: Account, repeats: dict[int, Repeat], filling: Filling) -> set[int]:
    """Return the items that did not fit when a copy of them might have."""
    taken, rooms = set(filling.taken), filling.rooms
    return {
        repeat.of
        for copy, repeat in repeats.items()
        if repeat.of not in taken and account.cost_of(copy) <= rooms[repeat.of]
    }


def _conclude(
    account: Account,
    taken: tuple[int, ...],
    repeats: dict[int, Repeat],
    withdrawn: dict[int, dict[int, Repeat]],
) -> Outcome:
    """Name the repeats of what was taken: copies, and withdrawn originals that would fit now but for their copy."""
    shown = set(taken)
    found = {item: repeat for item, repeat in repeats.items() if repeat.of in shown}
    for original, copies in withdrawn.items():
        first = next((copy for copy in taken if copy in copies), None)
        if first is not None and account.cost_of(original) <= account.room_for(original):
            found[original] = Repeat(first, copies[first].similarity)
    return Outcome(taken, found)
