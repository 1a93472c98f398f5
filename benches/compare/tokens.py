"""Times exact token counts beside the counters that do the same, counts compared first.

make bench-tokens [CORPORA=folder] [RUNS=9]

Prints Markdown. CPU time but for the threads; the median of RUNS fresh processes, in rounds in which the counters take
turns. A ratio stands beside its target, in bold where it misses. Ends with an error only where our counts are not
tiktoken's.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from brimful.kernels import active
from compare.corpora import chunk_table, corpora_table, first_english, read_corpora
from compare.counters import LOADERS, installed
from compare.footprint import load_table, thread_table
from compare.long_runs import long_table
from compare.process import load_average
from compare.rounds import ENCODINGS, Rounds

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGES: Final = {"quicktok": "quicktok-v1"}
"""Packages that have another name than the counter."""
FEW: Final = 3
"""Rounds of what takes long."""


def main() -> None:
    """Print one part after the other."""
    parser = argparse.ArgumentParser(description="Time exact token counts")
    parser.add_argument("--corpora", default="", help="folder of *.txt and *.txt.gz (default: made-up texts)")
    parser.add_argument("--runs", type=int, default=9, help="fresh processes of each counter (default: %(default)s)")
    asked = parser.parse_args()
    assert active().name == "rust", "the extension is what is measured"
    with tempfile.TemporaryDirectory() as folder:
        rounds = Rounds(Path(folder), asked.runs)
        rounds.prepare()
        for part in parts(rounds, Path(asked.corpora) if asked.corpora else None):
            sys.stdout.write(f"{part}\n")
            sys.stdout.flush()


def parts(rounds: Rounds, folder: Path | None) -> Iterator[str]:
    """Give the parts of the report."""
    names, corpora = installed(), read_corpora(folder)
    few = Rounds(rounds.folder, min(FEW, rounds.runs))
    yield heading(names, rounds.runs)
    for encoding in ENCODINGS:
        yield f"### Whole texts, {encoding}\n\n{corpora_table(rounds, corpora, names, encoding)}"
    yield f"### Repeated chunks\n\n{chunk_table(rounds, corpora, names)}"
    yield f"### Load and memory\n\n{load_table(rounds, names)}"
    for encoding in ENCODINGS:
        yield f"### Long runs, {encoding}\n\n{long_table(few, names, encoding)}"
    yield f"### Threads\n\n{thread_table(few, first_english(corpora))}"
    yield f"Load average at the end: {load_average()}.\n"


def heading(names: list[str], runs: int) -> str:
    """Name the versions, what is left out, and the load of the machine."""
    versions = ", ".join(f"{name} {metadata.version(PACKAGES.get(name, name))}" for name in names)
    left_out = "".join(
        f"{name} is left out: it has no wheel for this system.\n" for name in LOADERS if name not in names
    )
    return f"{versions};\n{runs} processes each; load average at the start: {load_average()}.\n{left_out}"


if __name__ == "__main__":
    main()
