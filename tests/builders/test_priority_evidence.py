"""Evidence: what is recorded of a context, and what happens where it cannot be."""

from __future__ import annotations

import asyncio
import hashlib
import math
import sqlite3
import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.priority import Context, ContextItem, FeatureStore, context, retriever
from brimful.errors import ConfigError, StoreError
from brimful.records import ContextRecord, InMemoryRecords, SigningKey, SqliteRecordStore, verify
from priority_parts import NOON, Clock, Counted, decorate, finish, give, in_both_ways, items
from sharing_parts import LONG_S

if TYPE_CHECKING:
    from pathlib import Path

KEY = SigningKey(b"secret", "2026")


class Records(InMemoryRecords):
    """A store of records that can be made to fail, and notes who writes."""

    def __init__(self) -> None:
        super().__init__()
        self.fails, self.threads = False, list[int]()

    def write(self, record: ContextRecord) -> None:
        self.threads.append(threading.get_ident())
        if self.fails:
            message = "store is locked"
            raise StoreError(message, kind="locked")
        super().write(record)


@pytest.fixture
def records() -> Records:
    return Records()


@pytest.fixture
def store(records: Records) -> FeatureStore:
    return FeatureStore(records=records, clock=Clock(), environment="staging")


def digest(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def stored(store: FeatureStore, made: Context) -> ContextRecord:
    assert store.records is not None
    record = store.records.read(made.id)
    assert record is not None
    return record


@in_both_ways
@pytest.mark.parametrize("evidence", ["best_effort", "required"])
def test_a_context_is_recorded_once(way: str, evidence: Any, store: FeatureStore, records: Records) -> None:
    decorated = decorate(way, Counted().chat, store, evidence=evidence)

    made = [finish(decorated("u1")) for _ in range(2)]

    record = stored(store, made[0])
    assert len(records.threads) == 1
    assert record == made[0].to_record() == made[1].to_record()
    assert verify(record).ok
    for one in made:
        meta = one.meta
        assert (meta["evidence_mode"], meta["evidence_persisted"], meta["evidence_error"]) == (evidence, True, None)
        assert (meta["record_hash"], meta["content_hash"]) == (
            record.integrity.record_hash,
            record.integrity.content_hash,
        )


def test_a_record_says_what_was_given_read_found_and_decided(store: FeatureStore) -> None:
    store.write_feature("tier", "u1", {"level": "gold"}, event_time=NOON - timedelta(seconds=2))

    written = NOON - timedelta(seconds=3)

    @retriever(store, stale_after="2s")
    def search(query: str) -> list[dict[str, object]]:
        text = f"About {query}."
        return [{"id": "c1", "document_id": "d1", "content": text, "score": 0.5, "source_url": "x", "as_of": written}]

    @context(store, max_tokens=20, token_counter=len, freshness_sla="1s")
    def chat(user: str, query: str = "brims") -> list[ContextItem]:
        store.read_feature("tier", user)
        return [
            ContextItem("first", required=True),
            ContextItem(str(search(query)[0]["content"]), priority=1, source_id="docs"),
            ContextItem("one two three", priority=2, truncate_strategy="end"),
            ContextItem("never shown", priority=3),
        ]

    made = chat("u1")
    record = stored(store, made)

    assert (record.context_function, record.environment, record.inputs) == (
        "chat",
        "staging",
        {"user": "u1", "query": "brims"},
    )
    assert (record.content, record.token_count) == (made.content, len(made.content))
    [feature] = record.features
    assert (feature.name, feature.entity_id, feature.value, feature.freshness_ms) == (
        "tier",
        "u1",
        {"level": "gold"},
        2000,
    )
    [found] = record.retrieved_items
    assert (found.retriever, found.chunk_id, found.document_id, found.content) == ("search", "c1", "d1", None)
    assert (found.content_hash, found.priority, found.similarity_score) == (digest("About brims."), 0, 0.5)
    assert (found.source_url, found.as_of) == ("x", "2026-01-01T11:59:57Z")
    assert (found.freshness_ms, found.is_stale) == (3000, True)
    assert record.items is not None
    assert [(item.source_id, item.fate, item.content_hash) for item in record.items] == [
        (None, "included", digest("first")),
        ("docs", "included", digest("About brims.")),
        (None, "dropped", digest("one two three")),
        (None, "dropped", digest("never shown")),
    ]
    assembly = record.assembly
    assert [drop.source_id for drop in assembly.dropped_items] == ["item_3", "item_2"]
    assert (assembly.max_tokens, assembly.tokens_used, assembly.items_included) == (20, 18, 2)
    assert (assembly.freshness_sla_ms, assembly.freshness_status, assembly.freshness_violations) == (
        1000,
        "degraded",
        ("tier",),
    )
    assert (record.lineage.features_used, record.lineage.retrievers_used) == (("tier",), ("search",))
    assert record.lineage.estimated_cost_usd == made.meta["cost_usd"]


def test_an_item_that_was_cut_is_recorded_with_the_hash_of_all_of_it(store: FeatureStore) -> None:
    given = [ContextItem("one two three", priority=2, truncate_strategy="end")]
    made = decorate("plain", give(given), store, name="c", max_tokens=8, token_counter=len)()

    record = stored(store, made)

    assert record.items is not None
    [item] = record.items
    assert (record.content, item.fate, item.token_count) == ("one two", "truncated", 7)
    assert item.content_hash == digest("one two three")


def test_what_is_no_json_is_said_and_does_not_stop_the_record(store: FeatureStore) -> None:
    store.write_feature("odd", "u1", object())
    store.write_feature("nan", "u1", math.nan)

    @context(store)
    def chat(user: object) -> str:
        return f"{store.read_feature('nan', 'u1')} {store.read_feature('odd', 'u1') is user} \ud800"

    record = stored(store, chat(object()))

    assert [feature.value for feature in record.features] == [
        {"$float": "NaN"},
        {"$unserialisable": "builtins.object"},
    ]
    assert record.inputs == {"user": {"$unserialisable": "builtins.object"}}
    assert record.content == "nan False �"
    assert verify(record).ok


def test_records_are_signed_and_hidden_as_the_store_says(records: Records) -> None:
    store = FeatureStore(records=records, signing_key=KEY, private=True, clock=Clock())
    store.write_feature("tier", "u1", "gold")

    @context(store)
    def chat(user: str) -> str:
        return f"{user} is {store.read_feature('tier', user)}"

    made = chat("u1")
    record = stored(store, made)

    assert verify(record, keys=[KEY]).ok
    assert (record.integrity.signing_key_id, record.content) == ("2026", "")
    assert record.integrity.content_hash == made.meta["content_hash"] == digest("u1 is gold")
    assert record.integrity.record_hash == made.meta["record_hash"]
    assert "gold" not in record.to_json()
    assert record.inputs == {"user": {"$hmac-sha256": KEY.digest('"u1"')}}
    assert made.to_record(include_content=False).content == ""
    assert made.to_record().content == made.content == "u1 is gold"


@in_both_ways
def test_best_effort_gives_the_context_and_says_what_failed(way: str, store: FeatureStore, records: Records) -> None:
    records.fails = True
    decorated = decorate(way, Counted().chat, store)

    for made in (finish(decorated("u1")), finish(decorated("u1"))):
        assert made.content.startswith("u1")
        assert made.meta["evidence_persisted"] is False
        assert made.meta["evidence_error"] == "StoreError: store is locked"
        assert made.meta["record_hash"] == made.to_record().integrity.record_hash
    assert records.list() == []


@in_both_ways
def test_required_evidence_fails_closed_every_time(way: str, store: FeatureStore, records: Records) -> None:
    counted = Counted()
    decorated = decorate(way, counted.chat, store, evidence="required")
    records.fails = True

    for runs in (1, 2, 3):
        with pytest.raises(StoreError, match="store is locked"):
            finish(decorated("u1"))
        assert counted.runs == runs
    assert len(store.cache) == 0

    records.fails = False
    made = [finish(decorated("u1")) for _ in range(2)]
    assert counted.runs == 4
    assert [one.meta["evidence_persisted"] for one in made] == [True, True]
    assert [summary.context_id for summary in records.list()] == [made[0].id]


def test_required_evidence_that_fails_is_raised_for_all_equal_callers(store: FeatureStore, records: Records) -> None:
    records.fails = True
    counted = Counted()
    decorated: Any = context(store, evidence="required")(counted.chat_later)

    async def all_of_them() -> list[object]:
        return list(await asyncio.gather(*(decorated("u1") for _ in range(20)), return_exceptions=True))

    found = asyncio.run(all_of_them())

    assert counted.runs == 1
    assert [type(one) for one in found] == [StoreError] * 20


def test_async_contexts_write_beside_the_event_loop(store: FeatureStore, records: Records) -> None:
    finish(decorate("async", give("text"), store, name="c")())
    decorate("plain", give("text"), store, name="c")()

    here = threading.get_ident()
    assert [thread == here for thread in records.threads] == [False, True]


def test_other_functions_go_on_while_a_record_is_written(store: FeatureStore, records: Records) -> None:
    ticked = threading.Event()
    write = records.write

    def slow(record: ContextRecord) -> None:
        assert ticked.wait(LONG_S)
        write(record)

    records.write = slow  # type: ignore[method-assign]

    async def both() -> Context:
        task = asyncio.create_task(decorate("async", give("text"), store, name="c")())
        await asyncio.sleep(0.01)
        ticked.set()
        return finish(await task)

    assert asyncio.run(both()).meta["evidence_persisted"] is True


def test_required_evidence_needs_records() -> None:
    with pytest.raises(ConfigError, match="evidence must be `best_effort` unless the store has records"):
        context(FeatureStore(), evidence="required")


def test_required_evidence_is_not_forgotten_with_the_records(store: FeatureStore) -> None:
    decorated = decorate("plain", give("text"), store, name="c", evidence="required")
    store.records = None

    with pytest.raises(ConfigError, match="evidence is required, and the store has no records any more"):
        decorated()


def test_without_records_a_context_can_still_say_its_record() -> None:
    made = decorate("plain", give(items("a", "b")))()

    assert (made.meta["record_hash"], made.meta["evidence_persisted"]) == (None, False)
    assert made.meta["content_hash"] == digest("a\nb")
    assert verify(made.to_record()).ok


@pytest.mark.parametrize("evidence", ["best_effort", "required"])
@pytest.mark.parametrize("kind", ["locked", "failed", "read-only", "corrupted"])
def test_a_file_that_cannot_be_written(kind: str, evidence: Any, tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    records = break_store(kind, path)
    store = FeatureStore(records=records)
    decorated = decorate("plain", give("text"), store, name="c", evidence=evidence)
    locking = sqlite3.connect(path) if kind == "locked" else None
    if locking is not None:
        locking.execute("BEGIN IMMEDIATE")

    try:
        if evidence == "required":
            with pytest.raises(StoreError) as caught:
                decorated()
            assert caught.value.kind == kind
        else:
            made = decorated()
            assert (made.content, made.meta["evidence_persisted"]) == ("text", False)
            assert "records.sqlite" in made.meta["evidence_error"]
    finally:
        if locking is not None:
            locking.close()
        records.close()


def break_store(kind: str, path: Path) -> SqliteRecordStore:
    """A store of records that cannot be written."""
    records = SqliteRecordStore(path, timeout_s=0.05)
    if kind == "read-only":
        records.close()
        return SqliteRecordStore(path, read_only=True)
    if kind == "failed":
        records.close()
    if kind == "corrupted":
        with sqlite3.connect(path) as other:
            tables = [name for (name,) in other.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for name in tables:
                other.execute(f'DROP TABLE "{name}"')
        other.close()
    return records


@in_both_ways
def test_a_record_in_a_file_is_there_for_the_next_process(way: str, tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    with SqliteRecordStore(path) as records:
        made = finish(decorate(way, give("text"), FeatureStore(records=records), name="c", evidence="required")())

    with SqliteRecordStore(path, read_only=True) as records:
        assert records.read(made.id) == made.to_record()
        assert records.read(made.meta["record_hash"]) == made.to_record()
        found = records.verify(made.id)
    assert found is not None
    assert found.ok
