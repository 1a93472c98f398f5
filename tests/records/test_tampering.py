"""A stored row is proof to the last byte: whatever is changed in it, by whoever writes to the file itself, is found."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from brimful.errors import StoreError
from brimful.records import SqliteRecordStore, sign
from brimful.records.record_schema import COLUMNS
from record_parts import KEY, NOON, make_record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TRIGGERS = ("records_are_not_changed", "records_are_not_deleted", "records_are_not_replaced")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "records.sqlite"
    with SqliteRecordStore(path) as store:
        store.write(sign(make_record(1), KEY, at=NOON))
        store.write(make_record(2))
    return path


@pytest.fixture
def intruder(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        for trigger in TRIGGERS:
            connection.execute(f"DROP TRIGGER {trigger}")
        yield connection


def damaged(content: bytes) -> Iterator[bytes]:
    """The same with a byte changed, each in turn; then one taken away, and one put behind."""
    for place, byte in enumerate(content):
        yield content[:place] + bytes([byte ^ 1]) + content[place + 1 :]
    yield content[:-1]
    yield content + b" "


@pytest.mark.slow
@pytest.mark.parametrize("column", COLUMNS)
def test_a_changed_byte_of_a_stored_row_fails(path: Path, intruder: sqlite3.Connection, column: str) -> None:
    query = f"SELECT CAST({column} AS BLOB), typeof({column}) FROM records WHERE rowid = 1"  # noqa: S608 - ours
    [(content, kind)] = intruder.execute(query)
    change = f"UPDATE records SET {column} = CAST(? AS {kind}) WHERE rowid = 1"  # noqa: S608
    count = 0
    with SqliteRecordStore(path, read_only=True) as store:
        for other in damaged(content):
            if kind == "integer" and not other.strip().isdigit():
                continue
            if kind == "integer" and int(other) == int(content):
                continue
            intruder.execute(change, (other,))
            first, second = store.verify_all()
            assert not first.ok, other
            assert first.row == "invalid"
            assert second.ok
            count += 1
        intruder.execute(change, (content,))
        assert all(found.ok for found in store.verify_all())
    assert count >= (1 if kind == "integer" else len(content))


def test_a_row_that_was_changed_is_not_read(path: Path, intruder: sqlite3.Connection) -> None:
    intruder.execute("UPDATE records SET body = replace(body, 'gold', 'lead') WHERE context_id = 'ctx_1'")
    with SqliteRecordStore(path) as store:
        with pytest.raises(StoreError) as caught:
            store.read("ctx_1")
        found = store.verify("ctx_1", keys=[KEY])

        assert (caught.value.kind, "the record 'ctx_1' was changed: body" in str(caught.value)) == ("corrupted", False)
        assert "the record 'ctx_1' was changed: seal is not what was written" in str(caught.value)
        assert found is not None
        assert (found.content_hash, found.record_hash, found.signature, found.row) == ("invalid",) * 4
        assert store.read("ctx_2") == make_record(2)


@pytest.mark.parametrize(
    "value", ["''", "'{'", "X'FF'", "CAST(X'FF' AS TEXT)", "'null'", "7", f"'{'[' * 50_000}'", "'{\"integrity\":{}}'"]
)
def test_a_body_that_is_no_record_any_more_is_found(path: Path, intruder: sqlite3.Connection, value: str) -> None:
    intruder.execute(f"UPDATE records SET body = {value} WHERE rowid = 1")  # noqa: S608 - ours
    with SqliteRecordStore(path) as store:
        with pytest.raises(StoreError, match=r"is corrupted: the record 'ctx_1' was changed: body: "):
            store.read("ctx_1")
        found = store.verify("ctx_1")
        assert found is not None
        assert (found.context_id, found.ok, found.row) == ("ctx_1", False, "invalid")
        assert [verification.ok for verification in store.verify_all()] == [False, True]


@pytest.mark.parametrize("change", ["token_count = 'many'", "created_at = X'00'", "environment = CAST(X'FF' AS TEXT)"])
def test_a_list_of_rows_that_were_changed_says_so(path: Path, intruder: sqlite3.Connection, change: str) -> None:
    intruder.execute(f"UPDATE records SET {change} WHERE rowid = 1")  # noqa: S608 - ours
    with SqliteRecordStore(path) as store:
        with pytest.raises(StoreError, match="is corrupted: ") as caught:
            store.list()
        assert caught.value.kind == "corrupted"
        assert [found.ok for found in store.verify_all()] == [False, True]


@pytest.mark.parametrize(
    ("statement", "counts"),
    [
        ("UPDATE records SET token_count = 1", 2),
        ("UPDATE records SET body = body", 2),
        ("DELETE FROM records", 2),
        ("REPLACE INTO records SELECT * FROM records WHERE rowid = 1", 2),
        ("INSERT OR REPLACE INTO records SELECT * FROM records", 2),
        ("INSERT OR IGNORE INTO records SELECT * FROM records", 2),
    ],
)
def test_the_file_itself_refuses_to_change_a_row(path: Path, statement: str, counts: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        before = connection.execute("SELECT * FROM records").fetchall()
        with pytest.raises(sqlite3.IntegrityError, match="records are immutable"):
            connection.execute(statement)
        assert connection.execute("SELECT * FROM records").fetchall() == before
        assert len(before) == counts


def test_a_byte_of_the_file_that_was_changed_is_an_error_or_a_finding(path: Path) -> None:
    content = path.read_bytes()
    place = content.index(b"Your tier is gold.")
    path.write_bytes(content[:place] + b"M" + content[place + 1 :])
    with SqliteRecordStore(path, read_only=True) as store:
        assert sorted(found.ok for found in store.verify_all()) == [False, True]


@pytest.mark.parametrize("rowid", [-(2**63), -1, 0, 2**63 - 1])
def test_no_row_is_passed_over(path: Path, intruder: sqlite3.Connection, rowid: int) -> None:
    intruder.execute("UPDATE records SET rowid = ?, body = replace(body, 'gold', 'lead') WHERE rowid = 1", (rowid,))
    with SqliteRecordStore(path) as store:
        assert sorted(found.ok for found in store.verify_all()) == [False, True]
