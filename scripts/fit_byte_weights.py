"""Fits the byte weights of the estimate rules `script` and `script_safe`, and reports how far off they are.

    pip download --no-deps --no-binary Django --group fit -d TEXTS      the packages learned from, into TEXTS
    python scripts/fit_byte_weights.py TEXTS                            writes python/brimful/data/byte_weights.bin
    python scripts/fit_byte_weights.py --check FOLDER                   what they give on the *.txt.gz of FOLDER

`calibration_texts.py` has the texts and their shares. They are cut into pieces of 1,000 code points and counted
exactly. A weight is a u16 in 1/1024 token, little-endian; the file has 512 bytes a rule, one weight a byte value.
Nothing is drawn at random: each run writes the same bytes.

`script` minimises the mean absolute relative error against o200k_base. `script_safe` is a high quantile of the dearer
of o200k_base and cl100k_base, with a margin on top, and is for no byte below `script`. The classes, shares, quantile
and margin were chosen by texts of yet other packages (Chinese reviews and news, Korean law, Python, Rust, JavaScript).
"""

from __future__ import annotations

import argparse
import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

import brimful
from calibration_texts import read_texts, spaced_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from brimful.config import Encoding

    Floats = NDArray[np.float64]

WEIGHTS: Final = Path(__file__).parent.parent / "python" / "brimful" / "data" / "byte_weights.bin"
ENCODINGS: Final[tuple[Encoding, ...]] = ("o200k_base", "cl100k_base")
PIECE: Final = 1000
ONE_TOKEN: Final = 1024
# No byte that starts a character is free: a run of it costs something in every encoding.
LEAST: Final = 0.08
# A class that no text shows stays near the first, or in `script_safe` near one token a byte: no token is shorter.
PRIOR, SAFE_PRIOR, PRIOR_SHARE = 0.25, 1.0, 1e-5
QUANTILE, MARGIN = 0.999, 1.05
ROUNDS, SWEEPS = 40, 40

# Digits and capitals are told apart by accidents of the texts only; other printable ASCII by what it is used for.
CLASSES: Final[dict[str, bytes]] = {
    "control": bytes([*range(9), 11, 12, *range(14, 32), 127]),
    "digit": b"0123456789",
    "capital": bytes(range(0x41, 0x5B)),
    **{
        repr(chr(byte)): bytes([byte])
        for byte in b"\t\n\r" + bytes(range(32, 127))
        if not chr(byte).isdigit() and not chr(byte).isupper()
    },
    "latin C2-CC": bytes(range(0xC2, 0xCD)),
    "greek CD-CF": bytes(range(0xCD, 0xD0)),
    "cyrillic D0-D1": bytes([0xD0, 0xD1]),
    "cyrillic D2-D3": bytes([0xD2, 0xD3]),
    "armenian D4-D5": bytes(range(0xD4, 0xD6)),
    "hebrew D6-D7": bytes(range(0xD6, 0xD8)),
    "arabic D8-DF": bytes(range(0xD8, 0xE0)),
    "indic, thai E0": b"\xe0",
    "georgian, khmer E1": b"\xe1",
    "punctuation E2": b"\xe2",
    "kana E3": b"\xe3",
    "han E4-E9": bytes(range(0xE4, 0xEA)),
    "hangul EA-ED": bytes(range(0xEA, 0xEE)),
    "forms EE-EF": bytes([0xEE, 0xEF]),
    "emoji F0-F4": bytes(range(0xF0, 0xF5)),
}
# Continuation bytes are in no class and weigh 0: the number of them is fixed by the first byte, which carries them.
MEMBERS: Final = np.array([[byte in found for found in CLASSES.values()] for byte in range(256)], dtype=np.float64)
# Bytes of a character of each class.
LENGTHS: Final = np.array([1 + sum(found[0] >= first for first in (0xC2, 0xE0, 0xF0)) for found in CLASSES.values()])


@dataclass(frozen=True, slots=True)
class Pieces:
    """n pieces of text: bytes by class (n, classes), exact tokens by `ENCODINGS` (n, 2), shares that add up to 1."""

    classes: Floats
    tokens: Floats
    shares: Floats


def cut(text: str) -> list[str]:
    """Cut a text into whole pieces; the rest of it is left out."""
    return [text[start : start + PIECE] for start in range(0, len(text) - PIECE + 1, PIECE)]


def count_exactly(pieces: Sequence[str]) -> Floats:
    """Count the tokens of pieces: (n, 2)."""
    return np.array([brimful.count_tokens(pieces, encoding=encoding) for encoding in ENCODINGS], dtype=np.float64).T


