"""SQLite files: opened, brought up to date, shared by threads and processes, and their errors in plain words.

Readers do not wait for writers, nor they for readers (WAL). Writers wait for each other, up to `timeout_s`: each begins
by taking the lock (`BEGIN IMMEDIATE`), because one that reads first and then wants to write is refused at once where
another wrote in between. What a writer returned from is on the disk (`synchronous=FULL`).
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from brimful.config import as_finite, show
from brimful.errors import ConfigError, StoreError
from brimful.stores.files import check_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KINDS: Final = {
    sqlite3.SQLITE_BUSY: ("locked", "is locked by another connection"),
    sqlite3.SQLITE_LOCKED: ("locked", "is locked by another connection"),
    sqlite3.SQLITE_READONLY: ("read-only", "is read-only"),
    sqlite3.SQLITE_PERM: ("read-only", "is read-only"),
    sqlite3.SQLITE_FULL: ("full", "has no room left"),
    sqlite3.SQLITE_CORRUPT: ("corrupted", "is corrupted"),
    sqlite3.SQLITE_NOTADB: ("corrupted", "is corrupted"),
    sqlite3.SQLITE_CANTOPEN: ("failed", "cannot be opened"),
}
"""What the primary codes of SQLite mean for whoever uses the store."""

DAMAGED: Final = ("Could not decode", "no such table", "no such column")
"""How messages begin for a text that is no UTF-8 and for a part of the schema that is gone: no code of SQLite tells."""
SHUT: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
"""What SQLite says where a reader cannot put its index of the log beside the file: on a medium that is read-only."""
PAUSE_S: Final = 0.01
_inherited: Final[list[sqlite3.Connection]] = []
"""Connections of the parent of a forked process: neither used nor closed here, as SQLite demands."""
_reopening: Final = threading.Lock()


@contextmanager
def naming(path: object) -> Iterator[None]:
    """Turn what SQLite raises into StoreError that names the file and says what is wrong with it."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        if str(error).startswith(DAMAGED):
            code = sqlite3.SQLITE_CORRUPT
        kind, words = KINDS.get(-1 if code is None else code & 0xFF, ("failed", "failed"))
        message = f"store {path} {words}: {error}"
        raise StoreError(message, kind=kind) from error


class Database:
    """A SQLite file, one connection for all threads of a process.

    `migrations` are scripts: the n-th brings the schema from version n - 1 to n. `application` is the number that marks
    a file as one of ours. A new file is made where there is none, unless `read_only`. Where a reader can put nothing
    beside the file, and no log of writers is there, the file is taken for one that nobody writes to.

    Raises StoreError where the file cannot be opened, is another program's or was written by a later version.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        migrations: Sequence[str],
        application: int,
        read_only: bool,
        timeout_s: float,
    ) -> None:
        self.path = check_path(path)
        self.timeout_s = timeout_s
        self._migrations, self._application, self._read_only = migrations, application, read_only
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._connection: sqlite3.Connection | None = self._open()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection within one transaction: all reads see the same state."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give the connection within one transaction that holds the lock of writers; all of it is kept, or nothing."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def data_version(self, connection: sqlite3.Connection) -> tuple[int, int]:
        """Return what changes when another connection writes: SQLite's number, and which connection asks."""
        [(version,)] = connection.execute("PRAGMA data_version")
        return id(connection), int(version)

    def close(self) -> None:
        """Close the file; using the store again is an error."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        if self._process != os.getpid():
            self._reopen()
        with self._lock, naming(self.path):
            if self._connection is None:
                message = f"store {self.path} is closed"
                raise StoreError(message, kind="failed")
            self._connection.execute(begin)
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _reopen(self) -> None:
        """Begin anew in a forked child; its lock may be held by a thread that it does not have."""
        with _reopening:
            if self._process == os.getpid():  # another thread was faster
                return
            self._lock = threading.RLock()
            if self._connection is not None:
                _inherited.append(self._connection)
                self._connection = self._open()
            self._process = os.getpid()

    def _open(self) -> sqlite3.Connection:
        with naming(self.path):
            try:
                return self._connect("mode=ro" if self._read_only else "mode=rwc")
            except sqlite3.OperationalError as error:
                if not self._read_only or error.sqlite_errorcode & 0xFF not in SHUT or not self._is_at_rest():
                    raise
            return self._connect("mode=ro&immutable=1")

    def _connect(self, mode: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"file:{quote(str(self.path.absolute()))}?{mode}",
            uri=True,
            timeout=self.timeout_s,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _is_at_rest(self) -> bool:
        """Whether the file is whole by itself: who writes to it has another one beside it."""
        return self.path.is_file() and not Path(f"{self.path}-wal").exists()

    def _prepare(self, connection: sqlite3.Connection) -> None:
        if not self._read_only:
            self._use_wal(connection)
            connection.execute("PRAGMA synchronous=FULL")
        if self._version(connection) == len(self._migrations):
            return
        if self._read_only:
            message = f"store {self.path} has an older schema and is opened read-only"
            raise StoreError(message, kind="read-only")
        connection.execute("BEGIN IMMEDIATE")
        for version in range(self._version(connection), len(self._migrations)):  # another may have been faster
            for statement in _statements(self._migrations[version]):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version={version + 1}")
        connection.execute(f"PRAGMA application_id={self._application}")
        connection.execute("COMMIT")

    def _use_wal(self, connection: sqlite3.Connection) -> None:
        """Switch to WAL; where others open the file at the same moment SQLite does not wait by itself."""
        end = time.monotonic() + self.timeout_s
        while True:
            try:
                connection.execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= end:
                    raise
                time.sleep(PAUSE_S)
            else:
                return

    def _version(self, connection: sqlite3.Connection) -> int:
        """Return the version of the schema."""
        [(version,)] = connection.execute("PRAGMA user_version")
        [(application,)] = connection.execute("PRAGMA application_id")
        [(tables,)] = connection.execute("SELECT count(*) FROM sqlite_master")
        if tables and application != self._application:
            message = f"store {self.path} was made by another program"
            raise StoreError(message, kind="failed")
        if version > len(self._migrations):
            message = f"store {self.path} was written by a later version: schema {version}, not {len(self._migrations)}"
            raise StoreError(message, kind="failed")
        return int(version)


def _statements(script: str) -> Iterator[str]:
    """Return the statements of a script; those of a trigger are parts of the one that makes it."""
    begun = ""
    for piece in script.split(";"):
        begun += f"{piece};"
        if sqlite3.complete_statement(begun):
            yield begun
            begun = ""
    if begun:
        yield begun


def check_timeout(timeout_s: object) -> float:
    """`timeout_s` as seconds from 0 to a day."""
    number = as_finite(timeout_s)
    if number is not None and 0 <= number <= 86_400:  # noqa: PLR2004 - a day; SQLite counts milliseconds in 32 bits
        return number
    message = f"timeout_s must be between 0 and 86,400, got {show(timeout_s)}"
    raise ConfigError(message)
