"""What every store of records does: in memory and in a file."""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.errors import ConfigError, InputError, StoreError
from brimful.records import ContextRecord, InMemoryRecords, SqliteRecordStore, hide, sign
from brimful.records.canonical import write_json
from record_parts import KEY, NOON, make_record, records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from brimful.records import RecordStore

IDS = [
    *("ctx_1", "'", "o'brien", '"', "'; DROP TABLE records; --", "../../etc/passwd", "C:\\x", "a\0b", "a\nb", "%", "_"),
    *("*", "ctx_", "ctx_ctx_1", "sha256:", "é", "e\u0301", "𝔘", " ", "?1", ":start", "x" * 10_000, "NULL", "\u202e"),
]


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RecordStore]:
    with InMemoryRecords() if request.param == "memory" else SqliteRecordStore(tmp_path / "records.sqlite") as made:
        yield made


def ids(store: RecordStore, **filters: Any) -> list[str]:
    return [summary.context_id for summary in store.list(**filters)]


def test_a_record_is_found_by_its_id_with_and_without_ctx_and_by_its_hash(store: RecordStore) -> None:
    record = sign(make_record(), KEY, at=NOON)
    store.write(make_record(2))
    store.write(record)

    for name in ("ctx_1", "1", record.integrity.record_hash):
        assert store.read(name) == record
        found = store.verify(name, keys=[KEY])
        assert found is not None
        assert found.ok
    for name in ("ctx_3", "3", "CTX_1", "sha256:", "ctx_ctx_1", "%"):
        assert store.read(name) is None
        assert store.verify(name) is None


def test_ids_with_quotes_and_path_characters_are_ids(store: RecordStore) -> None:
    for number, name in enumerate(IDS):
        store.write(make_record(number, context_id=name, context_function=name))

    for number, name in enumerate(IDS):
        record = store.read(name)
        assert record == make_record(number, context_id=name, context_function=name)
        assert ids(store, name=name) == [name]
    assert sorted(ids(store)) == sorted(IDS)


def test_the_exact_id_comes_before_the_one_with_ctx(store: RecordStore) -> None:
    for name in ("ctx_a", "a"):
        store.write(make_record(context_id=name))

    for name in ("ctx_a", "a"):
        record = store.read(name)
        assert record is not None
        assert record.context_id == name


def test_a_record_is_written_once(store: RecordStore) -> None:
    for _ in range(3):
        store.write(make_record())
    with pytest.raises(StoreError) as caught:
        store.write(make_record(token_count=9))

    assert caught.value.kind == "immutable"
    assert "the record 'ctx_1' is there already and says something else" in str(caught.value)
    assert store.read("ctx_1") == make_record()
    assert len(store.list()) == 1


@pytest.mark.parametrize("record", [None, "ctx_1", make_record().to_dict()])
def test_what_is_no_record_is_refused(store: RecordStore, record: Any) -> None:
    with pytest.raises(InputError, match="record must be a ContextRecord"):
        store.write(record)


def test_a_record_with_a_wrong_hash_is_refused(store: RecordStore) -> None:
    document = make_record().to_dict()
    document["content"] = "something else"
    with pytest.raises(InputError, match="the record hash of 'ctx_1' is not that of the record"):
        store.write(ContextRecord.from_dict(document))

    assert store.list() == []


@pytest.mark.parametrize("name", ["", None, 5, "\ud800", b"ctx_1"])
def test_what_is_no_id_is_refused(store: RecordStore, name: Any) -> None:
    for call in (store.read, store.verify):
        with pytest.raises(InputError, match="id must be a str that is not empty and has no lone surrogates"):
            call(name)


def test_a_list_has_the_newest_first_and_ties_by_id(store: RecordStore) -> None:
    for number in (3, 1, 2):
        store.write(make_record(number))
    store.write(make_record(7, context_id="ctx_1b", created_at="2026-01-01T13:00:01+01:00"))

    assert ids(store) == ["ctx_3", "ctx_2", "ctx_1b", "ctx_1"]
    assert ids(store, limit=2) == ["ctx_3", "ctx_2"]
    assert ids(store, limit=0) == []
    assert ids(store, limit=None) == ids(store)


def test_a_list_has_what_was_asked_for(store: RecordStore) -> None:
    for number in range(4):
        store.write(make_record(number))
    store.write(make_record(9, context_function="search", assembly={"freshness_status": "degraded"}))

    assert ids(store, start="2026-01-01T12:00:02Z", end=datetime(2026, 1, 1, 12, 0, 3, tzinfo=UTC)) == [
        "ctx_3",
        "ctx_2",
    ]
    assert ids(store, start="2026-01-01T13:00:09+01:00") == ["ctx_9"]
    assert ids(store, name="search") == ids(store, freshness_status="degraded") == ["ctx_9"]
    assert ids(store, name="chat", freshness_status="degraded") == []
    assert ids(store, name="' OR 1=1 --") == []


def test_a_summary_says_what_the_record_says(store: RecordStore) -> None:
    store.write(make_record())
    [summary] = store.list()

    assert json.loads(json.dumps(summary.to_dict())) == {
        "context_id": "ctx_1",
        "record_hash": make_record().integrity.record_hash,
        "created_at": "2026-01-01T12:00:01.000000+00:00",
        "context_function": "chat",
        "environment": "development",
        "freshness_status": "guaranteed",
        "token_count": 8,
        "items_provided": 2,
        "items_included": 1,
    }


@pytest.mark.parametrize(
    ("filters", "error", "message"),
    [
        ({"limit": -1}, ConfigError, "limit must be a whole number from 0"),
        ({"limit": "3"}, ConfigError, "limit must be a whole number from 0"),
        ({"start": "yesterday"}, InputError, "start must be a datetime or a text in ISO 8601, got 'yesterday'"),
        ({"end": 5}, InputError, "end must be a datetime"),
        ({"freshness_status": "good"}, ConfigError, "freshness_status must be one of `guaranteed`, `degraded`"),
        ({"name": 5}, ConfigError, "name must be a str or None, got 5"),
    ],
)
def test_a_filter_that_cannot_be(
    store: RecordStore, filters: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        store.list(**filters)


@given(st.lists(records, max_size=4, unique_by=lambda record: record.context_id))
def test_both_stores_give_back_what_was_written(made: list[ContextRecord]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        InMemoryRecords() as memory,
        SqliteRecordStore(f"{folder}/records.sqlite") as file,
    ):
        for record in made:
            for kept in (memory, file):
                kept.write(record)
        assert memory.list() == file.list()
        for record in made:
            assert memory.read(record.context_id) == file.read(record.context_id) == record
            assert file.verify(record.context_id) is not None


def test_a_hidden_record_is_kept_as_any_other(store: RecordStore) -> None:
    hidden = sign(hide(make_record(), KEY), KEY, at=NOON)
    store.write(hidden)
    found = store.verify("1", keys=[KEY])

    assert store.read("1") == hidden
    assert found is not None
    assert (found.ok, found.content_hash) == (True, "absent")


def test_numbers_that_json_writes_in_one_way_only_come_back(store: RecordStore) -> None:
    inputs = {"a": 1.0, "b": 1e-07, "c": 1e22, "d": -0.0, "e": 123456789012345678}
    store.write(make_record(inputs=inputs))
    record = store.read("1")

    assert record is not None
    assert write_json(record.inputs) == write_json(inputs)
