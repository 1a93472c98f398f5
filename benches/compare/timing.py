"""CPU times of contenders that take turns, and tables of them."""

from __future__ import annotations

import math
import random
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

SECONDS: Final = 2.0
"""How long the rounds of a row go on."""
FEWEST_ROUNDS: Final = 5
TURN_SECONDS: Final = 0.01
MOST_CALLS: Final = 5


def least_times(contenders: Mapping[str, Callable[[], object]], *, once: Sequence[str] = ()) -> dict[str, float]:
    """Return the least CPU seconds of each contender, all threads of the process added up.

    In every round each of them has a turn, but for those in `once`, in an order drawn anew. What a first call loads is
    in no figure but theirs who are called once.
    """
    least = {name: cpu_time(run) for name, run in contenders.items()}
    turns = [name for name in contenders if name not in once]
    least |= dict.fromkeys(turns, math.inf)
    order = random.Random(1)
    end = time.perf_counter() + SECONDS
    rounds = 0
    while rounds < FEWEST_ROUNDS or time.perf_counter() < end:
        for name in turns:
            least[name] = min(least[name], take_turn(contenders[name]))
        order.shuffle(turns)
        rounds += 1
    return least


def take_turn(run: Callable[[], object]) -> float:
    """Return the least CPU seconds of some calls in a row: what they find in the cache is then their own."""
    end = time.process_time() + TURN_SECONDS
    least = cpu_time(run)
    for _ in range(MOST_CALLS - 1):
        if time.process_time() >= end:
            break
        least = min(least, cpu_time(run))
    return least


def cpu_time(run: Callable[[], object]) -> float:
    """Return the CPU seconds that a call takes."""
    start = time.process_time()
    run()
    return time.process_time() - start


def milliseconds(seconds: float) -> str:
    """Write a time with three significant digits, as far as those lie behind the point."""
    value = seconds * 1e3
    return f"{value:,.3f}" if value < 1 else f"{value:,.2f}" if value < 100 else f"{value:,.0f}"


def microseconds(seconds: float) -> str:
    """Write a time with three significant digits, as far as those lie behind the point."""
    return times(seconds * 1e6)


def against(theirs: float, ours: float, target: float | None) -> str:
    """Write how many times as much theirs takes, beside the target (None: to be better), in bold where it is missed."""
    ratio = theirs / ours
    missed = ratio < target if target else ratio <= 1
    wanted = f">= {target:g}" if target else "> 1"
    return f"**{times(ratio)}** ({wanted}, missed)" if missed else f"{times(ratio)} ({wanted})"


def beside(ratio: float, target: float | None) -> str:
    """Write a ratio, beside its target if it has one."""
    return against(ratio, 1, target) if target else times(ratio)


def within(value: float, limit: float, digits: int) -> str:
    """Write a value beside the most that it shall be, in bold where it is missed."""
    written = f"{value:.{digits}f}"
    return f"**{written}** (<= {limit:g}, missed)" if value > limit else f"{written} (<= {limit:g})"


def times(ratio: float) -> str:
    """Write a ratio with three significant digits, as far as those lie behind the point."""
    return f"{ratio:,.2f}" if ratio < 10 else f"{ratio:,.1f}" if ratio < 100 else f"{ratio:,.0f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lay out a Markdown table, figures to the right."""
    lines = [head, ["--:"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
