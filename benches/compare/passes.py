"""Times a counter in a process of its own, in which nothing else was counted, and prints what it found as JSON.

python -m compare.passes COUNTER ENCODING FILE SECONDS same|new

FILE holds a JSON list of texts. They are counted once, and then again for SECONDS, at least FEWEST times; with 0
SECONDS once only. Where they shall be `new`, each gets another ending before each of the later passes: who remembers
whole texts has to count it, who remembers words knows those. Needs the folder of rank files that `counters.RANKS`
names.
"""

from __future__ import annotations

import gc
import json
import math
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from compare.counters import LOADERS, import_counter
from compare.process import STATUS, status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.config import Encoding
    from compare.counters import Counter

WARM_UP: Final = "warm up 123, it's\n"
FEWEST: Final = 3


@dataclass(frozen=True, slots=True)
class Measured:
    """What one process found. Seconds of CPU time, all threads together, but for `wall`."""

    imported: float
    """For the import."""
    load: float
    """From there to the first count, of a short text."""
    grown: int
    """KiB that the resident set grew by meanwhile."""
    resident: int
    """KiB of the resident set after that."""
    counts: list[int]
    first: float
    later: float
    """The least of the later passes; infinite where there are none."""
    wall: float
    """The least of the later passes by the wall clock."""


def main() -> None:
    """Measure as the command line says."""
    name, encoding, path, seconds, later = sys.argv[1:]
    texts = json.loads(Path(path).read_text())
    found = measure(name, cast("Encoding", encoding), texts, float(seconds), new=later == "new")
    sys.stdout.write(json.dumps(asdict(found)))


def measure(name: str, encoding: Encoding, texts: Sequence[str], seconds: float, *, new: bool) -> Measured:
    """Load the counter, then count."""
    start = time.process_time()
    import_counter(name)
    imported = time.process_time() - start
    gc.collect()
    before, start = resident(), time.process_time()
    count = LOADERS[name](encoding)
    count([WARM_UP])
    load, after = time.process_time() - start, resident()
    start = time.process_time()
    counts = count(texts)
    first = time.process_time() - start
    later, wall = time_later(count, texts, seconds, new=new) if seconds else (math.inf, math.inf)
    return Measured(imported, load, after - before, after, counts, first, later, wall)


def time_later(count: Counter, texts: Sequence[str], seconds: float, *, new: bool) -> tuple[float, float]:
    """Return the least seconds of the passes that follow: CPU time, and wall time."""
    later, wall, rounds, end = math.inf, math.inf, 0, time.process_time() + seconds
    while rounds < FEWEST or time.process_time() < end:
        passed = [f"{text}{rounds}" for text in texts] if new else texts
        start, clock = time.process_time(), time.perf_counter()
        count(passed)
        later, wall = min(later, time.process_time() - start), min(wall, time.perf_counter() - clock)
        rounds += 1
    return later, wall


def resident() -> int:
    """Return the KiB that are resident: 0 where the system does not tell."""
    return status("VmRSS") if STATUS.exists() else 0


if __name__ == "__main__":
    main()
