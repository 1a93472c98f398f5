"""What a counter takes before it counts: the time of its load, and memory. And what a second thread gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from compare.counters import OURS, REFERENCE
from compare.rounds import ENCODINGS, exact_counts
from compare.timing import against, milliseconds, table, times, within

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brimful.config import Encoding
    from compare.rounds import Findings, Rounds

LOAD: Final = 2.5
"""How many times as long tiktoken shall take to load."""
TABLES: Final = {"cl100k_base": 12, "o200k_base": 22}
"""MB that the tables may take."""
BATCH: Final = 8_000_000
LONG: Final = 20_000
"""Characters of a chunk: too many for its count to be remembered as a whole."""
PATIENT: Final = 2.0
"""Seconds of CPU time for the threads."""
SPEED_UP: Final = 1.7
KIB: Final = 1024 / 1e6
"""MB."""


def load_table(rounds: Rounds, names: Sequence[str]) -> str:
    """Time the load, milliseconds, and tell the memory after it, MB."""
    loaded = {encoding: rounds.measure([], encoding, names, seconds=0) for encoding in ENCODINGS}
    head = ("encoding", "counter", "import", "load", "load / brimful", "resident set", "grown by the load")
    rows = (load_line(encoding, name, found) for encoding, found in loaded.items() for name in names)
    return table(head, rows)


def load_line(encoding: str, name: str, loaded: dict[str, Findings]) -> tuple[str, ...]:
    """Write the line of a counter."""
    found = loaded[name]
    load, ours = (findings.median(lambda measured: measured.load) for findings in (found, loaded[OURS]))
    return (
        encoding,
        name,
        milliseconds(found.median(lambda measured: measured.imported)),
        milliseconds(load),
        against(load, ours, LOAD) if name == REFERENCE else "" if name == OURS else times(load / ours),
        f"{found.median(lambda measured: measured.resident) * KIB:.1f}",
        grown(encoding, name, found.median(lambda measured: measured.grown) * KIB),
    )


def grown(encoding: str, name: str, size: float) -> str:
    """Write the MB that the load took, ours beside the target for its tables."""
    if name != OURS:
        return f"{size:.1f}"
    return within(size, TABLES[encoding], 1)


def thread_table(rounds: Rounds, text: str) -> str:
    """Time a batch of long chunks with one thread and with two, milliseconds by the wall clock.

    CPU time, all threads together, tells what the second thread costs: on free cores the wall time is half of it.
    """
    head = ("encoding", "MB", "chunks", "1 thread", "2 threads", "1 thread / 2 threads", "CPU: 2 threads / 1 thread")
    return table(head, thread_lines(rounds, text))


def thread_lines(rounds: Rounds, text: str) -> Iterator[tuple[str, ...]]:
    """Give a line of the table for each encoding."""
    chunks = [text[start : start + LONG] for start in range(0, len(text) - LONG, LONG)]
    size = sum(len(chunk.encode()) for chunk in chunks)
    copies = -(-BATCH // size)
    for encoding in ENCODINGS:
        expected = exact_counts(chunks, encoding) * copies
        one, two = (count_with(threads, rounds, [*chunks] * copies, encoding, expected) for threads in (1, 2))
        one_wall, two_walls = (min(measured.wall for measured in found.measured) for found in (one, two))
        yield (
            encoding,
            f"{size * copies / 1e6:.1f}",
            f"{len(expected):,}",
            milliseconds(one_wall),
            milliseconds(two_walls),
            against(one_wall, two_walls, SPEED_UP),
            times(two.later / one.later),
        )


def count_with(
    threads: int, rounds: Rounds, batch: Sequence[str], encoding: Encoding, expected: Sequence[int]
) -> Findings:
    """Count with so many threads, for long: by the wall clock a neighbour on the machine takes from the figure."""
    found = rounds.measure(batch, encoding, [OURS], seconds=PATIENT, threads=threads)[OURS]
    assert not found.note(expected), "threads change the counts"
    return found
