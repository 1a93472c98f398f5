"""Locks and forks: a child never waits for a thread that it does not have."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.priority.caching import ContextCache
from brimful.records import InMemoryRecords
from brimful.stages import sharing
from brimful.stages.fork_locks import new_lock
from brimful.stores.feature_memory import InMemoryFeatures
from sharing_parts import LONG_S

if TYPE_CHECKING:
    from collections.abc import Callable

HELD_S = 0.05
OWNERS: dict[str, Callable[[], Any]] = {
    "a lock": new_lock,
    "cached contexts": lambda: ContextCache()._lock,  # noqa: SLF001
    "features": lambda: InMemoryFeatures()._lock,  # noqa: SLF001
    "records": lambda: InMemoryRecords()._lock,  # noqa: SLF001
    "sharings": lambda: sharing._lock,  # noqa: SLF001
}


def hold(lock: threading.Lock, held: threading.Event) -> None:
    with lock:
        held.set()
        threading.Event().wait(HELD_S)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("owner", OWNERS)
def test_a_lock_that_another_thread_holds_is_free_in_a_child(owner: str) -> None:
    lock, held = OWNERS[owner](), threading.Event()
    thread = threading.Thread(target=hold, args=(lock, held))
    thread.start()
    assert held.wait(LONG_S)

    child = os.fork()
    if not child:
        os._exit(0 if lock.acquire(timeout=1) else 1)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    thread.join()
    assert lock.acquire(timeout=LONG_S)
    lock.release()


def test_locks_that_are_gone_are_not_held_on_to() -> None:
    from brimful.stages import fork_locks  # noqa: PLC0415 - its parts are looked at here only

    before = len(fork_locks._locks)  # noqa: SLF001
    for _ in range(10):
        new_lock()
    assert len(fork_locks._locks) <= before  # noqa: SLF001
