"""Prints the KiB of memory that a selection takes beyond its input, at its peak; Linux only.

python -m compare.memory numpy|ours random|clustered
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from compare.mmr import SIZES, make_data, ours, with_numpy
from compare.process import status

SELECTORS = {"ours": ours, "numpy": with_numpy}


def main() -> None:
    """Select at the largest size in a process that did nothing else before, but for a small selection."""
    name, kind = sys.argv[1:]
    select, size = SELECTORS[name], SIZES[-1]
    query, rows = make_data(kind, size.rows, size.width)
    select(query[:64], rows[:100, :64].copy(), 10)
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = status("VmRSS")
    select(query, rows, size.picks)
    sys.stdout.write(f"{status('VmHWM') - before}\n")


if __name__ == "__main__":
    main()
