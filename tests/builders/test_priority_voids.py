"""Cached contexts over time: expired, judged anew, and made void by what changes (D15)."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from brimful.builders.priority import ContextItem, FeatureStore, FreshnessError, context
from brimful.builders.priority.caching import ContextCache
from priority_parts import Clock, Counted, decorate, finish, in_both_ways, lineage_of
from sharing_parts import LONG_S, count_waiting, wait_until

CALLERS = 20


@pytest.fixture
def store(clock: Clock) -> FeatureStore:
    made = FeatureStore(clock=clock)
    made.write_feature("tier", "u1", "gold")
    return made


@in_both_ways
def test_a_context_expires(way: str, store: FeatureStore, clock: Clock) -> None:
    counted = Counted()
    decorated = decorate(way, counted.chat, store, cache_ttl="1m")

    runs = []
    for seconds in (0, 59.999, 0.001, 59, 1):
        clock.move(seconds)
        finish(decorated())
        runs.append(counted.runs)

    assert runs == [1, 1, 2, 2, 3]


def test_a_context_older_than_max_staleness_is_made_anew(store: FeatureStore, clock: Clock) -> None:
    counted = Counted()
    decorated = decorate("plain", counted.chat, store, max_staleness="30s")

    for seconds, runs in ((0, 1), (30, 1), (0.001, 2), (30, 2)):
        clock.move(seconds)
        decorated()
        assert counted.runs == runs


@in_both_ways
def test_freshness_is_judged_anew(way: str, store: FeatureStore, clock: Clock) -> None:
    counted = Counted(store)
    options: dict[str, Any] = {"name": "c", "freshness_sla": "1m", "cache_ttl": "1h"}
    lenient, strict = (
        decorate(way, counted.chat, store, freshness_strict=strict, **options) for strict in (False, True)
    )
    assert finish(lenient()).is_fresh
    assert finish(strict()).is_fresh
    clock.move(100)

    again = finish(lenient())
    assert again.meta["freshness_violations"] == [{"feature": "tier", "age_ms": 100_000, "sla_ms": 60_000}]
    assert (again.is_fresh, again.meta["is_cached_response"], again.meta["stale_sources"]) == (False, True, ["tier"])
    assert lineage_of(again).freshness_status == "degraded"
    assert lineage_of(again).stalest_feature_ms == 100_000
    assert again.to_record().assembly.freshness_status == "guaranteed"  # the record is of when it was made
    with pytest.raises(FreshnessError):
        finish(strict())
    assert counted.runs == 2


def test_items_are_judged_anew(store: FeatureStore, clock: Clock) -> None:
    decorated = decorate(
        "plain",
        lambda: [ContextItem("a", source_id="s", last_updated=clock.moment), ContextItem("b")],
        store,
        name="c",
        max_staleness="1m",
    )
    assert decorated().is_fresh
    clock.move(-3600)

    assert decorated().meta["freshness_notes"] == ["s is of a time 3600000 ms from now"]


def test_a_source_a_feature_or_a_value_that_changes_makes_contexts_void(store: FeatureStore) -> None:
    store.write_feature("tier", "u2", "tin")
    counted = Counted(store)
    decorated = decorate("plain", counted.chat, store)

    def fill() -> None:
        for user in ("u1", "u2"):
            decorated(user)

    fill()
    assert store.invalidate("nothing") == 0
    assert store.invalidate("docs") == 2
    fill()
    assert store.invalidate("tier") == 2
    fill()
    assert len(store.cache) == 2
    store.write_feature("tier", "u1", "silver")
    assert len(store.cache) == 1
    assert (decorated("u1").content, decorated("u2").content) == ("u1  silver 7", "u2  tin 6")
    asyncio.run(store.set_feature("tier", "u1", "lead"))
    assert decorated("u1").content == "u1  lead 8"


def test_what_an_inner_context_contains_makes_the_outer_one_void(store: FeatureStore) -> None:
    counted = Counted(store)
    inner: Any = decorate("plain", counted.chat, store, cache_ttl=None)

    @context(store)
    def outer() -> str:
        return str(inner().content)

    for change in (lambda: store.invalidate("docs"), lambda: store.write_feature("tier", "u1", "x")):
        runs = counted.runs
        outer()
        outer()
        assert counted.runs == runs + 1
        change()
        assert len(store.cache) == 0


def test_a_value_written_while_a_context_is_made_is_seen_by_later_calls(store: FeatureStore) -> None:
    counted = Counted(store)
    decorated = decorate("plain", counted.chat, store)
    counted.go_on.clear()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(decorated, "u1")
        assert counted.begun.wait(LONG_S)
        store.write_feature("tier", "u1", "silver")
        later = pool.submit(decorated, "u1")
        wait_until(lambda: count_waiting(decorated._recipe.sharing) == 1)  # noqa: SLF001 - nothing else tells
        counted.go_on.set()

        assert first.result(LONG_S).content == "u1  gold 1"
        assert later.result(LONG_S).content == "u1  silver 2"
    assert decorated("u1").content == "u1  silver 2"


def test_the_context_not_asked_for_the_longest_goes_first() -> None:
    store, counted = FeatureStore(), Counted()
    store.cache = ContextCache(limit=3)
    decorated = decorate("plain", counted.chat, store)

    for user in ("a", "b", "c", "a", "d"):
        decorated(user)
    assert (len(store.cache), counted.runs) == (3, 4)
    decorated("a")
    assert counted.runs == 4
    decorated("b")
    assert counted.runs == 5
    assert store.invalidate("docs") == 3


@in_both_ways
def test_no_context_is_served_beyond_the_ttl_of_what_it_read(way: str, store: FeatureStore, clock: Clock) -> None:
    runs = []

    @store.feature(ttl="30s")
    def balance(user: str) -> int:
        runs.append(user)
        return len(runs)

    inner = context(store, name="inner")(lambda user: f"{store.read_feature('balance', user)}")
    decorated = decorate(way, lambda user: inner(user).content, store, cache_ttl="5m")

    first = finish(decorated("u1"))
    clock.move(29)
    kept = finish(decorated("u1"))
    clock.move(2)
    anew = finish(decorated("u1"))

    assert (first.content, kept.id, anew.content) == ("1", first.id, "2")
    assert anew.id != first.id


@pytest.mark.parametrize("ttl", ["4000000d", "99999999999999999999d", timedelta.max])
def test_a_ttl_beyond_the_calendar_is_no_end(ttl: Any, store: FeatureStore, clock: Clock) -> None:
    store.declare_feature("tier", ttl=ttl)
    decorated = decorate("plain", lambda user: store.read_feature("tier", user), store, cache_ttl=ttl)

    first = decorated("u1")
    clock.move(86_400 * 365)

    assert decorated("u1").id == first.id
