"""Durations as people write them, `1h30m`: read by one strict grammar, because what almost parses is a slip."""

from __future__ import annotations

import math
import re
from datetime import timedelta
from itertools import pairwise
from typing import Final

from brimful.config import show
from brimful.errors import ConfigError
from brimful.stages.instants import MILLISECOND

UNITS: Final = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1}
"""Milliseconds of a unit, the largest first."""
_PART: Final = re.compile(r"(\d{1,20})(?:\.(\d{1,20}))?(ms|[dhms])")
"""A number and its unit. More than 20 digits are no duration that anyone means."""


def read_duration(name: str, value: object) -> int | None:
    """Return a duration in whole milliseconds, what is less cut off; None for None.

    A text has numbers with units (`d`, `h`, `m`, `s`, `ms`), each unit once, the largest first, and nothing between
    them. The last number may have a fraction. White space around it and upper case do not matter. A timedelta is taken
    where it is not negative.

    Raises ConfigError that names the option for anything else.

    >>> read_duration("ttl", "1h30m"), read_duration("ttl", "1.5h"), read_duration("ttl", "500ms")
    (5400000, 5400000, 500)
    >>> read_duration("ttl", "1h30")
    Traceback (most recent call last):
    brimful.errors.ConfigError: ttl must be a duration such as 500ms, 30s, 5m, 1.5h, 1d or 1h30m, got '1h30'
    """
    if value is None:
        return None
    if isinstance(value, timedelta) and value >= timedelta():
        return value // MILLISECOND
    duration = _parse(value.strip().lower()) if isinstance(value, str) else None
    if duration is not None:
        return duration
    message = f"{name} must be a duration such as 500ms, 30s, 5m, 1.5h, 1d or 1h30m, got {show(value)}"
    raise ConfigError(message)


def _parse(text: str) -> int | None:
    """Return the sum of the parts, None where they are no duration. Integers only: a float would lose digits."""
    total, end, smallest, fraction = 0, 0, math.inf, ""
    for part in _PART.finditer(text):
        unit = UNITS[part[3]]
        if part.start() != end or fraction or unit >= smallest:
            return None
        fraction = part[2] or ""
        total += int(part[1] + fraction) * unit // 10 ** len(fraction)
        end, smallest = part.end(), unit
    return total if end and end == len(text) else None


def show_duration(ms: int) -> str:
    """Return milliseconds in words: the largest unit, and the one below it where there is some of it.

    >>> show_duration(61_000), show_duration(86_399_999), show_duration(999)
    ('1m 1s', '23h 59m', '999ms')
    """
    for unit, below in pairwise(list(UNITS)[:4]):
        if ms >= UNITS[unit]:
            rest = ms % UNITS[unit] // UNITS[below]
            return f"{ms // UNITS[unit]}{unit} {rest}{below}" if rest else f"{ms // UNITS[unit]}{unit}"
    return f"{ms // UNITS['s']}s" if ms >= UNITS["s"] else f"{ms}ms"
