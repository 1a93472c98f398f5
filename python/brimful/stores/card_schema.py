"""The tables of a SQLite file of cards, and the statements that write and read a card."""

from __future__ import annotations

from typing import Final

APPLICATION: Final = 0x42524D43
"""`BRMC`: marks a file as a store of cards."""

MIGRATIONS: Final = (
    """
    CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
    INSERT INTO state VALUES ('revision', 0), ('width', 0);
    CREATE TABLE cards (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        revision INTEGER NOT NULL,
        id TEXT NOT NULL UNIQUE,
        type TEXT NOT NULL,
        text TEXT NOT NULL,
        embedding BLOB,
        access_count INTEGER NOT NULL,
        last_accessed TEXT,
        fields TEXT NOT NULL
    );
    CREATE INDEX cards_by_revision ON cards (revision);
    CREATE INDEX cards_by_type ON cards (type, id);
    CREATE TABLE gone (key INTEGER PRIMARY KEY, revision INTEGER NOT NULL);
    CREATE INDEX gone_by_revision ON gone (revision);
    CREATE TABLE clusters (id TEXT PRIMARY KEY, fields TEXT NOT NULL);
    CREATE TABLE edges (source_id TEXT, target_id TEXT, type TEXT, fields TEXT NOT NULL,
        PRIMARY KEY (source_id, target_id, type))
    """,
)
"""The n-th brings the schema to version n. Keys grow and are never used again; so do revisions, one a batch."""

COLUMNS: Final = ("id", "type", "text", "embedding", "access_count", "last_accessed")
"""Fields of a card that are columns. `fields` has the others, as JSON."""

WRITE: Final = """
INSERT INTO cards (revision, id, type, text, embedding, access_count, last_accessed, fields)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
    revision = excluded.revision, type = excluded.type, text = excluded.text, embedding = excluded.embedding,
    access_count = max(access_count, excluded.access_count),
    last_accessed = nullif(max(ifnull(last_accessed, ''), ifnull(excluded.last_accessed, '')), ''),
    fields = excluded.fields
"""
RECORD: Final = """
UPDATE cards SET access_count = access_count + 1, last_accessed = max(ifnull(last_accessed, ''), ?) WHERE id = ?
"""
SELECT: Final = "SELECT id, type, text, embedding, access_count, last_accessed, fields FROM cards"
