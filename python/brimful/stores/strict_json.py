"""What `json.loads` takes and JSON is not, or what would be lost in it: hooks that refuse it."""

from __future__ import annotations

import math
from typing import Any, NoReturn

from brimful.config import show


def refuse_constant(constant: str) -> NoReturn:
    """Refuse `NaN`, `Infinity` and `-Infinity`, as `parse_constant`. Raises ValueError."""
    message = f"{constant} is no number"
    raise ValueError(message)


def read_finite(digits: str) -> float:
    """Return a number that a float holds, as `parse_float`. Raises ValueError for a larger one.

    >>> read_finite("1e-5")
    1e-05
    """
    number = float(digits)
    if math.isfinite(number):
        return number
    message = f"{show(digits)} is too large a number"
    raise ValueError(message)


def unite_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of its pairs, as `object_pairs_hook`. Raises ValueError for a key that is there twice."""
    content = dict(pairs)
    if len(content) != len(pairs):
        keys = [key for key, _ in pairs]
        message = f"the key {show(next(key for key in keys if keys.count(key) > 1))} is there twice"
        raise ValueError(message)
    return content
