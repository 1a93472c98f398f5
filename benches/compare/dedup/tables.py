"""The tables of the near-duplicates, each with a line an input; beside a ratio or a size stands its target."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from compare.dedup.rows import MANY
from compare.dedup.tools import EXACT, FLAGSHIP, JOIN, MINHASH, NAIVE, OURS, SHINGLED
from compare.dedup.verdicts import count_wrong
from compare.timing import beside, microseconds, table, times, within

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from compare.dedup.rounds import Findings
    from compare.dedup.rows import Row

PEERS: Final = (NAIVE, *MINHASH, *EXACT)
BARE: Final = tuple(f"{tool}, shingled before" for tool in SHINGLED)
LEFT_OUT: Final = "-"
FAILS: Final = "fails"
GROWTH: Final = 1.25
KIB: Final = 1.024
"""KB."""
MEMORY: Final = 1.0
"""KB a text beyond the input where texts are many: hashes are then made anew instead of kept."""
LOW_MEMORY: Final = 1_000_000
TARGETS: Final[dict[tuple[str, int], dict[str, float]]] = {
    ("request", 100): {NAIVE: 150, "datasketch": 180, "rensa": 20, "gaoya": 15, JOIN: 55, "polars": 55},
    ("corpus", 10_000): {"datasketch": 150, "rensa": 24, "gaoya": 12, JOIN: 120, "polars": 45},
    ("corpus", 100_000): {"datasketch": 70, "rensa": 12, "gaoya": 8, JOIN: 80, "polars": 40},
    ("corpus", 1_000_000): {"gaoya": 5},
    ("documentation", 0): {"rensa": 9, "gaoya": 7},
    ("variants", 5_000): {JOIN: 50},
}
"""How many times as long a tool shall take as ours, by kind and number of texts; of documentation by kind only."""


def time_table(rows: Sequence[Row]) -> str:
    """Tell the microseconds of CPU a text."""
    head = ("texts", OURS, "brimful, Python back end", *PEERS, *BARE)
    return table(head, ((str(row.texts), *time_cells(row)) for row in rows))


def time_cells(row: Row) -> Iterable[str]:
    """Write the times of an input."""
    yield microseconds(row.found[OURS].cpu)
    yield microseconds(row.python[OURS].cpu) if row.python else LEFT_OUT
    for tool in PEERS:
        yield cell(row, tool) or microseconds(row.found[tool].cpu)
    for tool in SHINGLED:
        yield cell(row, tool) or microseconds(row.found[tool].unshingled)


def ratio_table(rows: Sequence[Row]) -> str:
    """Tell how many times as long each takes as ours."""
    return table(("texts", *PEERS, *BARE), ((str(row.texts), *ratio_cells(row)) for row in rows))


def ratio_cells(row: Row) -> Iterable[str]:
    """Write the ratios of an input."""
    n = 0 if row.texts.kind == "documentation" else row.texts.n
    targets, ours = TARGETS.get((row.texts.kind, n), {}), row.found[OURS].cpu
    for tool in PEERS:
        yield cell(row, tool) or beside(row.found[tool].cpu / ours, targets.get(tool))
    for tool in SHINGLED:
        yield cell(row, tool) or times(row.found[tool].unshingled / ours)


def cell(row: Row, tool: str) -> str:
    """Write why there is no figure, or nothing."""
    if tool not in row.found:
        return LEFT_OUT
    return "" if row.found[tool].measured else FAILS


def verdict_table(rows: Sequence[Row]) -> str:
    """Tell how many texts each tool decides wrongly, and what ours is equal to."""
    head = ("texts", "kept", OURS, *(tool for tool in PEERS), "brimful is equal to")
    return table(head, ((str(row.texts), *verdict_cells(row)) for row in rows))


def verdict_cells(row: Row) -> Iterable[str]:
    """Write the wrong decisions on an input."""
    yield f"{row.exact.kept.size:,}"
    for tool in (OURS, *PEERS):
        yield cell(row, tool) or f"{count_wrong(row.found[tool].verdicts[0], row.exact):,}"
    yield ", ".join(row.held[OURS])


def flagship_table(rows: Sequence[Row]) -> str:
    """Tell what the options of the flagship cost."""
    head = (
        "texts",
        "default options",
        "flagship's",
        "flagship's / default",
        "Python back end",
        "Python / Rust",
        "kept",
    )
    asked = [row for row in rows if FLAGSHIP in row.found]
    return table((*head, "equal to"), ((str(row.texts), *flagship_cells(row)) for row in asked))


def flagship_cells(row: Row) -> Iterable[str]:
    """Write the line of an input."""
    ours, plain, python = row.found[FLAGSHIP], row.found[OURS], row.python[FLAGSHIP]
    yield microseconds(plain.cpu)
    yield microseconds(ours.cpu)
    yield times(ours.cpu / plain.cpu)
    yield microseconds(python.cpu)
    yield times(python.cpu / ours.cpu)
    yield f"{ours.verdicts[0].kept.size:,}"
    yield ", ".join(row.held[FLAGSHIP])


def memory_table(rows: Sequence[Row]) -> str:
    """Tell the KB a text beyond the input, at the peak."""
    large = [row for row in rows if row.texts.n >= MANY]
    return table(("texts", OURS, *PEERS), ((str(row.texts), *memory_cells(row)) for row in large))


def memory_cells(row: Row) -> Iterable[str]:
    """Write the memory that an input takes."""
    ours = row.found[OURS].peak * KIB
    yield within(ours, MEMORY, 2) if row.texts.n >= LOW_MEMORY else f"{ours:.2f}"
    for tool in PEERS:
        yield cell(row, tool) or f"{row.found[tool].peak * KIB:.2f}"


def growth_table(rows: Sequence[Row]) -> str:
    """Tell by which power of the number of texts the time grows: that of first calls, as large inputs have no other."""
    large = [row for row in rows if row.texts.kind == "corpus" and row.texts.n >= MANY]
    head = ("tool", "sizes", "exponent")
    return table(head, (line for tool in (OURS, *PEERS) if (line := growth_cells(large, tool))))


def growth_cells(rows: Sequence[Row], tool: str) -> tuple[str, ...]:
    """Write the exponent of a tool, if it was measured with two sizes or more."""
    found = [row.found[tool] for row in rows if tool in row.found and row.found[tool].measured]
    if len(found) < 2:
        return ()
    exponent, sizes = fit_exponent(found), ", ".join(f"{findings.n:,}" for findings in found)
    return tool, sizes, within(exponent, GROWTH, 2) if tool == OURS else f"{exponent:.2f}"


def fit_exponent(found: Sequence[Findings]) -> float:
    """Fit the slope of the logarithm of the time over that of the number of texts, by least squares."""
    sizes = [math.log(findings.n) for findings in found]
    seconds = [math.log(findings.first * findings.n) for findings in found]
    return float(np.polyfit(sizes, seconds, 1)[0])


def thread_table(rows: Sequence[Row]) -> str:
    """Tell what a second thread gives: microseconds a text by the wall clock, and the CPU time of both together."""
    head = ("texts", "1 thread", "2 threads", "1 thread / 2 threads", "CPU: 2 threads / 1 thread")
    return table(head, ((str(row.texts), *thread_cells(row)) for row in rows if row.threads))


def thread_cells(row: Row) -> Iterable[str]:
    """Write the line of an input."""
    one, two = row.found[OURS], row.threads[OURS]
    yield microseconds(one.wall)
    yield microseconds(two.wall)
    yield times(one.wall / two.wall)
    yield times(two.cpu / one.cpu)
