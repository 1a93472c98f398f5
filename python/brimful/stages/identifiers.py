"""Identifiers that sort by the time they were made."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def new_id(prefix: str, now: datetime, *, random: Callable[[int], bytes] = os.urandom) -> str:
    """Return a prefix and a UUID of version 7 (RFC 9562) of a moment with a zone; one before 1970 counts as 1970.

    48 bits are milliseconds, 12 bits the part of a millisecond in 4,096ths (method 3 of section 6.2), 62 bits random:
    so the ids of one process sort by their moments to a microsecond, and nobody can guess one.

    >>> new_id("ctx_", datetime(2026, 1, 1, 12, tzinfo=UTC), random=bytes)
    'ctx_019b796d-d600-7000-8000-000000000000'
    """
    milliseconds, rest = divmod(max(0, (now - _EPOCH) // _MICROSECOND), 1000)
    chance = int.from_bytes(random(8), "big") >> 2
    number = milliseconds << 80 | (0x7000 | rest * 4096 // 1000) << 64 | 1 << 63 | chance
    digits = f"{number:032x}"
    return f"{prefix}{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
