"""The store behind contexts: values of features with their times, how they are worked out, where records go."""

from __future__ import annotations

import inspect
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, TypeVar

from brimful.builders.priority.caching import ContextCache
from brimful.builders.priority.features import ABSENT, Feature, define
from brimful.builders.priority.reading import Reading
from brimful.builders.priority.tracking import current_tracker
from brimful.config import check_callable, check_flag, show
from brimful.errors import ConfigError, InputError
from brimful.stages.durations import read_duration
from brimful.stages.instants import MILLISECOND
from brimful.stages.sharing import Sharing
from brimful.stores.feature_memory import InMemoryFeatures
from brimful.stores.features import ClosingStore, FeatureValue, FeatureValues, read_entity_id
from brimful.stores.fields import read_id
from brimful.stores.moments import read_moment, utc_now

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, timedelta

    from brimful.builders.priority.features import Function
    from brimful.builders.priority.reading import Found
    from brimful.records import RecordStore, SigningKey
    from brimful.stores.moments import Clock

Result = TypeVar("Result")


class FeatureStore(ClosingStore):
    """Features and their values, the records of contexts, and the clock of both.

    `values` keep the history of every feature: in memory by default, in a file with `SqliteFeatures`. `records` keep
    what was sent, signed with `signing_key` where there is one; `private` ones hold hashes instead of texts and values.
    `clock` returns the present moment; without a zone it is in UTC.

    Raises ConfigError for a part that is none.

    >>> store = FeatureStore()
    >>> store.write_feature("tier", "u1", "gold")
    >>> store.read_feature("tier", "u1")
    'gold'
    >>> store.read_feature("teir", "u1")
    Traceback (most recent call last):
    brimful.errors.InputError: there is no feature 'teir'
    hint: did you mean 'tier'?
    """

    def __init__(
        self,
        values: FeatureValues | None = None,
        *,
        records: RecordStore | None = None,
        signing_key: SigningKey | None = None,
        private: bool = False,
        environment: str = "development",
        clock: Clock = utc_now,
    ) -> None:
        check_callable("clock", clock)
        _check_part("values", values, "a store of features", ("read_value", "write_values"))
        _check_part("records", records, "a store of records", ("read", "write"))
        _check_part("signing_key", signing_key, "a SigningKey", ("sign", "digest"))
        self.values: Final = InMemoryFeatures() if values is None else values
        self.records, self.signing_key = records, signing_key
        self.private: Final = check_flag("private", private)
        self.environment: Final = _check_environment(environment)
        self.features: Final[dict[str, Feature]] = {}
        self.contexts: Final[dict[str, Callable[..., Any]]] = {}
        self.retrievers: Final[dict[str, Callable[..., Any]]] = {}
        self.cache = ContextCache()
        self._sharing: Final[Sharing[Found]] = Sharing()
        self._clock = clock

    def now(self) -> datetime:
        """Return the present moment, in UTC, as the clock of the store tells it."""
        return read_moment("clock", self._clock())

    def feature(
        self, *, name: str | None = None, ttl: timedelta | str | None = None, default: object = ABSENT
    ) -> Callable[[Function], Function]:
        """Make a function of an entity's id a feature; see `feature`."""

        def register(function: Function) -> Function:
            check_callable("function", function)
            self._register(define(function, name, ttl, default))
            return function

        return register

    def declare_feature(self, name: str, *, ttl: timedelta | str | None = None, default: object = ABSENT) -> None:
        """Make known a feature whose values are only set, never worked out."""
        self._register(define(None, name, ttl, default))

    async def set_feature(
        self, name: str, entity_id: str, value: object, *, event_time: datetime | str | None = None
    ) -> None:
        """Add a value to the history; see `write_feature`."""
        await self._aside(lambda: self.write_feature(name, entity_id, value, event_time=event_time))

    def write_feature(
        self, name: str, entity_id: str, value: object, *, event_time: datetime | str | None = None
    ) -> None:
        """Add a value to the history, as of `event_time` or now; cached contexts that read the feature are forgotten.

        Raises InputError for an id or a time that is none, and for a value that the store cannot keep.
        """
        now = self.now()
        moment = now if event_time is None else read_moment("event_time", event_time)
        self.values.write_values([FeatureValue(read_id("name", name), read_entity_id(entity_id), value, moment, now)])
        self.cache.invalidate_feature(name, entity_id)

    async def get_feature(self, name: str, entity_id: str, *, at: datetime | str | None = None) -> Any:  # noqa: ANN401 - the caller knows what was stored
        """Return the value of a feature, whose function may be async; see `read_feature`."""
        reading = self._begin(name, entity_id, at)
        found = await self._aside(lambda: reading.find(self.values))
        if found is None and reading.computes:
            found = await self._sharing.arun((name, entity_id), lambda: self._compute_async(reading))
        if found is None:
            found = await self._aside(lambda: self._default(reading))
        return reading.note(found)

    def read_feature(self, name: str, entity_id: str, *, at: datetime | str | None = None) -> Any:  # noqa: ANN401 - the caller knows what was stored
        """Return the value of a feature, and note the read in the context that is being built.

        That is the value of the latest event time up to now that is not older than the `ttl`; else what its function
        gives, which is stored; else its default. With `at`, or where a context is built as of then, it is the value
        that was known then, or the default: no function is run.

        Equal reads at the same time run the function once.

        Raises InputError for a feature that is not known, that has no value for this entity, or whose function is
        async; what the function raises where there is no default; StoreError where the store fails.
        """
        reading = self._begin(name, entity_id, at)
        found = reading.find(self.values)
        if found is None and reading.computes:
            reading.feature.check_plain()  # here: who shares the work must not get this error
            found = self._sharing.run((name, entity_id), lambda: self._compute(reading))
        return reading.note(found or self._default(reading))

    def prune_features(self, keep: timedelta | str) -> int:
        """Delete values that were superseded longer than `keep` ago; return how many.

        What any read as of a later moment returns stays.
        """
        kept_ms = read_duration("keep", keep)
        if kept_ms is None:
            message = "keep must be a duration, got None"
            raise ConfigError(message)
        try:
            before = self.now() - kept_ms * MILLISECOND
        except OverflowError:  # there was no such time, and nothing was superseded then
            return 0
        return self.values.prune_values(before)

    def invalidate(self, source_id: str) -> int:
        """Forget cached contexts with an item of this source, or that read a feature of this name; return how many.

        What retrievers keep stays as long as their `cache_ttl`.
        """
        return self.cache.invalidate(source_id)

    def close(self) -> None:
        """Close the stores of values and of records."""
        self.values.close()
        if self.records is not None:
            self.records.close()

    def _register(self, defined: Feature) -> None:
        known = self.features.get(defined.name)
        if known is not None and not known.same_origin(defined):
            message = f"there is a feature {show(defined.name)} already, of another function"
            raise ConfigError(message)
        self.features[defined.name] = defined

    def _begin(self, name: str, entity_id: str, at: datetime | str | None) -> Reading:
        tracker = current_tracker()
        moment = tracker.as_of if at is None and tracker is not None else at
        defined = self.features.get(read_id("name", name)) or Feature(name)
        when = self.now() if moment is None else read_moment("at", moment)
        return Reading(defined, read_entity_id(entity_id), when, travels=moment is not None)

    def _compute(self, reading: Reading) -> Found:
        """Run the function and store its value, unless another did so since it was looked for."""
        reading = replace(reading, moment=self.now())
        stored = reading.find(self.values)
        if stored is not None:
            return stored
        with reading.working_out() as found:
            found.value = reading.feature.run(reading.entity_id)
        reading.feature.check_plain(found.value)
        self._keep(reading, found)
        return found

    async def _compute_async(self, reading: Reading) -> Found:
        """Do the same with a function that may be async."""
        reading = replace(reading, moment=self.now())
        stored = await self._aside(lambda: reading.find(self.values))
        if stored is not None:
            return stored
        with reading.working_out() as found:
            answer = reading.feature.run(reading.entity_id)
            found.value = await answer if inspect.isawaitable(answer) else answer
        await self._aside(lambda: self._keep(reading, found))
        return found

    def _keep(self, reading: Reading, found: Found) -> None:
        if found.source == "compute":
            self.values.write_values([reading.value_of(found, self.now())])

    def _default(self, reading: Reading) -> Found:
        """Return the default; where the very name is unknown, say which one may be meant."""
        name = reading.feature.name
        if name not in self.features:
            names = sorted({*self.features, *self.values.list_names()})
            if name not in names:
                near = get_close_matches(name, names, n=1)
                hint = f"\nhint: did you mean {show(near[0])}?" if near else ""
                message = f"there is no feature {show(name)}{hint}"
                raise InputError(message)
        return reading.default()

    async def _aside(self, call: Callable[[], Result]) -> Result:
        """Call what may wait for a disk, in a thread if it does."""
        if not self.values.blocking:
            return call()
        import asyncio  # noqa: PLC0415 - importing brimful must not load asyncio

        return await asyncio.to_thread(call)


def _check_part(name: str, value: object, kind: str, methods: tuple[str, ...]) -> None:
    """Refuse what can do no part of a store's work: a call would only note that as a failure of the evidence."""
    if value is None or all(callable(getattr(value, method, None)) for method in methods):
        return
    message = f"{name} must be {kind} or None, got {show(value)}"
    raise ConfigError(message)


def _check_environment(value: object) -> str:
    if isinstance(value, str):
        return value
    message = f"environment must be a str, got {show(value)}"
    raise ConfigError(message)
