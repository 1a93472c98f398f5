"""Features of the priority builder: served, worked out, defaulted, refused; under time travel; and noted."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.priority.feature_store import FeatureStore
from brimful.builders.priority.features import feature
from brimful.builders.priority.tracking import Tracker, tracking
from brimful.errors import ConfigError, InputError, StoreError
from brimful.stores.sqlite_features import SqliteFeatures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
STRANGE = ["u'1", "u\0x", "../../etc/passwd", "x' UNION SELECT 1 --", "", "🇩🇪"]


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    moment: datetime = NOON

    def __call__(self) -> datetime:
        return self.moment

    def move(self, seconds: float) -> None:
        self.moment += SECOND * seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, clock: Clock, tmp_path: Path) -> Iterator[FeatureStore]:
    values = None if request.param == "memory" else SqliteFeatures(tmp_path / "features.sqlite")
    with FeatureStore(values, clock=clock) as made:
        yield made


@pytest.fixture(params=["plain", "async"])
def read(request: pytest.FixtureRequest, store: FeatureStore) -> Callable[..., Any]:
    """Read a feature in one of the two ways; both must say the same."""
    if request.param == "plain":
        return store.read_feature
    return lambda *args, **options: asyncio.run(store.get_feature(*args, **options))


def noted(tracker: Tracker) -> list[tuple[object, ...]]:
    return [(lineage.feature_name, lineage.value, lineage.freshness_ms, lineage.source) for lineage in tracker.features]


def test_a_value_that_was_set_is_served_and_noted(store: FeatureStore, clock: Clock, read: Any) -> None:
    asyncio.run(store.set_feature("tier", "u1", "gold"))
    clock.move(90)

    with tracking() as tracker:
        assert read("tier", "u1") == "gold"
    [lineage] = tracker.features
    assert (lineage.entity_id, lineage.timestamp, lineage.freshness_ms) == ("u1", NOON, 90_000)
    assert (lineage.feature_name, lineage.value, lineage.source) == ("tier", "gold", "cache")
    assert read("tier", "u1") == "gold"  # outside of a context nobody takes notes


@pytest.mark.parametrize(
    "event_time", [NOON - SECOND, "2026-01-01T11:59:59Z", "2026-01-01T11:59:59", (NOON - SECOND).replace(tzinfo=None)]
)
def test_a_value_has_the_time_that_it_is_of(store: FeatureStore, read: Any, event_time: Any) -> None:
    store.write_feature("tier", "u1", "gold", event_time=event_time)

    with tracking() as tracker:
        read("tier", "u1")
    assert (tracker.features[0].timestamp, tracker.features[0].freshness_ms) == (NOON - SECOND, 1_000)


def test_a_value_of_the_future_is_fresh(store: FeatureStore, read: Any) -> None:
    store.declare_feature("tier", ttl="1s")
    store.write_feature("tier", "u1", "gold", event_time=NOON + 5 * SECOND)

    with tracking() as tracker:
        assert read("tier", "u1") == "gold"
    assert (tracker.features[0].timestamp, tracker.features[0].freshness_ms) == (NOON + 5 * SECOND, 0)


def test_a_function_is_run_once_a_ttl(store: FeatureStore, clock: Clock, read: Any) -> None:
    runs: list[str] = []

    @feature(store, ttl="5m")
    def visits(user_id: str) -> int:
        runs.append(user_id)
        return len(runs)

    with tracking() as tracker:
        assert [read("visits", "u1"), read("visits", "u1"), read("visits", "u2")] == [1, 1, 2]
        clock.move(300)
        assert read("visits", "u1") == 1  # as old as the ttl is not older
        clock.move(0.001)
        assert read("visits", "u1") == 3
    assert runs == ["u1", "u2", "u1"]
    assert noted(tracker) == [
        *(("visits", 1, 0, "compute"), ("visits", 1, 0, "cache"), ("visits", 2, 0, "compute")),
        *(("visits", 1, 300_000, "cache"), ("visits", 3, 0, "compute")),
    ]
    assert visits("u9") == 4  # the function itself is unchanged


def test_async_functions_are_awaited_and_stored(store: FeatureStore) -> None:
    @store.feature(name="tier", ttl="1h")
    async def look_up(user_id: str) -> str:
        await asyncio.sleep(0)
        return f"gold {user_id}"

    assert asyncio.run(store.get_feature("tier", "u1")) == "gold u1"
    assert store.read_feature("tier", "u1") == "gold u1"  # stored by now
    with pytest.raises(InputError, match=r"'tier' is worked out by an async function\nhint: await get_feature"):
        store.read_feature("tier", "u2")


def test_what_has_to_be_awaited_after_all_is_refused_and_not_stored(store: FeatureStore) -> None:
    async def answer() -> str:
        return "gold"

    store.feature(name="tier", default="none")(lambda _user_id: answer())

    with pytest.raises(InputError, match="worked out by an async function"):
        store.read_feature("tier", "u1")
    assert store.values.list_values("tier", "u1") == []
    assert asyncio.run(store.get_feature("tier", "u1")) == "gold"


@pytest.mark.parametrize("default", [None, 0, "", [1]])
def test_a_function_that_fails_has_its_default(store: FeatureStore, read: Any, default: Any) -> None:
    @feature(store, default=default)
    def tier(_user_id: str) -> str:
        raise ZeroDivisionError

    with tracking() as tracker:
        assert read("tier", "u1") == default
    [lineage] = tracker.features
    assert (lineage.value, lineage.timestamp, lineage.freshness_ms, lineage.source) == (default, None, None, "fallback")
    assert store.values.list_values("tier", "u1") == []


def test_a_default_is_nobody_elses(store: FeatureStore, read: Any) -> None:
    store.declare_feature("tags", default=["a"])
    read("tags", "u1").append("b")

    assert read("tags", "u1") == ["a"]


def test_a_function_that_fails_without_a_default_says_why(store: FeatureStore, read: Any) -> None:
    @feature(store)
    def tier(_user_id: str) -> str:
        raise ZeroDivisionError

    with tracking() as tracker, pytest.raises(ZeroDivisionError):
        read("tier", "u1")
    assert tracker.features == []


def test_a_value_that_is_too_old_is_not_served_by_any_store(store: FeatureStore, clock: Clock, read: Any) -> None:
    store.declare_feature("tier", ttl=timedelta(seconds=1))
    store.declare_feature("plan", ttl="1s", default="free")
    for name in ("tier", "plan"):
        store.write_feature(name, "u1", "gold")
    clock.move(1.5)

    with pytest.raises(InputError, match="feature 'tier' of 'u1' has no value"):
        read("tier", "u1")
    assert read("plan", "u1") == "free"


def test_unknown_features_are_refused_with_a_hint(store: FeatureStore, read: Any) -> None:
    store.declare_feature("user_tier")
    store.write_feature("balance", "u1", 3)

    for name, meant in (("user_teir", "user_tier"), ("balances", "balance")):
        with pytest.raises(InputError, match=f"there is no feature '{name}'\nhint: did you mean '{meant}'?"):
            read(name, "u1")
    with pytest.raises(InputError, match=r"there is no feature 'zzz'$"):
        read("zzz", "u1")
    with pytest.raises(InputError, match=r"feature 'balance' of 'u2' has no value$"):
        read("balance", "u2")


@pytest.mark.parametrize("entity_id", STRANGE)
def test_ids_are_only_ids(store: FeatureStore, read: Any, entity_id: str) -> None:
    store.write_feature("tier", "u1", "silver")
    store.write_feature("tier", entity_id, "gold")

    assert (read("tier", entity_id), read("tier", "u1")) == ("gold", "silver")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tier", 5), "entity_id must be a str without lone surrogates, got 5"),
        (("tier", "\ud800"), "entity_id must be a str without lone surrogates"),
        ((5, "u1"), "name must be a str that is not empty"),
        (("", "u1"), "name must be a str that is not empty"),
    ],
)
def test_what_is_no_id_is_refused(store: FeatureStore, read: Any, arguments: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(*arguments)
    with pytest.raises(InputError, match=message):
        store.write_feature(arguments[0], arguments[1], "gold")


def test_nan_is_a_value(store: FeatureStore, read: Any) -> None:
    store.write_feature("score", "u1", math.nan)

    assert math.isnan(read("score", "u1"))


def test_times_that_are_none_are_refused(store: FeatureStore, read: Any) -> None:
    with pytest.raises(InputError, match="event_time must be a datetime or a text in ISO 8601, got 'noon'"):
        store.write_feature("tier", "u1", "gold", event_time="noon")
    with pytest.raises(InputError, match="at must be a datetime or a text in ISO 8601, got 5"):
        read("tier", "u1", at=5)


def test_time_travel_sees_what_was_known_then_and_runs_nothing(store: FeatureStore, clock: Clock, read: Any) -> None:
    @feature(store, ttl="1h")
    def tier(_user_id: str) -> str:
        return "worked out"

    store.write_feature("tier", "u1", "silver")
    clock.move(60)
    store.write_feature("tier", "u1", "gold")
    clock.move(60)
    store.write_feature("tier", "u1", "backdated", event_time=NOON + SECOND)

    with tracking(as_of=NOON + 30 * SECOND) as tracker:
        assert read("tier", "u1") == "silver"
        with pytest.raises(InputError, match=r"'tier' of 'u2' has no value at 2026-01-01T12:00:30\+00:00"):
            read("tier", "u2")
    assert noted(tracker) == [("tier", "silver", 30_000, "cache")]
    assert read("tier", "u1", at="2026-01-01T12:01:30") == "gold"
    with pytest.raises(InputError, match="has no value at"):
        read("tier", "u1", at=NOON - SECOND)
    assert store.values.list_values("tier", "u2") == []


def test_time_travel_keeps_the_ttl_and_the_default(store: FeatureStore, read: Any) -> None:
    store.declare_feature("tier", ttl="1m", default="none")
    store.write_feature("tier", "u1", "gold")

    assert read("tier", "u1", at=NOON + 60 * SECOND) == "gold"
    assert read("tier", "u1", at=NOON + 61 * SECOND) == "none"


def test_what_a_run_worked_out_is_found_again_as_of_then(store: FeatureStore, clock: Clock, read: Any) -> None:
    @feature(store, ttl="1s")
    def tier(_user_id: str) -> str:
        return str(clock.moment)

    first = read("tier", "u1")
    seen = clock.moment
    clock.move(10)
    assert read("tier", "u1") != first
    assert read("tier", "u1", at=seen) == first


def test_features_may_need_features_and_all_are_noted(store: FeatureStore) -> None:
    @feature(store)
    async def balance(_user_id: str) -> int:
        return 7

    @feature(store)
    async def tier(user_id: str) -> str:
        return "gold" if await store.get_feature("balance", user_id) > 5 else "none"

    with tracking() as tracker:
        assert asyncio.run(store.get_feature("tier", "u1")) == "gold"
    assert noted(tracker) == [("balance", 7, 0, "compute"), ("tier", "gold", 0, "compute")]


def test_a_feature_that_needs_itself_is_refused(store: FeatureStore, read: Any) -> None:
    @feature(store)
    def first(user_id: str) -> str:
        return str(store.read_feature("second", user_id))

    @feature(store)
    def second(user_id: str) -> str:
        return str(store.read_feature("first", user_id))

    with pytest.raises(InputError, match="feature 'first' of 'u1' needs itself"):
        read("first", "u1")


def test_a_note_keeps_the_value_as_it_was(store: FeatureStore, read: Any) -> None:
    store.feature(name="tags")(lambda _user_id: ["a"])
    with tracking() as tracker:
        read("tags", "u1").append("b")
        read("tags", "u1").append("c")

    assert [lineage.value for lineage in tracker.features] == [["a"], ["a"]]


def test_a_value_is_the_same_when_it_is_worked_out_and_when_it_is_stored(store: FeatureStore, read: Any) -> None:
    store.feature(name="pair")(lambda _user_id: ("a", [1]))

    assert read("pair", "u1") == read("pair", "u1") == ["a", [1]]


def test_names_belong_to_one_function(store: FeatureStore) -> None:
    def make(answer: str) -> Callable[[str], str]:
        def tier(_user_id: str) -> str:
            return answer

        return tier

    feature(store)(make("old"))
    feature(store)(make("new"))  # a module that is loaded again
    assert store.read_feature("tier", "u1") == "new"
    with pytest.raises(ConfigError, match="there is a feature 'tier' already, of another function"):
        feature(store, name="tier")(lambda _user_id: "mine")
    with pytest.raises(ConfigError, match="there is a feature 'tier' already, of another function"):
        store.declare_feature("tier")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ttl": "5 minutes"}, "ttl must be a duration such as"),
        ({"ttl": 5}, "ttl must be a duration such as"),
        ({"name": ""}, "name must be a str that is not empty"),
        ({"name": 5}, "name must be a str that is not empty"),
    ],
)
def test_options_that_cannot_be(store: FeatureStore, options: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        feature(store, **options)(lambda user_id: user_id)


def test_a_function_must_be_one(store: FeatureStore) -> None:
    with pytest.raises(ConfigError, match="function must be callable, got 'tier'"):
        feature(store)("tier")  # type: ignore[type-var]
    with pytest.raises(ConfigError, match="clock must be callable"):
        FeatureStore(clock=NOON)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="private must be True or False"):
        FeatureStore(private=1)  # type: ignore[arg-type]


def test_superseded_values_are_pruned(store: FeatureStore, clock: Clock) -> None:
    for number in range(4):
        store.write_feature("tier", "u1", number)
        clock.move(60)

    assert store.prune_features("90s") == 2
    assert [held.value for held in store.values.list_values("tier", "u1")] == [2, 3]
    assert store.prune_features(timedelta.max) == 0
    for keep in ("", None, 5):
        with pytest.raises(ConfigError, match="keep must be a duration"):
            store.prune_features(keep)  # type: ignore[arg-type]


class Cache:
    """A cache that notes what it is asked to forget."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    def invalidate(self, source_id: str) -> int:
        self.asked.append((source_id,))
        return 2

    def invalidate_feature(self, name: str, entity_id: str) -> int:
        self.asked.append((name, entity_id))
        return 1


