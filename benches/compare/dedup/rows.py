"""One input, measured with every tool that can stand it, and ours held against everything that is exact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from brimful import NearDuplicateOptions
from compare.dedup.inputs import read_texts
from compare.dedup.rounds import Rounds
from compare.dedup.tools import EXACT, FLAGSHIP, JOIN, MINHASH, NAIVE, OPTIONS, OURS
from compare.dedup.verdicts import Verdicts, assert_equal
from references.naive_dedup import near_duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compare.dedup.inputs import Input
    from compare.dedup.rounds import Findings

LARGEST: Final = {NAIVE: 1_000, "datasketch": 100_000, JOIN: 100_000, "polars": 100_000, FLAGSHIP: 100_000}
"""Beyond it a tool takes more than a couple of minutes, or more memory than there is; ours has no row there."""
MANY: Final = 10_000
"""From so many texts on a second thread is worth a row, and memory a figure."""
DEFINED: Final = 1_000
"""So many texts can be held against the definition, which compares each with every kept one."""
PYTHON: Final = 100_000
"""So many texts the Python back end can judge."""


@dataclass(frozen=True, slots=True)
class Row:
    """What was found on an input: by each tool, and by ours with two threads and in Python."""

    texts: Input
    found: dict[str, Findings]
    python: dict[str, Findings]
    threads: dict[str, Findings]
    held: dict[str, list[str]]
    """What ours was equal to, by its options."""

    @property
    def exact(self) -> Verdicts:
        """Return the right decisions."""
        return self.found[OURS].verdicts[0]


def measure_row(rounds: Rounds, texts: Input) -> Row:
    """Measure, and fail where ours differs from what is exact."""
    tools = list(tools_for(texts))
    ours = [tool for tool in tools if tool in OPTIONS]
    found = rounds.measure(texts, tools)
    once = Rounds(rounds.folder, 1)
    python = once.measure(texts, ours, backend="python") if texts.kind != "documentation" and texts.n <= PYTHON else {}
    threads = rounds.measure(texts, ours, threads=2) if texts.n >= MANY else {}
    row = Row(texts, found, python, threads, {tool: [] for tool in ours})
    for tool in ours:
        row.held[tool].extend(hold(row, tool))
    return row


def tools_for(texts: Input) -> Iterator[str]:
    """Give the tools for an input, ours first."""
    yield OURS
    if texts.kind in {"sample", "documentation"}:
        yield from ("rensa", "gaoya")
    elif texts.kind == "variants":  # polars would join each shingle of 5,000 texts with itself
        yield from (*MINHASH, JOIN)
    else:
        tools = (FLAGSHIP, NAIVE, *MINHASH, *EXACT)
        yield from (tool for tool in tools if texts.n <= LARGEST.get(tool, texts.n))


def hold(row: Row, tool: str) -> Iterator[str]:
    """Hold the decisions of ours against all that there are, and name them."""
    judged = row.found[tool].agreed(tool)
    if row.texts.n <= DEFINED:
        defined = near_duplicates(read_texts(row.texts.path), NearDuplicateOptions(**OPTIONS[tool]))
        assert_equal(judged, Verdicts.of_origins(*defined), f"{row.texts}: {tool}, the definition")
        yield "definition"
    others = {"Python": row.python.get(tool), "2 threads": row.threads.get(tool)}
    if tool == OURS:
        others |= {name: row.found.get(name) for name in (NAIVE, *EXACT)}
    for name, findings in others.items():
        if findings is not None and findings.verdicts:
            assert_equal(judged, findings.agreed(name), f"{row.texts}: {tool}, {name}")
            yield name
