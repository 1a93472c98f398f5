"""Prints the KiB of memory that a selection takes beyond its input, at its peak; Linux only.

python -m compare.memory numpy|ours random|clustered
"""

from __future__ import annotations

import sys

from compare.mmr import SIZES, make_data, ours, with_numpy
from compare.process import peak_beyond

SELECTORS = {"ours": ours, "numpy": with_numpy}


def main() -> None:
    """Select at the largest size in a process that did nothing else before, but for a small selection."""
    name, kind = sys.argv[1:]
    select, size = SELECTORS[name], SIZES[-1]
    query, rows = make_data(kind, size.rows, size.width)
    select(query[:64], rows[:100, :64].copy(), 10)
    sys.stdout.write(f"{peak_beyond(lambda: select(query, rows, size.picks))}\n")


if __name__ == "__main__":
    main()
