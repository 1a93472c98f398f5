"""Shared calls whose tasks are never finished: nobody waits for them."""

from __future__ import annotations

import asyncio
import contextvars
import os
from typing import TYPE_CHECKING

from brimful.stages.sharing import Sharing
from sharing_parts import abandon

if TYPE_CHECKING:
    import pytest


async def never() -> None:
    await asyncio.sleep(0)


def test_a_call_that_is_abandoned_is_waited_for_by_nobody() -> None:
    sharing: Sharing[object] = Sharing()

    abandon(sharing.arun("key", never))

    assert sharing.run("key", lambda: "done") == "done"
    assert sharing._running == {}  # noqa: SLF001 - nothing outside tells what runs


def test_one_who_waits_and_is_abandoned_waits_no_more() -> None:
    outer: Sharing[object] = Sharing()
    inner: Sharing[object] = Sharing()

    async def both() -> object:
        go_on = asyncio.Event()
        first = asyncio.create_task(inner.arun("key", go_on.wait))
        await asyncio.sleep(0)
        waiting = outer.arun("key", lambda: inner.arun("key", never))
        contextvars.copy_context().run(waiting.send, None)
        [holder] = outer._running.values()  # noqa: SLF001 - nothing outside tells what runs
        assert len(holder.waits_for) == 1
        waiting.close()
        go_on.set()
        return [len(holder.waits_for), await first]

    assert asyncio.run(both()) == [0, True]


def test_a_call_that_is_abandoned_in_a_forked_child_leaves_the_calls_of_the_child(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sharing: Sharing[object] = Sharing()
    begun = sharing.arun("key", never)
    begun.send(None)
    monkeypatch.setattr(os, "getpid", lambda: -1)

    begun.close()

    assert sharing.run("key", lambda: "child") == "child"
