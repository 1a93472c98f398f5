"""What is wrong with a file of records, in plain words."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from brimful.errors import ConfigError, StoreError
from brimful.records import SqliteRecordStore
from brimful.stores.cards import Card
from brimful.stores.sqlite_cards import SqliteAdapter
from record_parts import make_record

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "records.sqlite"


def refusal(call: Any, *arguments: Any, **options: Any) -> StoreError:
    with pytest.raises(StoreError) as caught:
        call(*arguments, **options)
    return caught.value


def test_a_locked_store_says_so_and_can_be_read(path: Path) -> None:
    with SqliteRecordStore(path, timeout_s=0.01) as store, closing(sqlite3.connect(path)) as other:
        store.write(make_record())
        other.execute("BEGIN IMMEDIATE")
        error = refusal(store.write, make_record(2))

        assert (error.kind, "is locked by another connection" in str(error)) == ("locked", True)
        assert [summary.context_id for summary in store.list()] == ["ctx_1"]
        other.rollback()
        store.write(make_record(2))
        assert store.read("2") == make_record(2)


def test_a_read_only_store_says_so(path: Path) -> None:
    with SqliteRecordStore(path) as store:
        store.write(make_record())
    with SqliteRecordStore(path, read_only=True) as store:
        error = refusal(store.write, make_record(2))

        assert (error.kind, "is read-only" in str(error)) == ("read-only", True)
        assert store.read("1") == make_record()


def test_a_full_store_says_so_and_keeps_what_it_has(path: Path) -> None:
    with SqliteRecordStore(path) as store:
        store.write(make_record())
        with store._database.reading() as connection:  # noqa: SLF001 - no test may fill the disk
            [(pages,)] = connection.execute("PRAGMA page_count")
            connection.execute(f"PRAGMA max_page_count={pages}")
        error = refusal(store.write, make_record(2, content="x" * 100_000))

        assert (error.kind, "has no room left" in str(error)) == ("full", True)
        assert [summary.context_id for summary in store.list()] == ["ctx_1"]
        assert all(found.ok for found in store.verify_all())


@pytest.mark.parametrize("damage", ["no database at all" * 100, "\0" * 1_800])
def test_a_file_that_is_no_database_says_so(path: Path, damage: str) -> None:
    path.write_text(damage)
    error = refusal(SqliteRecordStore, path)

    assert (error.kind, str(error)) == ("corrupted", f"store {path} is corrupted: file is not a database")


def test_damage_in_the_middle_says_so(path: Path) -> None:
    with SqliteRecordStore(path) as store:
        for number in range(60):
            store.write(make_record(number))
    content = bytearray(path.read_bytes())
    content[8 * 4096 : -4096] = b"\xff" * (len(content) - 9 * 4096)
    path.write_bytes(content)
    with SqliteRecordStore(path) as store:
        for call in (lambda: [store.read(f"ctx_{n}") for n in range(60)], lambda: list(store.verify_all())):
            error = refusal(call)
            assert (error.kind, f"store {path} is corrupted" in str(error)) == ("corrupted", True)


def test_a_table_that_is_gone_says_so(path: Path) -> None:
    SqliteRecordStore(path).close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TABLE records")
    with SqliteRecordStore(path) as store:
        for call in (store.list, lambda: store.read("1"), lambda: store.write(make_record())):
            assert refusal(call).kind == "corrupted"


def test_the_file_of_another_store_is_refused(path: Path) -> None:
    with SqliteAdapter(path) as cards:
        cards.write_card(Card("a", id="a"))

    assert str(refusal(SqliteRecordStore, path)) == f"store {path} was made by another program"


def test_a_schema_of_a_later_version_is_refused(path: Path) -> None:
    SqliteRecordStore(path).close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version=9")

    assert str(refusal(SqliteRecordStore, path)) == f"store {path} was written by a later version: schema 9, not 1"


def test_a_store_that_is_only_read_must_be_there(path: Path) -> None:
    error = refusal(SqliteRecordStore, path, read_only=True)

    assert (error.kind, str(error)) == ("failed", f"store {path} cannot be opened: unable to open database file")
    assert not path.exists()


def test_a_closed_store_says_so(path: Path) -> None:
    store = SqliteRecordStore(path)
    store.close()
    store.close()

    assert str(refusal(store.list)) == f"store {path} is closed"


@pytest.mark.parametrize("options", [{"timeout_s": -1}, {"read_only": 1}])
def test_an_option_that_cannot_be(path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        SqliteRecordStore(path, **options)


@pytest.mark.parametrize("name", ["o'brien.sqlite", "a b?c#d.sqlite", "é%41.sqlite"])
def test_a_path_may_have_any_characters(tmp_path: Path, name: str) -> None:
    with SqliteRecordStore(tmp_path / name) as store:
        store.write(make_record())

    assert (tmp_path / name).exists()


def test_more_records_than_a_page_are_all_verified(path: Path) -> None:
    with SqliteRecordStore(path) as store:
        for number in range(205):
            store.write(make_record(number))

        assert [found.context_id for found in store.verify_all()] == [f"ctx_{number}" for number in range(205)]


def test_records_are_made_and_read_without_sqlite() -> None:
    script = "import sys, brimful.records as records; records.InMemoryRecords(); print('sqlite3' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"
