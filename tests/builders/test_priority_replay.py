"""Replay: a recorded context built again from its arguments and from what was known then."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.priority import (
    Context,
    ContextItem,
    FeatureStore,
    FreshnessError,
    SqliteFeatures,
    areplay,
    context,
    feature,
    replay,
)
from brimful.errors import ConfigError, InputError
from brimful.records import InMemoryRecords, SqliteRecordStore
from priority_parts import NOON, Clock, decorate, finish, give, in_both_ways, lineage_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def store(clock: Clock) -> FeatureStore:
    return FeatureStore(records=InMemoryRecords(), clock=clock)


def again(way: str, record: Any, store: FeatureStore, **options: Any) -> Context:
    return (
        replay(record, store=store, **options)
        if way == "plain"
        else asyncio.run(areplay(record, store=store, **options))
    )


def tiers(store: FeatureStore) -> Any:
    def chat(user: str, *more: str, polite: bool = True, **rest: object) -> list[ContextItem]:
        tier = store.read_feature("tier", user)
        return [ContextItem(f"{user} {tier} {more} {polite} {rest}", required=True)]

    return chat


@in_both_ways
def test_a_context_is_built_again_as_it_was(way: str, store: FeatureStore, clock: Clock) -> None:
    store.write_feature("tier", "u1", "gold")
    decorated = decorate(way, tiers(store), store)
    made = finish(decorated("u1", "x", "y", polite=False, other=[1, None]))
    clock.move(60)
    store.write_feature("tier", "u1", "silver")
    assert "silver" in finish(decorated("u1")).content

    for record in (made.to_record(), made.id, made.meta["record_hash"]):
        found = again(way, record, store)
        assert found.content == made.content == "u1 gold ('x', 'y') False {'other': [1, None]}"
        assert found.meta["content_hash"] == made.meta["content_hash"]
        assert lineage_of(found).context_args == lineage_of(made).context_args
        assert found.id != made.id
        assert found.meta["as_of"] == made.meta["timestamp"]


@in_both_ways
def test_any_moment_may_be_asked_for(way: str, store: FeatureStore, clock: Clock) -> None:
    for number in range(3):
        store.write_feature("tier", "u1", number)
        clock.move(60)
    made = finish(decorate(way, tiers(store), store)("u1"))

    values = [
        lineage_of(again(way, made.id, store, at=f"2026-01-01T12:0{minute}:30")).features_used[0].value
        for minute in (0, 1, 2)
    ]
    assert values == [0, 1, 2]
    with pytest.raises(InputError, match="feature 'tier'"):
        again(way, made.id, store, at="2025-12-31")
    with pytest.raises(InputError, match="at must be a datetime or a text in ISO 8601, got 'then'"):
        again(way, made.id, store, at="then")


def test_a_value_that_arrived_later_was_not_known_then(store: FeatureStore, clock: Clock) -> None:
    store.write_feature("tier", "u1", "gold", event_time="2026-01-01T10:00")
    made = finish(decorate("plain", tiers(store), store)("u1"))
    clock.move(60)
    store.write_feature("tier", "u1", "late", event_time="2026-01-01T11:00")

    assert store.read_feature("tier", "u1") == "late"
    assert replay(made.id, store=store).content == made.content


@in_both_ways
def test_a_replay_is_neither_cached_nor_stored_nor_served_from_the_cache(way: str, store: FeatureStore) -> None:
    runs: list[int] = []

    def chat(user: str) -> str:
        runs.append(1)
        return user

    made = finish(decorate(way, chat, store, evidence="required")("u1"))
    store.cache.invalidate("nothing")
    found = [again(way, made.id, store) for _ in range(2)]

    assert len(runs) == 3
    assert len({one.id for one in found} | {made.id}) == 3
    assert [one.meta["cache"] for one in found] == ["off", "off"]
    assert [one.meta["evidence_persisted"] for one in found] == [False, False]
    assert store.records is not None
    assert [summary.context_id for summary in store.records.list()] == [made.id]
    assert len(store.cache) == 1


def test_functions_of_features_are_not_run_again(store: FeatureStore, clock: Clock) -> None:
    runs: list[str] = []

    @feature(store, ttl="1m", default="none")
    def tier(user: str) -> str:
        runs.append(user)
        return f"gold {len(runs)}"

    made = finish(decorate("plain", tiers(store), store)("u1"))
    clock.move(3600)
    store.read_feature("tier", "u1")

    assert replay(made.id, store=store).content == made.content
    assert "none" in replay(made.id, store=store, at="2026-01-01T11:00").content
    assert runs == ["u1", "u1"]
    assert tier("u2") == "gold 3"


@in_both_ways
def test_freshness_is_that_of_then(way: str, store: FeatureStore, clock: Clock) -> None:
    store.write_feature("tier", "u1", "gold")
    decorated = decorate(way, tiers(store), store, freshness_sla="1m", freshness_strict=True)
    made = finish(decorated("u1"))
    clock.move(3600)

    found = again(way, made.id, store)
    assert found.is_fresh
    assert lineage_of(found).stalest_feature_ms == 0
    with pytest.raises(FreshnessError):
        again(way, made.id, store, at=clock())


def test_contexts_within_the_context_travel_along(store: FeatureStore, clock: Clock) -> None:
    inner: Any = decorate("plain", tiers(store), store)

    @context(store)
    def outer(user: str) -> str:
        return f"<{inner(user).content}>"

    store.write_feature("tier", "u1", "gold")
    made = outer("u1")
    clock.move(60)
    store.write_feature("tier", "u1", "silver")
    inner("u1")

    assert store.records is not None
    count = len(store.records.list())
    assert replay(made.id, store=store).content == made.content
    assert len(store.records.list()) == count


def test_after_a_restart_all_is_there(clock: Clock, tmp_path: Path) -> None:
    def open_store() -> FeatureStore:
        records = SqliteRecordStore(tmp_path / "records.sqlite")
        return FeatureStore(SqliteFeatures(tmp_path / "features.sqlite"), records=records, clock=clock)

    with open_store() as store:
        store.write_feature("tier", "o'brien", "gold")
        made = finish(decorate("plain", tiers(store), store)("o'brien"))
        clock.move(60)
        store.write_feature("tier", "o'brien", "silver")
    with open_store() as store:
        decorate("plain", tiers(store), store)
        found = replay(made.id, store=store)

    assert found.content == made.content
    assert lineage_of(found).features_used[0].value == "gold"


def test_an_async_function_is_replayed_by_areplay(store: FeatureStore) -> None:
    made = finish(decorate("async", give("text"), store, name="c")())

    with pytest.raises(InputError, match=r"context function 'c' is async\nhint: await areplay\(...\)"):
        replay(made.id, store=store)


@in_both_ways
def test_what_cannot_be_replayed_is_refused(way: str, store: FeatureStore) -> None:
    hidden = FeatureStore(records=InMemoryRecords(), private=True)

    def chat(user: object) -> str:
        return str(type(user))

    made = finish(decorate(way, chat, store)(object()))
    with pytest.raises(InputError, match=r"argument user cannot be given again: the record says {'\$unserialisable'"):
        again(way, made.id, store)
    private = finish(decorate(way, chat, hidden)("u1"))
    with pytest.raises(InputError, match=r"argument user cannot be given again: the record says {'\$sha256'"):
        again(way, private.id, hidden)
    with pytest.raises(InputError, match="the store has no context function 'chat'"):
        again(way, made.to_record(), FeatureStore())
    with pytest.raises(InputError, match="there is no record 'ctx_0'"):
        again(way, "ctx_0", store)
    with pytest.raises(ConfigError, match="store must have records to replay 'ctx_0'"):
        again(way, "ctx_0", FeatureStore())


def test_a_function_that_takes_other_arguments_today_is_refused(store: FeatureStore) -> None:
    def chat(user: str) -> str:
        return user

    made = finish(decorate("plain", chat, store)("u1"))
    decorate("plain", lambda client: client, store, name="chat")
    with pytest.raises(InputError, match="has no parameter 'user', but the record has such an argument"):
        replay(made.id, store=store)
    decorate("plain", lambda user, query: user + query, store, name="chat")
    with pytest.raises(InputError, match=r"the record lacks an argument .* 'query'"):
        replay(made.id, store=store)
    decorate("plain", lambda user, query="?": user + query, store, name="chat")
    assert replay(made.id, store=store).content == "u1?"


def test_arguments_of_all_kinds_come_back(store: FeatureStore) -> None:
    def chat(first: float, /, *more: object, when: object = None, **rest: object) -> str:
        return repr((first, more, when, sorted(rest.items())))

    decorated = decorate("plain", chat, store)
    for args, kwargs in (
        ((float("inf"),), {}),
        ((1, "a", None, [1, {"b": True}]), {"when": NOON, "x": 2, "first": "rest"}),
        ((-0.0, {"$float": "NaN"}), {"y": {"$sha256": 1}}),
    ):
        made = finish(decorated(*args, **kwargs))
        assert replay(made.id, store=store).content == made.content
