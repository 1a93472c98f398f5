"""Times the drop-in builders beside what they replace, on the same requests, results compared first.

make bench-drop-in

Documents and sections stand beside zerda, packets beside a plain-Python reading of their rules, because the original
is no Python. Prints Markdown: CPU milliseconds a build, the least of rounds in which both take turns, one thread. Ends
with an error where results differ.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from brimful.kernels import active
from compare.drop_in_contests import SIZES, documents, packets, sections
from compare.timing import against, least_times, milliseconds, table, times

if TYPE_CHECKING:
    from collections.abc import Iterator

    from compare.drop_in_contests import Contest

HEAD: Final = ("builder", "documents", "brimful", "what it replaces", "replaced / brimful", "equal")
SLOW: Final = 500
"""What is replaced is timed once where there are more documents: a build may take it half a minute."""


def main() -> None:
    """Print the table."""
    assert active().name == "rust", "the extension is what is measured"
    sys.stdout.write(table(HEAD, lines()))


def lines() -> Iterator[tuple[str, ...]]:
    """Give a line for each builder and size."""
    for make in (documents, sections, packets):
        for count in SIZES:
            for contest in make(count):
                yield line(contest)


def line(contest: Contest) -> tuple[str, ...]:
    """Compare, then time."""
    assert contest.ours() == contest.theirs(), f"{contest.name}, {contest.count} documents: results differ"
    once = ["theirs"] if contest.count > SLOW else []
    found = least_times({"ours": contest.build, "theirs": contest.replaced}, once=once)
    return (
        contest.name,
        f"{contest.count:,}",
        milliseconds(found["ours"]),
        milliseconds(found["theirs"]),
        compare(found["theirs"], found["ours"], contest.target),
        contest.compared,
    )


def compare(theirs: float, ours: float, target: float | None) -> str:
    """Write the ratio, beside its target where it has one."""
    return against(theirs, ours, target) if target else times(theirs / ours)


if __name__ == "__main__":
    main()
