"""Locks that a forked child does not inherit as another thread holds them: there nobody would ever let go."""

from __future__ import annotations

import os
import threading
from typing import Final
from weakref import WeakSet

_guard: Final = threading.Lock()
_locks: Final[WeakSet[threading.Lock]] = WeakSet()
_taken: Final[list[threading.Lock]] = []


def new_lock() -> threading.Lock:
    """Return a lock that is free in a child, whichever thread forks: the fork waits until it is.

    For short work in memory only: who holds one must neither wait for anything nor take another one.

    >>> with new_lock() as taken:
    ...     taken
    True
    """
    lock = threading.Lock()
    with _guard:
        _locks.add(lock)
    return lock


def _take() -> None:
    _guard.acquire()
    _taken.extend(_locks)
    for lock in _taken:
        lock.acquire()


def _let_go() -> None:
    for lock in _taken:
        lock.release()
    _taken.clear()
    _guard.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_take, after_in_parent=_let_go, after_in_child=_let_go)
