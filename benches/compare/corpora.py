"""First and later passes over whole texts of several languages, and over chunks that were counted before."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from compare.counters import OURS, REFERENCE
from compare.rounds import ENCODINGS, exact_counts
from compare.timing import against, beside, table
from languages import language_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from brimful.config import Encoding
    from compare.rounds import Findings, Rounds

MEGABYTE: Final = 1e6
CHUNK: Final = re.compile(r"(?:\S+\s+){200}")
CHUNKS: Final = 100


@dataclass(frozen=True, slots=True)
class Target:
    """How many times as fast as a peer ours shall be, in the first pass and later."""

    tiktoken: tuple[float, float]
    quicktok: tuple[float, float]
    gigatoken: tuple[float | None, float | None] = (None, None)


LATIN: Final = Target((7, 14), (1.6, 3.6), (1, None))
EUROPEAN: Final = Target((4.5, 15), (2.1, 4.2), (1, None))
EAST_ASIAN: Final = Target((3.6, 14), (1.9, 4.2), (1.1, 1.1))
TARGETS: Final = {
    "english": LATIN,
    "python": LATIN,
    "javascript": LATIN,
    "code": LATIN,
    "json": Target((28, 42), (3.5, 4), (1, None)),
    "german": EUROPEAN,
    "french": EUROPEAN,
    "chinese": EAST_ASIAN,
    "japanese": EAST_ASIAN,
    "korean": Target((5.9, 17), (1.7, 3.1), (1.1, 1.1)),
    "russian": Target((2.9, 6.7), (1.1, 1.9)),
    "emoji": Target((5, 8), (1.7, 2.3), (1.1, 1.1)),
}
"""By the first part of a text's name, up to an underscore; others have none."""
REPEATED: Final = {REFERENCE: 26, "quicktok": 7, "gigatoken": 1.1}
COMPARED: Final = (REFERENCE, "quicktok", "gigatoken")


def read_corpora(folder: Path | None) -> dict[str, str]:
    """Read the texts of a folder, packed or not; without one, make some."""
    if folder is None:
        return language_texts()
    paths = sorted([*folder.glob("*.txt"), *folder.glob("*.txt.gz")])
    assert paths, f"no *.txt and no *.txt.gz in {folder}"
    return {path.name.partition(".")[0]: read(path) for path in paths}


def read(path: Path) -> str:
    """Read a text as it is, whatever its line ends."""
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode()


def corpora_table(rounds: Rounds, corpora: Mapping[str, str], names: Sequence[str], encoding: Encoding) -> str:
    """Compare, then time, every text."""
    peers = [name for name in COMPARED if name in names]
    passes = [f"{peer}, {which}" for peer in peers for which in ("first", "later")]
    return table(("text", "KB", *names, *passes), corpora_lines(rounds, corpora, names, encoding))


def corpora_lines(
    rounds: Rounds, corpora: Mapping[str, str], names: Sequence[str], encoding: Encoding
) -> Iterator[tuple[str, ...]]:
    """Give a line of the table for each text."""
    for name, text in corpora.items():
        size, expected = len(text.encode()), exact_counts([text], encoding)
        found = rounds.measure([text], encoding, names)
        target = TARGETS.get(name.partition("_")[0])
        yield (
            name,
            f"{size / 1e3:,.0f}",
            *(speeds(found[peer], size, expected) for peer in names),
            *(ratio for peer in COMPARED if peer in names for ratio in ratios(found, peer, target)),
        )


def speeds(found: Findings, size: int, expected: Sequence[int]) -> str:
    """Write the MB/s of the first pass and of later ones, and how far the count is off."""
    if not found.measured:
        return "fails"
    return f"{speed(size, found.first)} / {speed(size, found.later)}{found.note(expected)}"


def speed(size: int, seconds: float) -> str:
    """Write MB/s."""
    value = size / seconds / MEGABYTE
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def ratios(found: Mapping[str, Findings], peer: str, target: Target | None) -> tuple[str, str]:
    """Write how many times as long a peer takes: in the first pass, and later."""
    if not found[peer].measured:
        return "", ""
    first, later = getattr(target, peer) if target else (None, None)
    ours, theirs = found[OURS], found[peer]
    return beside(theirs.first / ours.first, first), beside(theirs.later / ours.later, later)


def chunk_table(rounds: Rounds, corpora: Mapping[str, str], names: Sequence[str]) -> str:
    """Compare, then time, chunks of 200 words, microseconds each."""
    compared = [name for name in COMPARED if name in names]
    return table(("encoding", "chunks", "KB", *names, *compared), chunk_lines(rounds, corpora, names, compared))


def chunk_lines(
    rounds: Rounds, corpora: Mapping[str, str], names: Sequence[str], compared: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """Give a line of the table for each encoding."""
    chunks = cut_chunks(corpora)[:CHUNKS]
    size = sum(len(chunk.encode()) for chunk in chunks)
    for encoding in ENCODINGS:
        expected = exact_counts(chunks, encoding)
        for later in ("seen before", "new, words seen"):
            found = rounds.measure(chunks, encoding, names, new=later != "seen before")
            yield (
                encoding,
                later,
                f"{size / 1e3:,.0f}",
                *(f"{found[name].later / len(chunks) * 1e6:,.1f}{found[name].note(expected)}" for name in names),
                *(against(found[name].later, found[OURS].later, REPEATED[name]) for name in compared),
            )


def cut_chunks(corpora: Mapping[str, str]) -> list[str]:
    """Cut chunks of 200 words."""
    found: list[str] = CHUNK.findall(first_english(corpora))
    assert len(found) >= CHUNKS, f"the text has only {len(found)} chunks of 200 words"
    return found


def first_english(corpora: Mapping[str, str]) -> str:
    """Return the first English text, or else the first that there is."""
    return next((text for name, text in corpora.items() if name.startswith("english")), next(iter(corpora.values())))
