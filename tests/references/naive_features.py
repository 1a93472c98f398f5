"""Which value of a feature held when, read off the whole history."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from brimful.stores.features import FeatureValue


def held(written: Sequence[FeatureValue], at: datetime, known_by: datetime | None = None) -> FeatureValue | None:
    """Of what was written, in that order: the latest whose time had come, else the earliest; of equals the last."""
    known = [value for value in written if known_by is None or value.written_at <= known_by]
    past = [value for value in known if value.event_time <= at]
    if past:
        return max(enumerate(past), key=lambda pair: (pair[1].event_time, pair[1].written_at, pair[0]))[1]
    first = min((value.event_time for value in known), default=None)
    earliest = [value for value in known if value.event_time == first]
    return max(enumerate(earliest), key=lambda pair: (pair[1].written_at, pair[0]))[1] if earliest else None
