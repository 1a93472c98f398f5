"""One read of a feature: the stored value, else what the function gives, else the default; and a note of it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from brimful.builders.priority.features import ABSENT, computing
from brimful.builders.priority.lineage import FeatureLineage
from brimful.builders.priority.tracking import Tracker, current_tracker, tracking
from brimful.config import show
from brimful.errors import InputError
from brimful.stages.instants import MILLISECOND
from brimful.stores.features import FeatureValue, own_value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from brimful.builders.priority.features import Feature
    from brimful.builders.priority.lineage import FeatureSource
    from brimful.stores.features import FeatureValues


@dataclass(slots=True)
class Found:
    """A value, the time that it is of, and what its function read on the way."""

    value: Any
    event_time: datetime | None
    source: FeatureSource
    notes: Tracker = field(default_factory=Tracker)


@dataclass(frozen=True, slots=True)
class Reading:
    """A read of a feature as of `moment`. One that `travels` in time sees what was known then, and runs nothing."""

    feature: Feature
    entity_id: str
    moment: datetime
    travels: bool

    @property
    def computes(self) -> bool:
        """Whether the function may be run."""
        return self.feature.function is not None and not self.travels

    def find(self, values: FeatureValues) -> Found | None:
        """Return the stored value, None where there is none or it is older than the ttl."""
        known_by = self.moment if self.travels else None
        held = values.read_value(self.feature.name, self.entity_id, at=self.moment, known_by=known_by)
        if held is None or not self._is_fresh(held.event_time):
            return None
        return Found(held.value, held.event_time, "cache")

    @contextmanager
    def working_out(self) -> Iterator[Found]:
        """Give a result for the function's value; where the function raises, the default stands if there is one."""
        found = Found(own_value(self.feature.default), None, "fallback")
        with computing(self.feature.name, self.entity_id), tracking() as found.notes:
            try:
                yield found
            except Exception:
                if self.feature.default is ABSENT:
                    raise
            else:
                found.event_time, found.source = self.moment, "compute"

    def value_of(self, found: Found, written_at: datetime) -> FeatureValue:
        """Return what was worked out as a store keeps it: of the time when the function began."""
        return FeatureValue(self.feature.name, self.entity_id, found.value, self.moment, written_at)

    def default(self) -> Found:
        """Return the default; without one, raise InputError."""
        if self.feature.default is not ABSENT:
            return Found(own_value(self.feature.default), None, "fallback")
        when = f" at {self.moment.isoformat()}" if self.travels else ""
        message = f"feature {show(self.feature.name)} of {show(self.entity_id)} has no value{when}"
        raise InputError(message)

    def note(self, found: Found) -> object:
        """Note the read in the context that is being built, with what the function read; return a value of its own."""
        tracker = current_tracker()
        if tracker is not None:
            tracker.join(found.notes)
            tracker.record_feature(
                FeatureLineage(
                    self.feature.name,
                    self.entity_id,
                    own_value(found.value),
                    found.event_time,
                    None if found.event_time is None else max(0, (self.moment - found.event_time) // MILLISECOND),
                    found.source,
                )
            )
        return own_value(found.value)

    def _is_fresh(self, event_time: datetime) -> bool:
        return self.feature.ttl_ms is None or (self.moment - event_time) / MILLISECOND <= self.feature.ttl_ms
