"""Features of the priority builder: served, worked out, defaulted, shared by functions, and noted."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

from brimful.builders.priority.feature_store import FeatureStore
from brimful.builders.priority.features import feature
from brimful.builders.priority.tracking import tracking
from brimful.errors import InputError
from brimful.stores.feature_memory import InMemoryFeatures
from brimful.stores.features import FeatureValue
from brimful.stores.sqlite_features import SqliteFeatures
from feature_parts import noted, reader
from priority_parts import NOON, Clock

if TYPE_CHECKING:
    from pathlib import Path


def test_a_value_that_was_set_is_served_and_noted(store: FeatureStore, clock: Clock, read: Any) -> None:
    asyncio.run(store.set_feature("tier", "u1", "gold"))
    clock.move(90)

    with tracking() as tracker:
        assert read("tier", "u1") == "gold"
    [lineage] = tracker.features
    assert (lineage.entity_id, lineage.timestamp, lineage.freshness_ms) == ("u1", NOON, 90_000)
    assert (lineage.feature_name, lineage.value, lineage.source) == ("tier", "gold", "cache")
    assert read("tier", "u1") == "gold"  # outside of a context nobody takes notes


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
    cache = Cache()
    store.cache = cast("Any", cache)
    asyncio.run(store.set_feature("tier", "u1", "gold"))
    store.write_feature("tier", "u2", "gold")

    assert store.invalidate("docs") == 2
    assert cache.asked == [("tier", "u1"), ("tier", "u2"), ("docs",)]


def test_another_process_sees_what_was_written(clock: Clock, tmp_path: Path) -> None:
    path = tmp_path / "features.sqlite"
    with (
        FeatureStore(SqliteFeatures(path), clock=clock) as one,
        FeatureStore(SqliteFeatures(path), clock=clock) as other,
    ):
        one.write_feature("tier", "u1", "gold")
        assert other.read_feature("tier", "u1") == "gold"


@pytest.mark.parametrize("kind", ["plain", "async"])
def test_a_value_that_was_stored_since_it_was_looked_for_is_not_worked_out_again(kind: str, clock: Clock) -> None:
    class Late(InMemoryFeatures):
        """Another process stores the value right after the first look."""

        looks = 0

        def read_value(self, *args: Any, **options: Any) -> FeatureValue | None:
            self.looks += 1
            return None if self.looks == 1 else super().read_value(*args, **options)

    values = Late()
    values.write_values([FeatureValue("tier", "u1", "gold", NOON, NOON)])
    store = FeatureStore(values, clock=clock)

    @feature(store)
    def tier(_user: str) -> str:
        raise AssertionError

    assert (reader(kind, store)("tier", "u1"), values.looks) == ("gold", 2)
