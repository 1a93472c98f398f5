"""SQLite files: schemas that grow, and what is wrong with a file in plain words."""

from __future__ import annotations

import os
import pickle
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from brimful import ConfigError
from brimful.errors import StoreError
from brimful.stores.cards import Card
from brimful.stores.filesystem_cards import FilesystemAdapter
from brimful.stores.sqlite import Database
from brimful.stores.sqlite_cards import SqliteAdapter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FIRST = "CREATE TABLE things (name TEXT); INSERT INTO things VALUES ('old')"
SECOND = "ALTER TABLE things ADD COLUMN size INTEGER; UPDATE things SET size = 7"


def open_database(path: Path, *migrations: str, **options: Any) -> Database:
    return Database(
        path, **{"migrations": migrations, "application": 7, "read_only": False, "timeout_s": 0.0, **options}
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cards.sqlite"


def refusal(call: Any, *arguments: Any, **options: Any) -> StoreError:
    with pytest.raises(StoreError) as caught:
        call(*arguments, **options)
    return caught.value


def test_an_old_schema_is_brought_up_to_date_and_keeps_its_rows(path: Path) -> None:
    open_database(path, FIRST).close()
    for _ in range(2):  # the second time there is nothing to do
        database = open_database(path, FIRST, SECOND)
        with database.reading() as connection:
            assert list(connection.execute("SELECT * FROM things")) == [("old", 7)]
            assert list(connection.execute("PRAGMA user_version")) == [(2,)]
        database.close()


def test_a_migration_that_fails_leaves_the_old_schema(path: Path) -> None:
    open_database(path, FIRST).close()
    error = refusal(open_database, path, FIRST, f"{SECOND}; nonsense")

    assert (error.kind, str(error)) == ("failed", f'store {path} failed: near "nonsense": syntax error')
    open_database(path, FIRST).close()


def test_a_migration_may_make_a_trigger(path: Path) -> None:
    trigger = "CREATE TRIGGER t BEFORE DELETE ON things BEGIN SELECT 1; SELECT RAISE(ABORT, 'kept; always'); END"
    database = open_database(path, f"{FIRST}; {trigger}", "INSERT INTO things VALUES ('new')")
    with pytest.raises(StoreError, match="kept; always"), database.writing() as connection:
        connection.execute("DELETE FROM things")
    with database.reading() as connection:
        assert list(connection.execute("SELECT name FROM things")) == [("old",), ("new",)]
    database.close()


def test_a_schema_of_a_later_version_is_refused(path: Path) -> None:
    open_database(path, FIRST, SECOND).close()

    assert str(refusal(open_database, path, FIRST)) == f"store {path} was written by a later version: schema 2, not 1"


def test_the_file_of_another_program_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE theirs (a)")

    assert str(refusal(SqliteAdapter, path)) == f"store {path} was made by another program"


def insert_and_fail(database: Database) -> None:
    with database.writing() as connection:
        connection.execute("INSERT INTO things VALUES ('new')")
        raise ZeroDivisionError


def test_a_batch_is_kept_whole_or_not_at_all(path: Path) -> None:
    database = open_database(path, FIRST)
    with pytest.raises(ZeroDivisionError):
        insert_and_fail(database)
    with database.reading() as connection:
        assert list(connection.execute("SELECT * FROM things")) == [("old",)]
    database.close()


def test_a_locked_store_says_so(path: Path) -> None:
    with SqliteAdapter(path, timeout_s=0.01) as store, closing(sqlite3.connect(path)) as other:
        store.write_card(Card("a", id="a"))
        other.execute("BEGIN IMMEDIATE")
        error = refusal(store.write_card, Card("b"))

        assert (error.kind, str(error)) == (
            "locked",
            f"store {path} is locked by another connection: database is locked",
        )
        assert isinstance(error.__cause__, sqlite3.OperationalError)
        assert [card.id for card in store.list_cards()] == ["a"]
        other.rollback()
        store.write_card(Card("b", id="b"))


def test_a_read_only_store_says_so(path: Path) -> None:
    with SqliteAdapter(path) as store:
        store.write_card(Card("a", id="a", embedding=[1]))
    with SqliteAdapter(path, read_only=True) as store:
        error = refusal(store.write_card, Card("b"))

        assert (error.kind, "is read-only" in str(error)) == ("read-only", True)
        assert store.vector_search([1], top_k=1) == [("a", 1.0)]


def test_a_store_that_is_only_read_must_be_there(path: Path) -> None:
    assert refusal(SqliteAdapter, path, read_only=True).kind == "failed"
    assert not path.exists()


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
@pytest.mark.parametrize(("beside", "opens"), [("-wal", True), ("-shm", False)])
def test_a_whole_file_is_read_where_nothing_can_be_put_beside_it(path: Path, beside: str, opens: bool) -> None:  # noqa: FBT001 - a case
    open_database(path, FIRST).close()
    path.with_name(f"{path.name}{beside}").symlink_to("/nowhere/at/all")  # as on a medium that is read-only

    if not opens:  # by now there is a log, and what is in the file may not be all
        assert "cannot be opened" in str(refusal(open_database, path, FIRST, read_only=True))
        return
    database = open_database(path, FIRST, read_only=True)
    with closing(database), database.reading() as connection:
        assert connection.execute("SELECT name FROM things").fetchall() == [("old",)]
    assert "cannot be opened" in str(refusal(open_database, path, FIRST))


def test_a_full_store_says_so_and_keeps_what_it_has(path: Path) -> None:
    with SqliteAdapter(path) as store:
        store.write_card(Card("a", id="a"))
        with store._database.reading() as connection:  # noqa: SLF001 - no test may fill the disk
            [(pages,)] = connection.execute("PRAGMA page_count")
            connection.execute(f"PRAGMA max_page_count={pages}")
        error = refusal(store.write_cards, [Card("x" * 100_000)])

        assert (error.kind, "has no room left" in str(error)) == ("full", True)
        assert [card.id for card in store.list_cards()] == ["a"]


@pytest.mark.parametrize("damage", ["no database at all" * 100, "\0" * 1_800])
def test_a_corrupted_store_says_so(path: Path, damage: str) -> None:
    path.write_text(damage)
    error = refusal(SqliteAdapter, path)

    assert (error.kind, str(error)) == ("corrupted", f"store {path} is corrupted: file is not a database")


def test_damage_in_the_middle_says_so(path: Path) -> None:
    with SqliteAdapter(path) as store:
        store.write_cards([Card(f"text {n} " * 50, id=f"{n}") for n in range(200)])
    content = bytearray(path.read_bytes())
    content[8 * 4096 : -4096] = b"\xff" * (len(content) - 9 * 4096)
    path.write_bytes(content)
    with SqliteAdapter(path) as store:
        error = refusal(store.list_cards)
        assert (error.kind, str(error)) == (
            "corrupted",
            f"store {path} is corrupted: database disk image is malformed",
        )


@pytest.mark.parametrize(
    "change",
    [
        *("embedding = X'0102'", "embedding = X'00000000'", "embedding = X'0000C07F0000803F'", "embedding = X''"),
        *("fields = '{'", f"fields = '{'[' * 100_000}'", "type = 'x'", "text = X'00'", "text = CAST(X'FF' AS TEXT)"),
    ],
)
def test_a_row_that_cannot_be_read_says_so(path: Path, change: str) -> None:
    with SqliteAdapter(path) as store:
        store.write_cards([Card(id_, id=id_, embedding=[1, 0]) for id_ in "ab"])
        store.vector_search([1, 0], top_k=1)
    with closing(sqlite3.connect(path)) as other:
        other.execute(f"UPDATE cards SET {change}, revision = 99 WHERE id = 'b'")  # noqa: S608 - ours
        other.commit()
    with SqliteAdapter(path) as store:
        calls: list[Callable[[], object]] = [] if "embedding = X'00000000'" in change else [store.list_cards]
        calls += [lambda: store.vector_search([1, 0], top_k=2)] if "embedding" in change else []
        calls += [lambda: store.keyword_search("b", top_k=1)] if "text" in change else []
        for call in calls:
            error = refusal(call)
            assert (error.kind, f"store {path} is corrupted" in str(error)) == ("corrupted", True)


@pytest.mark.parametrize("change", ["DELETE FROM state", "UPDATE state SET value = 'x'"])
def test_a_state_that_cannot_be_read_says_so(path: Path, change: str) -> None:
    with SqliteAdapter(path) as store:
        store.write_card(Card("a", id="a"))
    with closing(sqlite3.connect(path)) as other:
        other.execute(change)
        other.commit()
    with SqliteAdapter(path) as store:
        for call, name in (
            (lambda: store.write_card(Card("b")), "width"),
            (lambda: store.keyword_search("a", top_k=1), "revision"),
        ):
            error = refusal(call)
            assert (error.kind, f"its {name} is missing or no number" in str(error)) == ("corrupted", True)


def test_large_embeddings_are_read(path: Path) -> None:
    with SqliteAdapter(path) as store:
        store.write_card(Card("a", id="a", embedding=[3e38, 3e38]))
        assert [match.id for match in store.vector_search([1, 1], top_k=1)] == ["a"]


@pytest.mark.parametrize("make", [SqliteAdapter, FilesystemAdapter])
@pytest.mark.parametrize("given", [None, 5, b"cards", "a\0b"])
def test_a_path_that_cannot_be(make: Any, given: Any) -> None:
    with pytest.raises(ConfigError, match="path must be a str or a path without NUL"):
        make(given)


def test_a_closed_store_says_so(path: Path) -> None:
    store = SqliteAdapter(path)
    store.close()
    store.close()

    assert str(refusal(store.list_cards)) == f"store {path} is closed"


def test_an_error_keeps_its_kind_when_pickled() -> None:
    error = pickle.loads(pickle.dumps(StoreError("full", kind="full")))  # noqa: S301 - our own

    assert (str(error), error.kind) == ("full", "full")


@pytest.mark.parametrize("timeout_s", [-1, float("nan"), "1", 1e9])
def test_a_timeout_that_cannot_be(path: Path, timeout_s: Any) -> None:
    with pytest.raises(ConfigError, match="timeout_s must be between 0 and 86,400"):
        SqliteAdapter(path, timeout_s=timeout_s)


def test_what_others_recorded_does_not_make_a_store_read_its_cards_again(path: Path) -> None:
    """A search after an access reads the rows that were written since, which are none."""
    with SqliteAdapter(path) as one, SqliteAdapter(path) as other:
        one.write_card(Card("a", id="a", embedding=[1, 0]))
        one.vector_search([1, 0], top_k=1)
        statements: list[str] = []
        one._database._connection.set_trace_callback(statements.append)  # type: ignore[union-attr]  # noqa: SLF001
        one.vector_search([1, 0], top_k=1)
        quiet = [statement for statement in statements if "FROM cards WHERE revision" in statement]
        other.write_card(Card("b", id="b", embedding=[0, 1]))

        assert quiet == []
        assert one.vector_search([0, 1], top_k=1) == [("b", 1.0)]
        assert [statement for statement in statements if "revision > 1 ORDER BY key" in statement]
