"""Files that are there whole or not at all, folders that one process at a time writes, and names for any id."""

from __future__ import annotations

import errno
import hashlib
import os
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from brimful.config import show
from brimful.errors import ConfigError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS: Final = {
    errno.ENOSPC: ("full", "has no room left"),
    errno.EDQUOT: ("full", "has no room left"),
    errno.EFBIG: ("full", "has no room left"),
    errno.EROFS: ("read-only", "is read-only"),
    errno.EACCES: ("read-only", "is read-only"),
    errno.EPERM: ("read-only", "is read-only"),
}
"""What errors of the system mean for whoever uses the store."""

SUFFIX: Final = ".json"
TEMPORARY: Final = ".new-"
"""How the names of files begin that are being written."""
LONGEST: Final = 200
PLAIN: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_-")
DEVICES: Final = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)))
)
"""Names that Windows keeps for devices, whatever stands behind the point."""
DIGITS: Final = 20
PAUSE_S: Final = 0.002


def file_name(id_: str) -> str:
    """Return the name of an id's file: no two ids have one name, on any file system.

    Small letters, digits, `_` and `-` stand for themselves, every other byte of the UTF-8 as `%` and two digits: so
    names do not differ by case alone and never lead out of the folder. Where that is longer than 200 characters, the
    SHA-256 stands behind a `~`: that two ids have the same one is the only thing that could make them collide.

    >>> file_name("card_1"), file_name("../Card")
    ('card_1.json', '%2e%2e%2f%43ard.json')
    """
    encoded = id_.encode()
    name = "".join(chr(byte) if byte in PLAIN else f"%{byte:02x}" for byte in encoded)
    if name in DEVICES:
        name = f"%{encoded[0]:02x}{name[1:]}"
    if len(name) > LONGEST:
        name = f"~{hashlib.sha256(encoded).hexdigest()}"
    return f"{name}{SUFFIX}"


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn what the system raises into StoreError that names the folder and says what is wrong with it."""
    try:
        yield
    except OSError as error:
        kind, words = KINDS.get(error.errno or 0, ("failed", "failed"))
        message = f"store {path} {words}: {error}"
        raise StoreError(message, kind=kind) from error


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there with the old content or with the new one, whenever the machine stops.

    Only who holds the lock of the folder may write in it.
    """
    fresh = path.with_name(f"{TEMPORARY}{path.name}")
    with fresh.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def sync_folder(path: Path) -> None:
    """Have the names of a folder on the disk; Windows does so by itself."""
    if sys.platform == "win32":
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class FolderLock:
    """The lock of a folder, with a number in it that every writer raises. A process that ends lets go of it.

    Each hold opens the file anew, so threads wait for each other as processes do.
    """

    def __init__(self, path: Path, timeout_s: float) -> None:
        self._path = path
        self._timeout_s = timeout_s

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the lock alone. The number is raised first: who reads it later waits until the writer is done."""
        with self._held(alone=True) as file:
            raised = b"%d" % (self._read(file) + 1)
            _write_at_start(file, raised)
            yield

    def number(self) -> int:
        """Return the number, when nobody is writing."""
        with self._held(alone=False) as file:
            return self._read(file)

    def _read(self, file: int) -> int:
        os.lseek(file, 0, os.SEEK_SET)
        try:
            return int(os.read(file, DIGITS) or b"0")
        except ValueError as error:
            message = f"store {self._path.parent} is corrupted in {self._path.name}: {error}"
            raise StoreError(message, kind="corrupted") from error

    @contextmanager
    def _held(self, *, alone: bool) -> Iterator[int]:
        flags = os.O_RDWR | os.O_CREAT if alone else os.O_RDONLY
        file = os.open(self._path, flags, 0o666)
        try:
            end = time.monotonic() + self._timeout_s
            while not _try_lock(file, alone=alone):
                if time.monotonic() >= end:
                    message = f"store {self._path.parent} is locked by another writer"
                    raise StoreError(message, kind="locked")
                time.sleep(PAUSE_S)
            yield file
        finally:
            os.close(file)  # which lets go of the lock


def _write_at_start(file: int, content: bytes) -> None:
    os.lseek(file, 0, os.SEEK_SET)
    os.write(file, content)


if sys.platform == "win32":
    import msvcrt

    FAR: Final = 1 << 30
    """Where the byte is that is locked: those that are read are not."""

    def _try_lock(file: int, *, alone: bool) -> bool:  # noqa: ARG001 - there is one kind of lock only
        os.lseek(file, FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(file: int, *, alone: bool) -> bool:
        try:
            fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def check_path(path: object) -> Path:
    """`path` as a Path; a NUL is refused: SQLite would open the file that is named before it. Raises ConfigError."""
    if isinstance(path, (str, os.PathLike)) and "\0" not in os.fsdecode(path):
        return Path(path)
    message = f"path must be a str or a path without NUL, got {show(path)}"
    raise ConfigError(message)
