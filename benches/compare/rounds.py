"""Rounds in which the counters take turns, each time in a fresh process, and what they found there."""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Final

from brimful import count_tokens
from compare.counters import OURS, RANKS
from compare.passes import Measured
from compare.process import run_module
from references.offline_tiktoken import load_tiktoken, write_rank_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from brimful.config import Encoding

ENCODINGS: Final[tuple[Encoding, ...]] = ("cl100k_base", "o200k_base")
SECONDS: Final = 0.1
"""CPU time of the later passes."""
PATIENCE: Final = 60
"""Seconds after which a process is given up."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What the processes of one counter found; empty where one failed or was given up."""

    measured: list[Measured]

    def median(self, figure: Callable[[Measured], float]) -> float:
        """Return the median of a figure."""
        return median(map(figure, self.measured))

    @property
    def first(self) -> float:
        """Return the CPU seconds of the first pass."""
        return self.median(lambda found: found.first)

    @property
    def later(self) -> float:
        """Return the CPU seconds of later passes: the least of each process."""
        return self.median(lambda found: found.later)

    def note(self, expected: Sequence[int]) -> str:
        """Say where the counts differ."""
        difference = sum(abs(count - right) for count, right in zip(self.measured[0].counts, expected, strict=True))
        return f" WRONG by {difference}" if difference else ""


@dataclass(slots=True)
class Rounds:
    """Measures in so many rounds; `folder` holds the rank files and the texts that the processes read."""

    folder: Path
    runs: int
    order: random.Random = field(default_factory=lambda: random.Random(1))

    def prepare(self) -> None:
        """Write the rank files, under tiktoken's names and under their own."""
        for encoding in ENCODINGS:
            path = write_rank_file(self.folder, encoding)
            (self.folder / f"{encoding}.tiktoken").write_bytes(path.read_bytes())

    def measure(
        self,
        texts: Sequence[str],
        encoding: Encoding,
        names: Sequence[str],
        *,
        seconds: float = SECONDS,
        new: bool = False,
        threads: int = 1,
    ) -> dict[str, Findings]:
        """Let the counters take turns, in an order drawn anew each round."""
        path = self.folder / "texts.json"
        path.write_text(json.dumps(texts))
        found: dict[str, list[Measured]] = {name: [] for name in names}
        turns = [*names]
        for _ in range(self.runs):
            self.order.shuffle(turns)
            for name in [*turns]:
                measured = self.start(name, encoding, path, [str(seconds), "new" if new else "same"], threads)
                if measured is None:
                    turns.remove(name)
                    found[name].clear()
                else:
                    found[name].append(measured)
        return {name: Findings(measured) for name, measured in found.items()}

    def start(self, name: str, encoding: Encoding, path: Path, options: Sequence[str], threads: int) -> Measured | None:
        """Measure in a fresh process; None where it fails or takes too long."""
        arguments = name, encoding, str(path), *options
        environment = {RANKS: str(self.folder), "BRIMFUL_NUM_THREADS": str(threads)}
        try:
            printed = run_module("compare.passes", *arguments, environment=environment, patience=PATIENCE)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            assert name != OURS, "ours must not fail"
            return None
        return Measured(**json.loads(printed))


def exact_counts(texts: Sequence[str], encoding: Encoding) -> list[int]:
    """Return the counts of tiktoken, to which ours are equal."""
    found: list[int] = count_tokens(texts, encoding=encoding).tolist()
    expected = [len(load_tiktoken(encoding).encode_ordinary(text)) for text in texts]
    assert found == expected, f"{encoding}: ours differ from tiktoken's"
    return expected
