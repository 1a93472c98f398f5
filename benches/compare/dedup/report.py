"""Times near-duplicates beside the libraries that find them, decisions compared first.

make bench-dedup [SIZE=100k] [ROUNDS=3] [KINDS="request corpus sample documentation variants"]

Prints Markdown and draws a plot. CPU time, one thread; the least of up to ROUNDS fresh processes, in rounds in which
the tools take turns. A ratio stands beside its target, in bold where it misses. Ends with an error where a decision of
ours differs from an exact one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from brimful.kernels import active
from compare.dedup import tables
from compare.dedup.inputs import KINDS, SIZES, write_inputs
from compare.dedup.plot import draw_plot
from compare.dedup.rounds import Rounds
from compare.dedup.rows import Row, measure_row
from compare.process import load_average

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PACKAGES: Final = ("brimful", "datasketch", "rensa", "gaoya", "SetSimilaritySearch", "polars", "numpy")
PARTS: Final = {
    "Microseconds of CPU a text": tables.time_table,
    "Times as long as brimful": tables.ratio_table,
    "Wrong decisions": tables.verdict_table,
    "The flagship's options, microseconds of CPU a text": tables.flagship_table,
    "Memory beyond the input, KB a text": tables.memory_table,
    "Growth": tables.growth_table,
    "Threads, microseconds a text": tables.thread_table,
}
EMPTY: Final = 2
"""Lines of a table without figures."""


def main() -> None:
    """Measure one input after the other, and print what was found even where one of them fails."""
    parser = argparse.ArgumentParser(description="Time near-duplicates")
    parser.add_argument("--largest", choices=SIZES, default="100k", help="most texts (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each tool at most (default: %(default)s)")
    parser.add_argument("--kinds", choices=KINDS, nargs="+", default=KINDS, help="of texts (default: all)")
    parser.add_argument("--plot", type=Path, required=True, help="where the plot goes")
    asked = parser.parse_args()
    assert active().name == "rust", "the extension is what is measured"
    start, rows = load_average(), list[Row]()
    try:
        with tempfile.TemporaryDirectory() as folder:
            rounds = Rounds(Path(folder), asked.rounds)
            for texts in write_inputs(Path(folder), SIZES[asked.largest], asked.kinds):
                rows.append(measure_row(rounds, texts))
    finally:
        sys.stdout.writelines(parts(rows, asked.rounds, start))
        if "corpus" in asked.kinds:
            draw_plot(rows, asked.plot)


def parts(rows: Sequence[Row], rounds: int, start: str) -> Iterator[str]:
    """Give the parts of the report."""
    yield f"{', '.join(f'{package} {metadata.version(package)}' for package in PACKAGES)};\n"
    yield f"up to {rounds} processes each; load average at the start: {start}; at the end: {load_average()}.\n\n"
    if not any(row.texts.kind == "documentation" for row in rows):
        yield "Documentation is left out: it was not asked for, or the machine has too little of it.\n\n"
    yield f"`{tables.LEFT_OUT}`: left out, as it takes more than a couple of minutes or more memory than there is.\n\n"
    for title, part in PARTS.items():
        if (written := part(rows)).count("\n") > EMPTY:
            yield f"### {title}\n\n{written}\n"


if __name__ == "__main__":
    main()
