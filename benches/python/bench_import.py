"""Times `import brimful` and `import numpy`, each in fresh interpreters that take turns.

python benches/python/bench_import.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys

MODULES = ("brimful", "numpy")
ROUNDS = 20
CODE = "from time import perf_counter as now; start = now(); import {}; print(now() - start)"


def main() -> None:
    """Print the median and the least time of each, in milliseconds."""
    times: dict[str, list[float]] = {module: [] for module in MODULES}
    for _ in range(ROUNDS):
        for module in MODULES:
            times[module].append(time_import(module))
    for module, seconds in times.items():
        median, least = statistics.median(seconds) * 1e3, min(seconds) * 1e3
        sys.stdout.write(f"import {module:<8} median {median:7.2f} ms   least {least:7.2f} ms\n")


def time_import(module: str) -> float:
    """Return the seconds that a fresh interpreter takes to import `module`."""
    command = [sys.executable, "-c", CODE.format(module)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)  # noqa: S603 - our own interpreter and script


if __name__ == "__main__":
    main()
