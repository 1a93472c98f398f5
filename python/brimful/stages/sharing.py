"""Equal calls at the same time run once: the first caller does the work, the others get its answer.

Plain and async callers may share, from any thread and any event loop. The first one runs in its own task or thread.
Where it is stopped (a cancelled task, an interrupt), the others are not: one of them runs anew. What it raises, all
of them get.

Nobody waits for an answer that waits for him: such a call runs on its own. So does a plain call of which the first
caller is in the same thread, since a blocked thread cannot bring that one to its end; and one that has waited
`PATIENCE_S` for a task, because the task may need a thread of the pool that those who wait have filled.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future, wait
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast

from brimful.stages.context_values import put_back
from brimful.stages.fork_locks import new_lock

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable, Iterator

Answer = TypeVar("Answer")

PATIENCE_S: Final = 10.0
_lock: Final = new_lock()
"""Guards who runs and who waits for whom, of all sharings: a ring of waiting calls may lead through several."""


class _Call:
    """A call: its answer to be, its first caller's thread, and the calls it waits for, once a waiting part of it.

    Where it is stopped, its answer is the call that takes its place; nobody runs that one until somebody claims it.
    """

    __slots__ = ("answer", "by_task", "thread", "waits_for")

    def __init__(self) -> None:
        self.answer: Future[Any] = Future()
        self.answer.set_running_or_notify_cancel()  # from now on no waiting task can cancel it
        self.thread: int | None = None
        self.by_task = False
        self.waits_for: list[_Call] = []


_inside: Final[ContextVar[tuple[_Call, ...]]] = ContextVar("brimful_inside", default=())
"""The calls that this task or thread is in, the outermost first."""


class Sharing(Generic[Answer]):
    """Calls that are equal where their keys are. Nothing is kept once a call is done: this is no cache.

    Safe to share between threads and event loops. A forked child waits for no call of its parent.

    >>> sharing = Sharing()
    >>> sharing.run("answer", lambda: 42)
    42
    """

    __slots__ = ("_running",)

    def __init__(self) -> None:
        self._running: dict[tuple[int, Hashable], _Call] = {}

    def run(self, key: Hashable, function: Callable[[], Answer]) -> Answer:
        """Return what `function` does, or what it did for the equal call that runs already. Blocks meanwhile."""
        successor: _Call | None = None
        while True:
            call, first = self._join(key, successor, plain=True)
            if call is None:
                return function()
            if first:
                with self._owning(key, call) as answers:
                    answers.append(function())
                return answers[0]
            with _waiting(call):
                done, _ = wait((call.answer,), PATIENCE_S if call.by_task else None)
            if not done:
                return function()
            found = call.answer.result()
            if not isinstance(found, _Call):
                return cast("Answer", found)
            successor = found

    async def arun(self, key: Hashable, function: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return what `run` does, for a function that gives something to await; other tasks go on meanwhile."""
        from asyncio import wrap_future  # noqa: PLC0415 - importing brimful must not load asyncio

        successor: _Call | None = None
        while True:
            call, first = self._join(key, successor, plain=False)
            if call is None:
                return await function()
            if first:
                with self._owning(key, call) as answers:
                    answers.append(await function())
                return answers[0]
            with _waiting(call):
                found = await wrap_future(cast("Future[object]", call.answer))
            if not isinstance(found, _Call):
                return cast("Answer", found)
            successor = found

    def _join(self, key: Hashable, successor: _Call | None, *, plain: bool) -> tuple[_Call | None, bool]:
        """Return the call to wait for, or one to run and True, or None where waiting would never end."""
        place = (os.getpid(), key)
        with _lock:
            claimed = successor is not None and successor.thread is not None
            running = successor if claimed else self._running.get(place)
            if running is None:
                running = self._running[place] = successor or _Call()
                running.thread, running.by_task = threading.get_ident(), not plain
                return running, True
            inside = _inside.get()
            if _never_ends(running, inside, plain=plain):
                return None, False
            for holder in inside:
                holder.waits_for.append(running)
            return running, False

    @contextmanager
    def _owning(self, key: Hashable, call: _Call) -> Iterator[list[Answer]]:
        """Run as the first caller, who puts the answer into the list; whoever comes after this is the first again."""
        place, token = (os.getpid(), key), _inside.set((*_inside.get(), call))
        answers: list[Answer] = []
        error: Exception | None = None
        try:
            yield answers
        except Exception as raised:
            error = raised
            raise
        finally:
            put_back(_inside, token)
            with _lock:
                del self._running[place]
            if error is None:
                call.answer.set_result(answers[0] if answers else _Call())
            else:
                call.answer.set_exception(error)


@contextmanager
def _waiting(call: _Call) -> Iterator[None]:
    """Forget at the end that whoever is here waits for the call; `_join` noted it."""
    inside = _inside.get()
    try:
        yield
    finally:
        with _lock:
            for holder in inside:
                holder.waits_for.remove(call)


def _never_ends(call: _Call, inside: tuple[_Call, ...], *, plain: bool) -> bool:
    """Whether the call waits, directly or through others, for one that we are in or whose thread we would block."""
    here, seen, ahead = threading.get_ident(), set[_Call](), [call]
    while ahead:
        current = ahead.pop()
        if current in inside or (plain and current.thread == here):
            return True
        if current not in seen:
            seen.add(current)
            ahead.extend(current.waits_for)
    return False
