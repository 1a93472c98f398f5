"""Vectors from whatever holds them, as rows that a kernel can read in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from brimful.config import show
from brimful.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    Rows = NDArray[np.float32] | NDArray[np.float64]
    """(n, d), C-contiguous."""
    Row = NDArray[np.float32] | NDArray[np.float64]
    """(d,), C-contiguous."""


def as_rows(vectors: ArrayLike, *, name: str = "vectors") -> Rows:
    """Return n vectors of d components as a C-contiguous (n, d) array of the machine's own float32 or float64.

    Such an array is given back as it is; views of any stride are copied, and integers, booleans, float16,
    other byte orders and lists become float64, so that no product of small integers can overflow. Linear.

    Raises InputError for what is not numeric or not (n, d), object arrays included, and for masked components. Whether
    the components are finite is seen by the kernel, which reads them anyway.

    >>> as_rows([[1, 2], [3, 4]]).dtype.name
    'float64'
    """
    _check_unmasked(vectors, name)
    try:
        rows = _numeric(np.asarray(vectors))
    except (TypeError, ValueError):
        message = f"{name} must be numbers in rows of one length, got {_show_misfit(vectors, name)}"
        raise InputError(message) from None
    if rows.ndim != 2:  # noqa: PLR2004 - rows and columns
        message = f"{name} must have 2 dimensions (rows, components), got {rows.ndim}"
        raise InputError(message)
    return rows


def as_row(vector: ArrayLike, *, like: Rows, name: str, of: str = "candidates") -> Row:
    """Return one vector of as many components as the rows `like` have, in their type; `of` is their name."""
    _check_unmasked(vector, name)
    try:
        row = _numeric(np.asarray(vector))
    except (TypeError, ValueError):
        message = f"{name} must be a vector of numbers, got {_show_misfit(vector, name)}"
        raise InputError(message) from None
    if row.shape != like.shape[1:]:
        message = f"{name} must have {like.shape[1]:,} components as the {of} have, got shape {row.shape}"
        raise InputError(message)
    if row.dtype == like.dtype:
        return row
    if like.dtype == np.float64:
        return cast("Row", row.astype(like.dtype, copy=False))
    with np.errstate(over="ignore"):
        narrowed: Row = row.astype(np.float32)
    lost = np.isfinite(row) & ~np.isfinite(narrowed)
    if lost.any():
        column = int(np.argmax(lost))
        message = f"{name}[{column}] must fit float32, the type of the {of}, got {float(row[column])}"
        raise InputError(message)
    return narrowed


def check_finite_rows(rows: Rows | Row, *, name: str) -> None:
    """Raise InputError for the first component that is not finite, with its place."""
    finite = np.isfinite(rows)
    if not finite.all():
        place = tuple(int(at) for at in np.argwhere(~finite)[0])
        message = f"{name}{_at(place)} must be finite, got {float(rows[place])}"
        raise InputError(message)


def _numeric(given: NDArray[np.generic]) -> Rows:
    kind, flags = given.dtype, given.flags
    if kind.char in "fd" and kind.isnative and flags.c_contiguous and flags.aligned and given.size:
        return cast("Rows", given)  # what `require` would find, at a tenth of its time
    if kind.kind not in "biuf":
        message = f"{kind} is no type of real numbers"
        raise TypeError(message)
    # Aligned as well: an offset view or a packed record field may not be.
    with np.errstate(over="ignore"):  # a longdouble beyond float64 is refused as an infinity
        rows: Rows = np.require(given, np.float32 if kind == np.float32 else np.float64, ["C", "A"])
    # numpy takes what is empty for aligned wherever it lies, and a buffer of it is refused.
    return rows if rows.size else np.empty_like(rows)


def is_masked(values: object) -> bool:
    """Whether this is an array of which a value is masked; `np.asarray` would give what lies below the mask."""
    is_plain = type(values) is np.ndarray or not isinstance(values, np.ndarray)
    return not is_plain and bool(np.ma.is_masked(values))


def _check_unmasked(given: ArrayLike, name: str) -> None:
    if is_masked(given):
        [place, *_] = np.argwhere(np.ma.getmaskarray(cast("NDArray[np.generic]", given))).tolist()
        message = f"{name}{_at(place)} must be a number, got a masked one"
        raise InputError(message)


def _show_misfit(given: object, name: str) -> str:
    """Show the first item of a list that is no number, or has another length than the first one, and its place."""
    place: list[int] = []
    while isinstance(given, (list, tuple)) and len(place) < 2:  # noqa: PLR2004 - rows and columns
        shapes = [_shape(item) for item in given]
        misfit = next((at for at, shape in enumerate(shapes) if shape is None or shape != shapes[0]), None)
        if misfit is None:
            break
        place.append(misfit)
        given = given[misfit]
        if shapes[misfit] is not None:
            break
    return f"{show(given)} for {name}{_at(place)}" if place else show(given)


def _shape(item: object) -> tuple[int, ...] | None:
    try:
        return _numeric(np.asarray(item)).shape
    except (TypeError, ValueError):
        return None


def _at(place: Iterable[int]) -> str:
    return "".join(f"[{at}]" for at in place)
