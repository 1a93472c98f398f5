"""The table of a SQLite file of feature values, and the statements that read and prune it."""

from __future__ import annotations

from typing import Final

APPLICATION: Final = 0x42524D46
"""`BRMF`: marks a file as a store of values of features."""

MIGRATIONS: Final = (
    """
    CREATE TABLE feature_values (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        entity_id TEXT NOT NULL,
        event_time TEXT NOT NULL,
        written_at TEXT NOT NULL,
        value TEXT NOT NULL
    );
    CREATE INDEX feature_values_by_time ON feature_values (name, entity_id, event_time, written_at)
    """,
)
"""The n-th brings the schema to version n. Keys tell which of two values of the same times was written last."""

WRITE: Final = "INSERT INTO feature_values (name, entity_id, event_time, written_at, value) VALUES (?, ?, ?, ?, ?)"
_SELECT: Final = """
SELECT name, entity_id, event_time, written_at, value FROM feature_values WHERE name = ? AND entity_id = ?
"""
HISTORY: Final = f"{_SELECT} ORDER BY event_time, written_at, key"
HELD: Final = f"""
{_SELECT} AND event_time <= ? AND written_at <= ? ORDER BY event_time DESC, written_at DESC, key DESC LIMIT 1
"""
COMING: Final = f"""
{_SELECT} AND event_time > ? AND written_at <= ? ORDER BY event_time, written_at DESC, key DESC LIMIT 1
"""
NAMES: Final = "SELECT DISTINCT name FROM feature_values ORDER BY name"
PRUNE: Final = """
DELETE FROM feature_values AS old WHERE event_time <= :before AND EXISTS (
    SELECT 1 FROM feature_values AS new
    WHERE new.name = old.name AND new.entity_id = old.entity_id
    AND new.event_time BETWEEN old.event_time AND :before AND new.written_at <= :before
    AND (new.event_time, new.written_at, new.key) > (old.event_time, old.written_at, old.key)
)
"""
