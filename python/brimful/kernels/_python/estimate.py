"""Token estimates that need no vocabulary."""

from __future__ import annotations

import functools
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from brimful.config import AdditiveRule, EstimateRule

ONE_TOKEN = 1024
ROWS: tuple[AdditiveRule, ...] = ("script", "script_safe")


def estimate_tokens(texts: Sequence[str], /, *, rule: EstimateRule) -> NDArray[np.int64]:
    """Return the estimated tokens of each text: int64, in the order of the texts.

    Time is linear in the length of the texts. The texts must encode as UTF-8 and the rule be known; what the rules
    are is in `RULES`, and where the weights come from in `scripts/fit_byte_weights.py`.

    >>> estimate_tokens(["one two three", ""], rule="words_times_1_3").tolist()
    [3, 0]
    """
    return np.fromiter(map(RULES[rule], texts), dtype=np.int64, count=len(texts))


def weigh_tokens(texts: Sequence[str], /, *, rule: AdditiveRule) -> NDArray[np.int64]:
    """Return what `script` and `script_safe` round up, in 1/1024 token: additive over the pieces of a text.

    >>> whole, *pieces = weigh_tokens(["one two", "one", " two"], rule="script").tolist()
    >>> whole == pieces[0] + pieces[1]
    True
    """
    return np.fromiter((weigh(text, rule) for text in texts), dtype=np.int64, count=len(texts))


def words_div_4(text: str) -> int:
    """Take a quarter of the words, at least 1, also of an empty text (seed 000)."""
    return max(1, len(text.split()) // 4)


def words_times_1_3(text: str) -> int:
    """Take 1.3 tokens a word in float64, rounded down (seed 001)."""
    return int(len(text.split()) * 1.3)


def utf16_div_4(text: str) -> int:
    """Take a quarter of the UTF-16 units, which are JavaScript's length, rounded up (seed 004)."""
    units = len(text.encode("utf-16-le")) // 2
    return -(-units // 4)


def chars_div_4(text: str) -> int:
    """Take a quarter of the code points, rounded down."""
    return len(text) // 4


def script(text: str) -> int:
    """Add up the fitted weights of the UTF-8 bytes, in 1/1024 token, and round up."""
    return -(-weigh(text, "script") // ONE_TOKEN)


def script_safe(text: str) -> int:
    """Do the same with weights that overestimate: byte for byte at least those of `script`."""
    return -(-weigh(text, "script_safe") // ONE_TOKEN)


def weigh(text: str, row: AdditiveRule) -> int:
    """Add up the weights of the bytes: whole numbers, so the sum is the same in any order."""
    counts = np.bincount(np.frombuffer(text.encode(), dtype=np.uint8), minlength=256)
    return int(counts @ byte_weights()[row])


@functools.cache
def byte_weights() -> dict[AdditiveRule, NDArray[np.int64]]:
    """Read the file of both back ends: for each row 256 little-endian u16, in 1/1024 token."""
    data = (files("brimful") / "data" / "byte_weights.bin").read_bytes()
    rows = np.frombuffer(data, dtype="<u2").reshape(len(ROWS), 256).astype(np.int64)
    return dict(zip(ROWS, rows, strict=True))


RULES: dict[EstimateRule, Callable[[str], int]] = {
    "words_div_4": words_div_4,
    "words_times_1_3": words_times_1_3,
    "utf16_div_4": utf16_div_4,
    "chars_div_4": chars_div_4,
    "script": script,
    "script_safe": script_safe,
}