def measure(texts: Mapping[str, tuple[str, float]]) -> Pieces:
    """Cut and count the texts of at least one whole piece. A text's share is spread evenly over its pieces."""
    found = [(pieces, share) for text, share in texts.values() if (pieces := cut(text))]
    every = [piece for pieces, _ in found for piece in pieces]
    counts = [np.bincount(np.frombuffer(piece.encode(), np.uint8), minlength=256) for piece in every]
    shares = np.concatenate([np.full(len(pieces), share / len(pieces)) for pieces, share in found])
    return Pieces(np.array(counts) @ MEMBERS, count_exactly(every), shares / shares.sum())


def fit_quantile(rows: Floats, shares: Floats, quantile: float, prior: Floats, least: Floats) -> Floats:
    """Fit weights, `least` or more, so that `rows @ weights` is 1 or more in this share of the rows.

    Quantile regression by reweighted least squares (Schlossmacher 1973), each round solved by coordinate descent and
    drawn a little to `prior`. At 0.5 it minimises the mean absolute error.
    """
    found, focus = np.maximum(prior, least), shares
    for _ in range(ROUNDS):
        gram = rows.T @ (rows * focus[:, None]) + PRIOR_SHARE * np.eye(len(found))
        right = rows.T @ focus + PRIOR_SHARE * prior
        for _ in range(SWEEPS):
            for index in range(len(found)):
                step = (right[index] - gram[index] @ found) / gram[index, index]
                found[index] = max(least[index], found[index] + step)
        short = 1 - rows @ found
        focus = shares * np.where(short > 0, quantile, 1 - quantile) / np.maximum(np.abs(short), 0.01)
        focus /= focus.sum()
    return found


def fit(texts: Mapping[str, tuple[str, float]], spaced: Mapping[str, tuple[str, float]]) -> NDArray[np.uint16]:
    """Fit both rows of weights, (2, 256), in 1/1024 token; only `script_safe` learns from spaced text."""
    pieces = measure(texts)
    rows = pieces.classes / pieces.tokens[:, :1]
    likely = fit_quantile(rows, pieces.shares, 0.5, PRIOR * LENGTHS, np.full(len(CLASSES), LEAST))
    pieces = measure({**texts, **spaced})
    rows = pieces.classes / pieces.tokens.max(axis=1, keepdims=True)
    safe = MARGIN * fit_quantile(rows, pieces.shares, QUANTILE, SAFE_PRIOR * LENGTHS, likely)
    return np.rint(np.array([likely, safe]) @ MEMBERS.T * ONE_TOKEN).astype(np.uint16)


def learn(folder: Path) -> None:
    """Fit on the packages in a folder, write the weights and print them."""
    texts = read_texts(folder)
    weights = fit(texts, spaced_texts(texts))
    WEIGHTS.write_bytes(weights.astype("<u2").tobytes())
    print(f"{'tokens a byte':20} script  script_safe")
    for name, members in CLASSES.items():
        print(f"{name:20} {weights[0, members[0]] / ONE_TOKEN:6.3f}  {weights[1, members[0]] / ONE_TOKEN:11.3f}")


def report(folder: Path) -> None:
    """Print a row of a table a file: what the written weights give on pieces of it, o200k_base / cl100k_base."""
    print("| text | pieces | `script`: mean absolute error, % | `safe=True`: covered, % | `safe=True`: mean over, % |")
    print("|---|--:|--:|--:|--:|")
    for path in sorted(folder.glob("*.txt.gz")):
        pieces = cut(gzip.decompress(path.read_bytes()).decode())
        exact = count_exactly(pieces)
        likely, safe = (brimful.estimate_tokens(pieces, safe=safe)[:, None] for safe in (False, True))
        figures = (np.abs(likely / exact - 1), safe >= exact, safe / exact - 1)
        columns = (" / ".join(f"{100 * each:.1f}" for each in figure.mean(axis=0)) for figure in figures)
        print(f"| {path.name.removesuffix('.txt.gz')} | {len(pieces):,} | {' | '.join(columns)} |")


def main() -> None:
    """Fit, or report."""
    parser = argparse.ArgumentParser(description="Fits the byte weights of the estimate rules.")
    parser.add_argument("folder", type=Path, help="the packages, or with --check the texts")
    parser.add_argument("--check", action="store_true", help="report on the written weights, fit nothing")
    given = parser.parse_args()
    (report if given.check else learn)(given.folder)


if __name__ == "__main__":
    main()
