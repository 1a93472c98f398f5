"""Rounds in which the tools take turns, each time in a fresh process, and what they found there."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from compare.dedup.passes import Measured
from compare.dedup.tools import OPTIONS
from compare.dedup.verdicts import Verdicts, assert_equal
from compare.process import run_module
from compare.timing import microseconds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from compare.dedup.inputs import Input

SECONDS: Final = {100: 0.5, 1_000: 1.0, 10_000: 1.0}
"""CPU time of the calls in a process, by the number of texts: a service goes on. Above that one call, as a job has."""
LONG: Final = 20.0
"""CPU seconds of a process after which a tool has no further turn."""
PATIENCE: Final = 1800
"""Seconds after which a process is given up."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What the processes of one tool found on one input; empty where one failed or was given up."""

    n: int
    measured: list[Measured] = field(default_factory=list)
    verdicts: list[Verdicts] = field(default_factory=list)

    @property
    def least(self) -> Measured:
        """Return the one of the least CPU time."""
        return min(self.measured, key=lambda measured: measured.cpu)

    @property
    def cpu(self) -> float:
        """Return the CPU seconds a text."""
        return self.least.cpu / self.n

    @property
    def first(self) -> float:
        """Return the CPU seconds a text of first calls."""
        return min(measured.first for measured in self.measured) / self.n

    @property
    def unshingled(self) -> float:
        """Return the CPU seconds a text without those of Python's shingles."""
        return (self.least.cpu - self.least.shingling) / self.n

    @property
    def wall(self) -> float:
        """Return the wall seconds a text."""
        return min(measured.wall for measured in self.measured) / self.n

    @property
    def peak(self) -> float:
        """Return the KiB a text beyond the input, at the peak: of the process that took most."""
        return max(measured.peak for measured in self.measured) / self.n

    def agreed(self, name: str) -> Verdicts:
        """Return the decisions, which are to be the same in every process."""
        for other in self.verdicts[1:]:
            assert_equal(self.verdicts[0], other, f"{name}, another process")
        return self.verdicts[0]


@dataclass(slots=True)
class Rounds:
    """Measures in up to so many rounds; `folder` holds what the processes write."""

    folder: Path
    runs: int
    order: random.Random = field(default_factory=lambda: random.Random(1))

    def measure(
        self, texts: Input, tools: Sequence[str], *, threads: int = 1, backend: str = "rust"
    ) -> dict[str, Findings]:
        """Let the tools take turns, in an order drawn anew each round."""
        found = {tool: Findings(texts.n) for tool in tools}
        turns = [*tools]
        for _ in range(self.runs):
            self.order.shuffle(turns)
            for tool in [*turns]:
                measured = self.start(texts, tool, threads, backend)
                if measured is None:
                    found[tool] = Findings(texts.n)
                else:
                    found[tool].measured.append(measured)
                    found[tool].verdicts.append(Verdicts.read(self.verdicts_path))
                if measured is None or measured.cpu > LONG:
                    turns.remove(tool)
        return found

    def start(self, texts: Input, tool: str, threads: int, backend: str) -> Measured | None:
        """Measure in a fresh process; None where it fails or takes too long, which ours must not."""
        pools = dict.fromkeys(("BRIMFUL_NUM_THREADS", "RAYON_NUM_THREADS", "POLARS_MAX_THREADS"), str(threads))
        arguments = tool, str(texts.path), str(SECONDS.get(texts.n, 0)), str(self.verdicts_path)
        environment = pools | {"BRIMFUL_BACKEND": backend}
        note = f"{texts}: {tool}{', Python' * (backend == 'python')}{', 2 threads' * (threads == 2)}"
        try:
            printed = run_module("compare.dedup.passes", *arguments, environment=environment, patience=PATIENCE)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            sys.stderr.write(f"{note}: {error}\n{error.stderr!r}\n")
            if tool in OPTIONS:
                raise
            return None
        measured = Measured(**json.loads(printed))
        sys.stderr.write(f"{note}: {microseconds(measured.cpu / texts.n)} us a text\n")
        return measured

    @property
    def verdicts_path(self) -> Path:
        """Say where a process writes its decisions."""
        return self.folder / "verdicts.npz"
