"""Values of features in the memory of one process."""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar, Final

from brimful.stages.fork_locks import new_lock
from brimful.stores.features import ClosingStore, FeatureValue, own_value

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

_TIMES: Final = attrgetter("event_time", "written_at")
_EVENT: Final = attrgetter("event_time")


class InMemoryFeatures(ClosingStore):
    """A history of values that ends with its process.

    A read takes O(log n) of the n values of a feature of an entity, one of a past moment also a step for each that was
    written since. JSON values are copied in and out; others are kept as they are.

    >>> from datetime import UTC, datetime
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> with InMemoryFeatures() as values:
    ...     values.write_values([FeatureValue("tier", "u1", "gold", noon, noon)])
    ...     values.read_value("tier", "u1", at=noon).value
    'gold'
    """

    blocking: ClassVar[bool] = False

    def __init__(self) -> None:
        self._lock: Final = new_lock()
        self._histories: dict[tuple[str, str], list[FeatureValue]] = {}

    def write_values(self, values: Iterable[FeatureValue]) -> None:
        """Add values to their histories."""
        listed = [replace(value, value=own_value(value.value)) for value in values]
        with self._lock:
            for value in listed:
                insort(self._histories.setdefault((value.name, value.entity_id), []), value, key=_TIMES)

    def read_value(
        self, name: str, entity_id: str, *, at: datetime, known_by: datetime | None = None
    ) -> FeatureValue | None:
        """Return the value that held at `at`; see `FeatureValues`."""
        with self._lock:
            held = _held(self._histories.get((name, entity_id), []), at, known_by)
        return None if held is None else _give(held)

    def list_values(self, name: str, entity_id: str) -> list[FeatureValue]:
        """Return the history, in the order of event times."""
        with self._lock:
            return [_give(value) for value in self._histories.get((name, entity_id), [])]

    def list_names(self) -> list[str]:
        """Return the names of all features that have a value, in order."""
        with self._lock:
            return sorted({name for name, _ in self._histories})

    def prune_values(self, before: datetime) -> int:
        """Delete what no read at `before` or later returns; return how many values that were."""
        pruned = 0
        with self._lock:
            for key, history in self._histories.items():
                kept = _unsuperseded(history, before)
                pruned += len(history) - len(kept)
                self._histories[key] = kept
        return pruned


def _held(history: list[FeatureValue], at: datetime, known_by: datetime | None) -> FeatureValue | None:
    """Return the last known value up to `at`; without one, the last known of the earliest time after it."""
    end = bisect_right(history, at, key=_EVENT)
    held = _last_known(history, end, known_by)
    coming = None if held else next((value for value in history[end:] if _is_known(value, known_by)), None)
    if coming is None:
        return held
    return _last_known(history, bisect_right(history, coming.event_time, key=_EVENT), known_by)


def _last_known(history: list[FeatureValue], end: int, known_by: datetime | None) -> FeatureValue | None:
    places = range(end - 1, -1, -1)
    return next((history[place] for place in places if _is_known(history[place], known_by)), None)


def _is_known(value: FeatureValue, known_by: datetime | None) -> bool:
    return known_by is None or value.written_at <= known_by


def _unsuperseded(history: list[FeatureValue], before: datetime) -> list[FeatureValue]:
    """Return the history from the last value on that held and was known at `before`."""
    known = (value.event_time <= before and value.written_at <= before for value in reversed(history))
    after = next((place for place, held in enumerate(known) if held), len(history) - 1)
    return history[len(history) - 1 - after :]


def _give(value: FeatureValue) -> FeatureValue:
    return replace(value, value=own_value(value.value))
