"""Times one tool on one file of texts in a process of its own, and prints what it found as JSON.

python -m compare.dedup.passes TOOL TEXTS SECONDS VERDICTS

The tool judges a few texts first, so that what it imports and starts is in no figure. It then judges all of them, once
or again and again for SECONDS of CPU time, and the decisions of the last call are written to VERDICTS.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from compare.dedup.inputs import read_texts
from compare.dedup.tools import JUDGES, Shingling
from compare.process import PEAK, peak_beyond

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compare.dedup.tools import Judge
    from compare.dedup.verdicts import Verdicts

WARM_UP: Final = 20
"""Texts."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What one process found. Seconds of CPU time, all threads together, but for `wall`: of the quickest call."""

    cpu: float
    wall: float
    shingling: float
    """The part of `cpu` that went into shingles made in Python for the tool."""
    first: float
    """Likewise, of the first call: its memory is fresh."""
    peak: int
    """KiB of the resident set beyond the input, at the peak; 0 where the system does not tell."""


def main() -> None:
    """Measure as the command line says."""
    name, path, seconds, verdicts = sys.argv[1:]
    measured, found = measure(JUDGES[name], read_texts(Path(path)), float(seconds))
    found.write(Path(verdicts))
    sys.stdout.write(json.dumps(asdict(measured)))


def measure(judge: Judge, texts: Sequence[str], seconds: float) -> tuple[Measured, Verdicts]:
    """Judge some of the texts, and then all of them for so long, but once at least."""
    judge(texts[:WARM_UP], Shingling())
    timed: list[tuple[float, float, float]] = []
    found: list[Verdicts] = []

    def run() -> None:
        end = time.process_time() + seconds
        while not timed or time.process_time() < end:
            found.clear()
            shingling, wall, cpu = Shingling(), time.perf_counter(), time.process_time()
            found.append(judge(texts, shingling))
            timed.append((time.process_time() - cpu, time.perf_counter() - wall, shingling.seconds))

    peak = 0
    if PEAK.exists():
        peak = peak_beyond(run)
    else:
        run()
    return Measured(*min(timed), timed[0][0], peak), found[0]


if __name__ == "__main__":
    main()