def test_a_value_that_is_set_makes_cached_contexts_void(store: FeatureStore) -> None:
    assert store.invalidate("docs") == 0
    store.cache = cache = Cache()
    asyncio.run(store.set_feature("tier", "u1", "gold"))
    store.write_feature("tier", "u2", "gold")

    assert store.invalidate("docs") == 2
    assert cache.asked == [("tier", "u1"), ("tier", "u2"), ("docs",)]


def test_a_value_that_cannot_be_stored_is_refused_by_name(tmp_path: Path) -> None:
    with FeatureStore(SqliteFeatures(tmp_path / "features.sqlite")) as store:
        store.feature(name="tier")(lambda _user_id: object())
        with pytest.raises(InputError, match="value of feature 'tier' of 'u1' must be JSON, got <object"):
            store.read_feature("tier", "u1")
        with pytest.raises(InputError, match=r"value of feature 'tags' of 'u1'\[0\] must be JSON"):
            store.write_feature("tags", "u1", [{1}])


def test_a_store_that_fails_says_so(tmp_path: Path) -> None:
    store = FeatureStore(SqliteFeatures(tmp_path / "features.sqlite"))
    store.close()

    with pytest.raises(StoreError, match="is closed"):
        store.read_feature("tier", "u1")
    with pytest.raises(StoreError, match="is closed"):
        asyncio.run(store.get_feature("tier", "u1"))


def test_another_process_sees_what_was_written(clock: Clock, tmp_path: Path) -> None:
    path = tmp_path / "features.sqlite"
    with (
        FeatureStore(SqliteFeatures(path), clock=clock) as one,
        FeatureStore(SqliteFeatures(path), clock=clock) as other,
    ):
        one.write_feature("tier", "u1", "gold")
        assert other.read_feature("tier", "u1") == "gold"
