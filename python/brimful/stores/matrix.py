"""Embeddings as rows of float32, and which of them are nearest: bounded in float32, decided exactly.

A float32 product over d components is off by at most `d * 2**-24` of the product of both lengths, in whatever order it
is added up. So one product of the rows with the query, as numpy has it, says of almost every row that it is not among
the nearest. The cosines of the few that are left come from the kernels: they are the same on every machine and
back end, and so is what is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from brimful.config import SelectionOptions
from brimful.kernels import active

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from brimful.stores.fields import Vector

    Floats = NDArray[np.float64]
    Places = NDArray[np.int64]

BLOCK: Final = 2048
"""Rows that are made room for at once."""
SLICE: Final = 4096
"""Rows that are copied at once to be compared exactly."""
_LOW, _HIGH = 2.0**-40, 2.0**40
_ALL: Final = SelectionOptions(mmr_lambda=1.0)
"""At lambda 1 the score of a selection is the cosine with the query."""


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors as the kernels have it: 0 where one of them is zero.

    >>> import numpy as np
    >>> cosine(np.array([3, 4], np.float32), np.array([3, 4], np.float32))
    1.0
    """
    return float(active().mmr_select(one, other.reshape(1, -1), _ALL).scores[0])


def cosines(query: Vector, rows: NDArray[np.float32]) -> Floats:
    """Return the cosine of each row with the query, float64."""
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    found = active().mmr_select(query, rows, _ALL)
    exact = np.empty(len(rows))
    exact[found.indices] = found.scores
    return exact


class Bounded(NamedTuple):
    """Cosines of all rows, off by at most `margin`; NaN for a row of which nothing is said."""

    cosines: NDArray[np.float32]
    margin: float


class EmbeddingMatrix:
    """Rows of `width` float32 in blocks: it grows without being copied, and holds each number once."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._blocks: list[NDArray[np.float32]] = []
        self._scales: list[NDArray[np.float32]] = []
        self._count = 0

    def __len__(self) -> int:
        """Return how many rows there are."""
        return self._count

    def append(self, vector: Vector | None) -> None:
        """Add a row, a zero one for None."""
        import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

        if self._count == len(self._blocks) * BLOCK:
            self._blocks.append(np.empty((BLOCK, self.width), np.float32))
            self._scales.append(np.empty(BLOCK, np.float32))
        self._count += 1
        self.set(self._count - 1, vector)

    def set(self, row: int, vector: Vector | None) -> None:
        """Overwrite a row, with a zero one for None."""
        block, place = divmod(row, BLOCK)
        self._blocks[block][place] = 0 if vector is None else vector
        self._scales[block][place] = 0 if vector is None else _scale(vector)

    def row(self, row: int) -> Vector:
        """Return a copy of a row."""
        block, place = divmod(row, BLOCK)
        vector: Vector = self._blocks[block][place].copy()
        vector.flags.writeable = False
        return vector

    def cut(self, count: int) -> None:
        """Keep the first `count` rows."""
        blocks = -(-count // BLOCK)
        del self._blocks[blocks:], self._scales[blocks:]
        self._count = count

    def bound(self, query: Vector) -> Bounded:
        """Return what one float32 product says of all rows."""
        import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

        wide = query.astype(np.float64)
        largest = float(np.abs(wide).max())
        if largest == 0:
            return Bounded(np.zeros(self._count, np.float32), 0.0)
        wide /= largest
        unit = (wide / np.sqrt(wide @ wide)).astype(np.float32)
        found = np.empty(self._count, np.float32)
        for at, (block, scales) in enumerate(zip(self._blocks, self._scales, strict=True)):
            part = found[at * BLOCK : (at + 1) * BLOCK]
            with np.errstate(over="ignore", invalid="ignore"):
                np.matmul(block[: len(part)], unit, out=part)
                part *= scales[: len(part)]
        return Bounded(found, (self.width + 8) * 1.01 * 2.0**-24)

    def exact(self, query: Vector, rows: Sequence[int] | Places) -> Floats:
        """Return the cosines of some rows, float64."""
        import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

        chosen = np.asarray(rows, dtype=np.int64)
        found = np.empty(len(chosen))
        for start in range(0, len(chosen), SLICE):
            part = chosen[start : start + SLICE]
            taken = np.empty((len(part), self.width), np.float32)
            for place, row in enumerate(part.tolist()):
                block, within = divmod(row, BLOCK)
                taken[place] = self._blocks[block][within]
            found[start : start + SLICE] = cosines(query, taken)
        return found


def _scale(vector: Vector) -> float:
    """Return what makes a product with a unit vector a cosine; NaN where float32 might not hold the product."""
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    wide = vector.astype(np.float64)
    length = float(np.sqrt(wide @ wide))
    if length == 0 and not vector.any():
        return 0.0
    return 1 / length if _LOW <= length <= _HIGH else float("nan")
