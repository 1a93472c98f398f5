"""Cosines of dense rows, and selection by them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from brimful.kernels._python.lanes import dots, squares
from brimful.kernels._python.mmr import select
from brimful.kernels._python.tokens.count import count_tokens
from brimful.kernels.vectors import check_finite_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from brimful.config import Encoding, First
    from brimful.kernels.vectors import Rows

LARGEST_UNSCALED = 2.0**300


def mmr_select_dense(
    query: Rows | None,
    vectors: Rows,
    /,
    *,
    relevance: NDArray[np.float64] | None,
    mmr_lambda: float,
    first: First,
    limit: int | None,
    costs: NDArray[np.int64] | None,
    texts: Sequence[str] | None,
    encoding: Encoding | None,
    budget: int | None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Select rows by maximal marginal relevance; `contract.Kernels.mmr_select_dense` specifies it."""
    if query is not None:
        check_finite_rows(query, name="query")
    check_finite_rows(vectors, name="candidates")
    asked = None if query is None else Measured.of(query[np.newaxis, :])
    rows = Measured.of(vectors)
    if asked is not None:
        relevance = rows.cosines(asked.rows[0].astype(np.float64), float(asked.norms[0]))
    if relevance is None:
        relevance = np.zeros(len(vectors))
    if texts is not None and encoding is not None:
        costs = count_tokens(texts, encoding=encoding)
    return select(rows, relevance, mmr_lambda=mmr_lambda, first=first, limit=limit, costs=costs, budget=budget)


@dataclass(frozen=True, slots=True)
class Measured:
    """Rows, scaled where they must be, and their norms."""

    rows: Rows
    norms: NDArray[np.float64]

    @classmethod
    def of(cls, rows: Rows) -> Measured:
        """Scale and measure rows."""
        if rows.dtype == np.float64 and rows.size:
            largest = np.abs(rows).max(axis=1)
            rows = rows * np.array([scale_of(float(magnitude)) for magnitude in largest])[:, np.newaxis]
        return cls(rows, np.sqrt(squares(rows)))

    def to(self, pick: int) -> NDArray[np.float64]:
        """Return the cosine of every row with one of them."""
        return self.cosines(self.rows[pick].astype(np.float64), float(self.norms[pick]))

    def cosines(self, row: NDArray[np.float64], norm: float) -> NDArray[np.float64]:
        """Return the cosine of every row with another: the dot product over both norms, 0 where a row has none."""
        both = self.norms * norm
        return np.divide(dots(self.rows, row), both, out=np.zeros(len(both)), where=both > 0)


def scale_of(largest: float) -> float:
    """Return the power of two that a float64 row is taken times: 1 where its squares are safe as they are."""
    if largest == 0 or 1 / LARGEST_UNSCALED <= largest <= LARGEST_UNSCALED:
        return 1.0
    exponent = math.frexp(largest)[1] - 1
    return math.ldexp(1.0, -max(-1022, exponent))
