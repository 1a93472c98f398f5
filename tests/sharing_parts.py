"""Who waits for a shared call: nothing but its future tells."""

from __future__ import annotations

import contextvars
import threading
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from brimful.stages.sharing import Sharing

LONG_S = 20.0
"""What a test waits for at most; none does where all is well."""


def count_waiting(sharing: Sharing[Any]) -> int:
    """How many wait for the calls that run: threads, and tasks of any loop."""
    futures: list[Any] = [call.answer for call in list(sharing._running.values())]  # noqa: SLF001
    return sum(len(future._waiters) + len(future._done_callbacks) for future in futures)  # noqa: SLF001


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for something that another thread brings about."""
    for _ in range(int(LONG_S * 1000)):
        if condition():
            return
        threading.Event().wait(0.001)
    pytest.fail("it never came to be")


def abandon(begun: Coroutine[Any, Any, object]) -> None:
    """Begin it, and close it in another context, as the garbage of a loop that ended too early is."""
    assert contextvars.copy_context().run(begun.send, None) is None
    begun.close()
