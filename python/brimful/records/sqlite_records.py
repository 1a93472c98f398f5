"""Records in a SQLite file, shared by threads and processes: written once, never changed."""

from __future__ import annotations

import math
from dataclasses import asdict, astuple, replace
from typing import TYPE_CHECKING, Self

from brimful.config import check_flag, show
from brimful.errors import InputError, StoreError
from brimful.records.canonical import digest
from brimful.records.record import ContextRecord
from brimful.records.record_schema import (
    APPLICATION,
    COLUMNS,
    CONDITIONS,
    FIND,
    KNOWN,
    LIST,
    MIGRATIONS,
    NEWEST,
    SUMMARY,
    SUMMARY_TYPES,
    VERIFY,
    WRITE,
)
from brimful.records.store import LIMIT, Filter, RecordSummary, candidates, read_body, refuse_change, summarise
from brimful.records.verification import Verification, verify
from brimful.stores.sqlite import Database, check_timeout

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from brimful.records.signing import SigningKey


class SqliteRecordStore:
    """A store of records in a SQLite file, made where there is none. Threads and processes may share it.

    When `write` returns, the record is on the disk. Waits up to `timeout_s` for another writer; readers wait for
    no other process. The file itself refuses to change or delete a record. `read_only` neither makes nor changes a
    file.

    Raises StoreError where the file cannot be used, its `kind` says why; ConfigError for a timeout below 0.

    >>> import tempfile
    >>> from brimful.records import new_record
    >>> with tempfile.TemporaryDirectory() as folder, SqliteRecordStore(f"{folder}/records.sqlite") as store:
    ...     store.write(new_record(
    ...         context_id="ctx_1", created_at="2026-01-02T03:04:05Z", environment="development", inputs={},
    ...         context_function="chat", content="hello", token_count=1))
    ...     store.read("1").content, store.verify("ctx_1").ok, len(store.list(name="chat"))
    ('hello', True, 1)
    """

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False, timeout_s: float = 30.0) -> None:
        self._database = Database(
            path,
            migrations=MIGRATIONS,
            application=APPLICATION,
            read_only=check_flag("read_only", read_only),
            timeout_s=check_timeout(timeout_s),
        )

    def write(self, record: ContextRecord) -> None:
        """Keep a record; see `RecordStore.write`. Raises StoreError also where the file cannot be written."""
        row = row_of(record, read_body(record))
        with self._database.writing() as connection:
            known = connection.execute(KNOWN, (record.context_id,)).fetchone()
            if known is None:
                connection.execute(WRITE, row)
        if known is not None and known[0] != record.integrity.record_hash:
            refuse_change(record.context_id)

    def read(self, id: str) -> ContextRecord | None:  # noqa: A002 - what it is called everywhere
        """Return a record; see `RecordStore.read`."""
        row = self._find(id)
        if row is None:
            return None
        record, reason = read_row(row)
        if record is None or reason:
            name = show(row[0].decode("utf-8", "replace"))
            message = f"store {self._database.path} is corrupted: the record {name} was changed: {reason}"
            raise StoreError(message, kind="corrupted")
        return record

    def list(
        self,
        *,
        start: datetime | str | None = None,
        end: datetime | str | None = None,
        name: str | None = None,
        freshness_status: str | None = None,
        limit: int | None = LIMIT,
    ) -> list[RecordSummary]:
        """Return the newest records; see `RecordStore.list`."""
        values = asdict(Filter.read(start, end, name, freshness_status, limit))
        conditions = " AND ".join(sql for name, sql in CONDITIONS.items() if values[name] is not None)
        query = f"{LIST} WHERE {conditions or 'TRUE'} {NEWEST}"
        if values["limit"] is None:
            values["limit"] = -1
        with self._database.reading() as connection:
            rows = connection.execute(query, values).fetchall()
        for row in rows:
            if tuple(map(type, row)) != SUMMARY_TYPES:
                message = f"store {self._database.path} is corrupted: a row says {show(row)}"
                raise StoreError(message, kind="corrupted")
        return [RecordSummary(*row) for row in rows]

    def verify(self, id: str, *, keys: Iterable[SigningKey] = ()) -> Verification | None:  # noqa: A002 - as in `read`
        """Verify all that the file keeps of a record, to the last byte; see `RecordStore.verify`."""
        row = self._find(id)
        return None if row is None else verify_row(row, tuple(keys))

    def verify_all(self, *, keys: Iterable[SigningKey] = ()) -> Iterator[Verification]:
        """Verify every record, in the order of writing, a page at a time: memory does not grow with them."""
        known, at = tuple(keys), -math.inf  # below any rowid: a row may have been given one of its own
        while True:
            with self._database.reading() as connection:
                rows = connection.execute(VERIFY, (at,)).fetchall()
            if not rows:
                return
            for at, *row in rows:  # noqa: B007 - where the next page begins
                yield verify_row(tuple(row), known)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def _find(self, id_: str) -> tuple[bytes, ...] | None:
        with self._database.reading() as connection:
            row: tuple[bytes, ...] | None = connection.execute(FIND, candidates(id_)).fetchone()
            return row


def row_of(record: ContextRecord, body: str) -> tuple[str | int, ...]:
    """Return a record, whose text is `body`, in the order of `COLUMNS`."""
    return (*astuple(summarise(record)), body, digest(body))


def read_row(row: tuple[bytes, ...]) -> tuple[ContextRecord | None, str]:
    """Return the record of a row, None where its body says none, and what is wrong with the row, if anything."""
    try:
        record = ContextRecord.from_json(row[len(SUMMARY)].decode())
    except (InputError, UnicodeDecodeError) as error:
        return None, f"body: {error}"
    for column, kept, written in zip(COLUMNS, row, row_of(record, record.to_json()), strict=True):
        if kept != str(written).encode():
            return record, f"{column} is not what was written"
    return record, ""


def verify_row(row: tuple[bytes, ...], keys: tuple[SigningKey, ...]) -> Verification:
    """Verify the record of a row, and that the rest of the row is what belongs to it."""
    _, reason = read_row(row)
    found = verify(row[len(SUMMARY)].decode("utf-8", "replace"), keys=keys)
    if found.context_id is None:
        found = replace(found, context_id=row[0].decode("utf-8", "replace"))
    if reason:
        return replace(found, row="invalid", reasons=(*found.reasons, reason))
    return replace(found, row="valid")
