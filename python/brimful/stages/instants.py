"""Points in time from whatever says them, as milliseconds since 1970 in UTC."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Final

from brimful.config import as_finite, show
from brimful.errors import InputError

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND: Final = timedelta(milliseconds=1)


def read_instant(name: str, value: object, *, unit: float = 1.0) -> float:
    """Return an instant in milliseconds since 1970, UTC.

    A number counts units of `unit` milliseconds (1000: seconds). A datetime without a zone is in UTC. A text is a
    date or a date and a time as ISO 8601 writes them, `Z` included.

    Raises InputError that names the argument for anything else and for a number that is not finite.

    >>> read_instant("timestamp", "1970-01-01T00:00:01Z"), read_instant("timestamp", 1, unit=1000)
    (1000.0, 1000.0)
    """
    number = as_finite(value)
    if number is not None and math.isfinite(number * unit):
        return number * unit
    if isinstance(value, datetime):
        return _since_epoch(value)
    if isinstance(value, str):
        return _since_epoch(_parse(name, value))
    message = f"{name} must be a finite number, a datetime or an ISO 8601 text, got {show(value)}"
    raise InputError(message)


def _parse(name: str, text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        message = f"{name} must be a time in ISO 8601, got {show(text)}"
        raise InputError(message) from None


def _since_epoch(moment: datetime) -> float:
    """Count from 1970: a subtraction of datetimes knows no years that it cannot reach."""
    aware = moment.replace(tzinfo=UTC) if moment.utcoffset() is None else moment
    return (aware - EPOCH) / MILLISECOND
