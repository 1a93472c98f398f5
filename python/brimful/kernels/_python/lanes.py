"""Dot products that give the same bits on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from brimful.kernels.vectors import Rows

LANES = 16
ROWS_A_BLOCK = 256
"""The products of so many rows are held at once."""


def dots(rows: Rows, row: NDArray[np.float64]) -> NDArray[np.float64]:
    """Multiply each of n rows with one: component j in lane j mod 16, the lanes added 8, 4, 2 and 1 apart."""
    found = np.empty(len(rows), dtype=np.float64)
    for start in range(0, len(rows), ROWS_A_BLOCK):
        block = rows[start : start + ROWS_A_BLOCK].astype(np.float64) * row
        found[start : start + ROWS_A_BLOCK] = _add_lanes(block)
    return found


def squares(rows: Rows) -> NDArray[np.float64]:
    """Multiply each of n rows with itself."""
    found = np.empty(len(rows), dtype=np.float64)
    for start in range(0, len(rows), ROWS_A_BLOCK):
        block = rows[start : start + ROWS_A_BLOCK].astype(np.float64)
        found[start : start + ROWS_A_BLOCK] = _add_lanes(block * block)
    return found


def _add_lanes(products: NDArray[np.float64]) -> NDArray[np.float64]:
    count, width = products.shape
    padded = np.zeros((count, -(-width // LANES) * LANES))
    padded[:, :width] = products
    # Over an axis that is not the last one numpy adds row after row, in order.
    lanes: NDArray[np.float64] = np.add.reduce(padded.reshape(count, -1, LANES), axis=1, initial=0.0)
    apart = LANES // 2
    while apart:
        lanes = lanes[:, :apart] + lanes[:, apart : 2 * apart]
        apart //= 2
    return lanes[:, 0]
