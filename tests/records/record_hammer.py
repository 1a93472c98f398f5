"""What the tests of kills and of crowds run in processes of their own: python record_hammer.py TASK PATH NUMBER."""

from __future__ import annotations

import sqlite3
import sys
import time
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from brimful.records import SqliteRecordStore  # noqa: E402 - the path comes first
from record_parts import make_record  # noqa: E402

EACH = 50
HELD_S = 2.0


def acknowledge(path: str, count: int) -> None:
    """Write records one by one, and print each id once its record is written."""
    with SqliteRecordStore(path) as store:
        for number in range(count):
            record = make_record(number)
            store.write(record)
            _say(record.context_id)


def write(path: str, writer: int) -> None:
    """Write records of one's own, and say when it begins."""
    with SqliteRecordStore(path) as store:
        _say("begun")
        for number in range(EACH):
            store.write(make_record(writer * EACH + number))


def read(path: str, count: int) -> None:
    """List and read records until all of them are there."""
    with SqliteRecordStore(path, read_only=True) as store:
        while True:
            summaries = store.list(limit=None)
            for summary in summaries[:EACH]:
                record = store.read(summary.context_id)
                assert record is not None
                assert record.integrity.record_hash == summary.record_hash
            if len(summaries) >= count:
                return


def hold(path: str, _number: int) -> None:
    """Hold the lock of writers, say so, and let go two seconds after a line was read."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=30)
    connection.execute("BEGIN IMMEDIATE")
    _say("held")
    sys.stdin.readline()
    time.sleep(HELD_S)
    connection.execute("ROLLBACK")
    connection.close()


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


TASKS = {"acknowledge": acknowledge, "write": write, "read": read, "hold": hold}

if __name__ == "__main__":
    TASKS[sys.argv[1]](sys.argv[2], int(sys.argv[3]))
