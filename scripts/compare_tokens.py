"""Holds the exact counts of the active back end against tiktoken, in both encodings, and prints every difference.

    make fuzz-tokens                        1,000,000 hostile strings; COUNT=... and SEED=... say otherwise
    PYTHONPATH=tests BRIMFUL_BACKEND=python python scripts/compare_tokens.py --count 10000
    PYTHONPATH=tests python scripts/compare_tokens.py --count 0 FILE...

The strings are those of `tests/hostile.py`, the same for the same seed. A file (UTF-8, perhaps packed as `.gz`) is
counted whole and in pieces of 1,000 code points. Needs the dependency group `references`. Progress goes to stderr. The
exit status is 1 where something differs. tiktoken panics from about a million white-space characters in a row on.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

from brimful.config import Encoding
from brimful.kernels import active
from hostile import hostile_texts
from references.offline_tiktoken import load_tiktoken

if TYPE_CHECKING:
    from collections.abc import Iterator

BATCH: Final = 2_000
PIECE: Final = 1_000
SHOWN: Final = 100
PAUSE: Final = 10.0


def main() -> int:
    """Compare what the command line asks for; the exit status says whether all counts were equal."""
    parser = argparse.ArgumentParser(description="Compare exact token counts with tiktoken's")
    parser.add_argument("files", type=Path, nargs="*", help="texts to count whole and by pieces of 1,000 code points")
    parser.add_argument("--count", type=int, default=1_000_000, help="hostile strings (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the hostile strings (default: %(default)s)")
    asked = parser.parse_args()
    different = compare_files(asked.files) + compare_hostile_texts(asked.seed, asked.count)
    print(f"back end {active().name}, {len(asked.files)} files, {asked.count} strings of seed {asked.seed}: ", end="")
    print(f"{different} differences")
    return int(different > 0)


def compare_files(paths: list[Path]) -> int:
    """Return the number of differences in the files."""
    different = 0
    for path in paths:
        text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode()
        pieces = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
        for encoding in get_args(Encoding):
            whole, *parts = active().count_tokens([text, *pieces], encoding=encoding).tolist()
            print(f"{path.name} {encoding}: whole {whole}, sum of {len(parts)} pieces {sum(parts)}", file=sys.stderr)
        different += compare([text, *pieces], path.name)
    return different


def compare_hostile_texts(seed: int, count: int) -> int:
    """Return the number of differences in the first `count` strings of a seed."""
    different, done, spoken = 0, 0, time.monotonic()
    for texts in batches(hostile_texts(seed, count)):
        different += compare(texts, f"seed {seed}")
        done += len(texts)
        if time.monotonic() - spoken > PAUSE or done == count:
            spoken = time.monotonic()
            print(f"{done} of {count} strings, {different} differences", file=sys.stderr, flush=True)
    return different


def batches(texts: Iterator[str]) -> Iterator[list[str]]:
    """Give the texts in lists."""
    while batch := [*itertools.islice(texts, BATCH)]:
        yield batch


def compare(texts: list[str], name: str) -> int:
    """Print the texts whose counts differ and return how often one does."""
    different = 0
    for encoding in get_args(Encoding):
        found = active().count_tokens(texts, encoding=encoding).tolist()
        tiktoken = load_tiktoken(encoding)
        for text, count in zip(texts, found, strict=True):
            expected = len(tiktoken.encode_ordinary(text))
            if count != expected:
                different += 1
                print(f"{name} {encoding}: {count} instead of {expected} in {shorten(text)}")
    return different


def shorten(text: str) -> str:
    """Return the repr of a text, of a long one that of its beginning and its end."""
    if len(text) <= 2 * SHOWN:
        return ascii(text)
    return f"{text[:SHOWN]!a}... of {len(text)} characters ...{text[-SHOWN:]!a}"


if __name__ == "__main__":
    sys.exit(main())
