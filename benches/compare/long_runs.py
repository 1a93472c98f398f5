"""A million characters without a place to cut: where a counter that merges the whole run at once takes for ever."""

from __future__ import annotations

import math
import random
import string
from typing import TYPE_CHECKING, Final

from brimful import count_tokens
from compare.counters import OURS, REFERENCE
from compare.rounds import exact_counts
from compare.timing import against, milliseconds, table, within

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from brimful.config import Encoding
    from compare.rounds import Findings, Rounds

LENGTH: Final = 1_000_000
SHORTER: Final = 250_000
WHITE: Final = 500_000
"""So many white-space characters are what tiktoken is given: it panics from about a million on."""
HAN: Final = [chr(code) for code in range(0x4E00, 0x9FA6)]
AGAINST_REFERENCE: Final = 3
LINEAR: Final = 1.25
"""How much more a character of the longer text may take."""
RUNS: Final[dict[str, Callable[[int], str]]] = {
    "`a`": lambda length: "a" * length,
    "spaces": lambda length: " " * length,
    "newlines": lambda length: "\n" * length,
    "random letters": lambda length: draw(string.ascii_lowercase, length),
    "random Han": lambda length: draw(HAN, length),
}
BPE: Final = "bpe-openai"
ONE_BYTE: Final = ("`a`", "spaces", "newlines")
HEAD: Final = ("tiktoken / brimful", "bpe-openai / brimful", "1 M / 250 k, a character")


def draw(characters: Sequence[str], length: int) -> str:
    """Draw characters, all as often."""
    return "".join(random.Random(1).choices(characters, k=length))


def long_table(rounds: Rounds, names: Sequence[str], encoding: Encoding) -> str:
    """Compare, then time, every kind of run: milliseconds a million characters."""
    return table(("characters", *names, *HEAD), long_lines(rounds, names, encoding))


def long_lines(rounds: Rounds, names: Sequence[str], encoding: Encoding) -> Iterator[tuple[str, ...]]:
    """Give a line of the table for each kind."""
    for kind in RUNS:
        found = measure(rounds, names, encoding, kind)
        ours, shorter = found[OURS][0], measure_ours(rounds, encoding, kind)
        yield (
            kind,
            *(cell for _, cell in found.values()),
            against(found[REFERENCE][0], ours, AGAINST_REFERENCE),
            against(found[BPE][0], ours, 1 if kind in ONE_BYTE else None) if BPE in found else "",
            within(ours / shorter, LINEAR, 2),
        )


def measure(rounds: Rounds, names: Sequence[str], encoding: Encoding, kind: str) -> dict[str, tuple[float, str]]:
    """Return the seconds a million characters of each counter, infinite where it fails, and the cell of the table."""
    text = RUNS[kind](LENGTH)
    panics = text.isspace()
    expected = count_ours(text, encoding) if panics else exact_counts([text], encoding)
    found = rounds.measure([text], encoding, [name for name in names if not (panics and name == REFERENCE)], seconds=0)
    cells = {name: cell(findings, expected) for name, findings in found.items()}
    if panics:
        fewer = [RUNS[kind](WHITE)]
        theirs = rounds.measure(fewer, encoding, [REFERENCE], seconds=0)[REFERENCE].first * LENGTH / WHITE
        exact_counts(fewer, encoding)
        cells[REFERENCE] = theirs, f"{milliseconds(theirs)} (of {WHITE // 1000} k)"
    return {name: cells[name] for name in names}


def cell(found: Findings, expected: Sequence[int]) -> tuple[float, str]:
    """Write the milliseconds, and how far the count is off."""
    if not found.measured:
        return math.inf, "fails"
    return found.first, milliseconds(found.first) + found.note(expected)


def measure_ours(rounds: Rounds, encoding: Encoding, kind: str) -> float:
    """Return the seconds a million characters that ours takes for a shorter run, whose count is tiktoken's."""
    text = [RUNS[kind](SHORTER)]
    exact_counts(text, encoding)
    return rounds.measure(text, encoding, [OURS], seconds=0)[OURS].first * LENGTH / SHORTER


def count_ours(text: str, encoding: Encoding) -> list[int]:
    """Count where tiktoken cannot: what the others are held against."""
    return [count_tokens(text, encoding=encoding)]
