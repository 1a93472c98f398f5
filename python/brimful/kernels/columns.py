"""Columns of numbers from a back end as read-only arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from brimful.kernels.contract import Buffer

Column = TypeVar("Column", bound="NDArray[np.generic]")


def integers(buffer: Buffer) -> NDArray[np.int64]:
    """Read a buffer as int64 in place."""
    column = np.frombuffer(buffer, np.int64)
    return column if type(buffer) is bytes else freeze(column)  # over bytes it is read-only already


def listed(buffer: Buffer) -> list[int]:
    """Read a buffer of int64 as a list: for a few numbers an array takes longer than they do."""
    numbers = memoryview(buffer).cast("q") if type(buffer) is bytes else buffer
    return cast("memoryview", numbers).tolist()


def floats(buffer: Buffer) -> NDArray[np.float64]:
    """Read a buffer as float64 in place."""
    column = np.frombuffer(buffer, np.float64)
    return column if type(buffer) is bytes else freeze(column)


def freeze(column: Column) -> Column:
    """Make an array read-only, and return it."""
    column.flags.writeable = False
    return column
