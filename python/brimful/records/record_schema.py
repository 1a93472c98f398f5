"""The table of a SQLite file of records, and the statements that write, find and list them."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from brimful.records.store import RecordSummary

APPLICATION: Final = 0x42524D52
"""`BRMR`: marks a file as a store of records."""

MIGRATIONS: Final = (
    """
    CREATE TABLE records (
        context_id TEXT NOT NULL PRIMARY KEY,
        record_hash TEXT NOT NULL,
        created_at TEXT NOT NULL,
        context_function TEXT NOT NULL,
        environment TEXT NOT NULL,
        freshness_status TEXT NOT NULL,
        token_count INTEGER NOT NULL,
        items_provided INTEGER NOT NULL,
        items_included INTEGER NOT NULL,
        body TEXT NOT NULL,
        seal TEXT NOT NULL
    );
    CREATE INDEX records_by_hash ON records (record_hash);
    CREATE INDEX records_by_time ON records (created_at, context_id);
    CREATE INDEX records_by_function ON records (context_function, created_at, context_id);
    CREATE TRIGGER records_are_not_changed BEFORE UPDATE ON records
        BEGIN SELECT RAISE(ABORT, 'records are immutable'); END;
    CREATE TRIGGER records_are_not_deleted BEFORE DELETE ON records
        BEGIN SELECT RAISE(ABORT, 'records are immutable'); END;
    CREATE TRIGGER records_are_not_replaced BEFORE INSERT ON records
        WHEN EXISTS (SELECT 1 FROM records WHERE context_id = NEW.context_id)
        BEGIN SELECT RAISE(ABORT, 'records are immutable'); END
    """,
)
"""The n-th brings the schema to version n. REPLACE fires no trigger for the row that it deletes, hence the third."""

SUMMARY: Final = tuple(field.name for field in fields(RecordSummary))
SUMMARY_TYPES: Final = tuple({"str": str, "int": int}[str(field.type)] for field in fields(RecordSummary))
COLUMNS: Final = (*SUMMARY, "body", "seal")
"""`body` is the record in canonical JSON, `seal` the SHA-256 of it; the others say what is in it, to be found by."""

WRITE: Final = f"INSERT INTO records ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 - the columns are ours
KNOWN: Final = "SELECT record_hash FROM records WHERE context_id = ?"
FIND: Final = f"""
SELECT {", ".join(f"CAST({column} AS BLOB)" for column in COLUMNS)} FROM records
WHERE context_id IN (?1, ?2) OR record_hash = ?1 ORDER BY context_id = ?1 DESC, context_id = ?2 DESC LIMIT 1
"""  # noqa: S608 - the columns are ours
"""As bytes: a text that is no UTF-8 any more is for `verify` to find, and not an error of SQLite."""
LIST: Final = f"SELECT {', '.join(SUMMARY)} FROM records"  # noqa: S608 - the columns are ours
CONDITIONS: Final = {
    "start": "created_at >= :start",
    "end": "created_at <= :end",
    "name": "context_function = :name",
    "freshness_status": "freshness_status = :freshness_status",
}
NEWEST: Final = "ORDER BY created_at DESC, context_id DESC LIMIT :limit"
PAGE: Final = 100
VERIFY: Final = f"""
SELECT rowid, {", ".join(f"CAST({column} AS BLOB)" for column in COLUMNS)} FROM records
WHERE rowid > ? ORDER BY rowid LIMIT {PAGE}
"""  # noqa: S608 - the columns are ours
