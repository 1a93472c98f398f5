"""Times the selection of rows and the scores of texts beside the libraries that do the same, results compared first.

make bench-select

Prints Markdown: CPU milliseconds, the least of rounds in which all take turns, one thread. A ratio stands beside the
target, in bold where it misses. Ends with an error only where results differ.
"""

from __future__ import annotations

import sys

from brimful.kernels import active
from compare.mmr import mmr_table
from compare.process import PEAK, run_module
from compare.tfidf import tfidf_table


def main() -> None:
    """Print one part after the other."""
    assert active().name == "rust", "the extension is what is measured"
    for title, part in (("MMR", mmr_table), ("Memory", memory), ("TF-IDF", tfidf_table)):
        sys.stdout.write(f"### {title}\n\n{part()}\n")
        sys.stdout.flush()


def memory() -> str:
    """Tell the memory that a selection takes beyond its input, measured in processes of their own."""
    if not PEAK.exists():
        return "Measured on Linux only.\n"
    peaks = {name: max(peak(name, kind) for kind in ("random", "clustered")) for name in ("ours", "numpy")}
    return f"Beyond the input, at the largest size: {peaks['ours']:.1f} MiB; numpy {peaks['numpy']:.1f} MiB.\n"


def peak(name: str, kind: str) -> float:
    """Return the MiB beyond the input at the peak."""
    return int(run_module("compare.memory", name, kind)) / 1024


if __name__ == "__main__":
    main()
