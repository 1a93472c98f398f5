"""Points in time as stores keep them: UTC, to the microsecond, in a text that sorts as they do."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from brimful.config import show
from brimful.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    Clock: TypeAlias = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)


def read_moment(name: str, value: object) -> datetime:
    """`value` in UTC: a datetime, or a text in ISO 8601; without a zone it is taken as UTC.

    Raises InputError for anything else.

    >>> read_moment("created_at", "2026-01-02T03:04:05+01:00").isoformat()
    '2026-01-02T02:04:05+00:00'
    """
    moment = value
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            moment = None
    if isinstance(moment, datetime):
        try:
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        except OverflowError:  # a zone may lead out of the years that there are
            pass
    message = f"{name} must be a datetime or a text in ISO 8601, got {show(value)}"
    raise InputError(message)


def write_moment(moment: datetime) -> str:
    """Return a moment as text: all have one length, so their order is that of the texts.

    >>> write_moment(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2026-01-02T03:04:05.000000+00:00'
    """
    return (moment if moment.tzinfo is UTC else moment.astimezone(UTC)).isoformat(timespec="microseconds")
