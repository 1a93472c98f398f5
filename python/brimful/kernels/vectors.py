"""Vectors from whatever holds them, as rows that a kernel can read in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimful.config import show
from brimful.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Rows = NDArray[np.float32] | NDArray[np.float64]


def as_rows(vectors: ArrayLike, *, name: str = "vectors") -> Rows:
    """Return n vectors of d components as a C-contiguous (n, d) array of the machine's own float32 or float64.

    Such an array is given back as it is; views of any stride are copied, and integers, booleans, float16,
    other byte orders and lists become float64, so that no product of small integers can overflow. Linear.

    Raises InputError for what is not numeric or not (n, d), object arrays included, and for a component that is not
    finite, with its row and column.

    >>> as_rows([[1, 2], [3, 4]]).dtype.name
    'float64'
    """
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    try:
        rows = _numeric(np.asarray(vectors))
    except (TypeError, ValueError):
        message = f"{name} must be numbers in rows of one length, got {show(vectors)}"
        raise InputError(message) from None
    if rows.ndim != 2:  # noqa: PLR2004 - rows and columns
        message = f"{name} must have 2 dimensions (rows, components), got {rows.ndim}"
        raise InputError(message)
    finite = np.isfinite(rows)
    if not finite.all():
        row, column = (int(place) for place in np.argwhere(~finite)[0])
        message = f"{name}[{row}][{column}] must be finite, got {rows[row, column]}"
        raise InputError(message)
    return rows


def _numeric(given: NDArray[np.generic]) -> Rows:
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    if given.dtype.kind not in "biuf":
        message = f"{given.dtype} is no type of real numbers"
        raise TypeError(message)
    if given.dtype == np.float32:
        return np.ascontiguousarray(given, dtype=np.float32)
    return np.ascontiguousarray(given, dtype=np.float64)
