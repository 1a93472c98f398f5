"""The texts that near-duplicates are found in, written to files: what is measured reads them in its own process."""

from __future__ import annotations

import functools
import json
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from compare.dedup.documentation import read_documentation
from workloads import request_texts, write_corpus, write_variants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

SEED: Final = 1
REQUEST: Final = 100
SIZES: Final = {"100": 100, "1k": 1_000, "10k": 10_000, "100k": 100_000, "1m": 1_000_000}
VARIANTS: Final = 5_000
NAMES: Final = {
    "request": " chunks of 200 words",
    "corpus": "",
    "sample": " of documentation, sampled",
    "documentation": " of documentation",
    "variants": " variants",
}
KINDS: Final = tuple(NAMES)
LARGE: Final = 100_000
"""The size from which on documentation and variants are worth their time."""
SAMPLED: Final = 9
"""Every so many chunks of documentation are few enough for the Python back end: its time is quadratic there."""


@dataclass(frozen=True, slots=True)
class Input:
    """A file of `n` texts; `kind` is one of KINDS."""

    kind: str
    n: int
    path: Path = field(repr=False)

    def __str__(self) -> str:
        """Name it, for the tables."""
        return f"{self.n:,}{NAMES[self.kind]}"


def write_inputs(folder: Path, largest: int, kinds: Sequence[str] = KINDS) -> Iterator[Input]:
    """Write one input after the other, for as long as the caller wants: its file is deleted when it asks for the next.

    There is no documentation where the machine has none, and none of what is large where less is asked for.
    """
    makers: dict[str, list[Callable[[], Iterable[str]]]] = {
        "request": [functools.partial(request_texts, REQUEST, SEED)],
        "corpus": [functools.partial(write_corpus, size, SEED) for size in SIZES.values() if size <= largest],
        "sample": [lambda: documentation()[::SAMPLED]] if largest >= LARGE else [],
        "documentation": [documentation] if largest >= LARGE else [],
        "variants": [functools.partial(write_variants, VARIANTS, SEED)] if largest >= LARGE else [],
    }
    for kind in kinds:
        for make in makers[kind]:
            yield from write(kind, make(), folder)


@functools.cache
def documentation() -> list[str]:
    """Read the documentation, once."""
    return read_documentation()


def write(kind: str, texts: Iterable[str], folder: Path) -> Iterator[Input]:
    """Write a text a line, as JSON."""
    path, n = folder / f"{kind}.jsonl", 0
    with path.open("w", encoding="utf-8") as lines:
        for text in texts:
            lines.write(json.dumps(text, ensure_ascii=False) + "\n")
            n += 1
    if n:
        yield Input(kind, n, path)
    path.unlink()


def read_texts(path: Path) -> list[str]:
    """Read the texts in the order of their priority, which is a random one, and the same in every process."""
    with path.open(encoding="utf-8") as lines:
        texts = [json.loads(line) for line in lines]
    random.Random(SEED).shuffle(texts)
    return texts
