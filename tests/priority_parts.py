"""Parts of the priority builder that its tests share."""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.priority import Context, ContextItem, ContextLineage, FeatureStore, context
from sharing_parts import LONG_S

if TYPE_CHECKING:
    from collections.abc import Callable

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
in_both_ways = pytest.mark.parametrize("way", ["plain", "async"])


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    moment: datetime = NOON

    def __call__(self) -> datetime:
        return self.moment

    def move(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


def in_way(way: str, function: Callable[..., object]) -> Any:
    """The function as it is, or an async one of the same parameters."""
    if way == "plain":
        return function

    @functools.wraps(function)
    async def later(*args: object, **kwargs: object) -> object:
        await asyncio.sleep(0)
        answer = function(*args, **kwargs)
        return await answer if inspect.isawaitable(answer) else answer

    return later


def decorate(way: str, function: Callable[..., object], store: FeatureStore | None = None, **options: Any) -> Any:
    """The context function of a function as it is, or of an async one."""
    return context(store, **options)(in_way(way, function))


def finish(made: Any) -> Context:
    """What a plain or an async context function gives."""
    found = asyncio.run(made) if inspect.iscoroutine(made) else made
    assert isinstance(found, Context)
    return found


def lineage_of(context: Context) -> ContextLineage:
    assert context.lineage is not None
    return context.lineage


def items(*contents: str, **fields: Any) -> list[ContextItem]:
    return [ContextItem(content, **fields) for content in contents]


def give(returned: object) -> Callable[[], object]:
    """A function that returns that."""
    return lambda: returned


class Counted:
    """A context function that counts its runs, and waits where it is told to."""

    def __init__(self, store: FeatureStore | None = None) -> None:
        self.store, self.runs = store, 0
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.go_on.set()

    def chat(self, user: object = "u1", query: object = "") -> list[ContextItem]:
        self.runs += 1
        tier = "" if self.store is None else self.store.read_feature("tier", str(user))
        self.begun.set()
        assert self.go_on.wait(LONG_S)
        return items(f"{user} {query} {tier} {self.runs}", source_id="docs")

    async def chat_later(self, user: object = "u1", query: object = "") -> list[ContextItem]:
        await asyncio.sleep(0.01)
        return self.chat(user, query)


def of_items(*given: ContextItem, **options: Any) -> Context:
    """The context of these items."""
    return finish(decorate("plain", lambda: list(given), name="ctx", **options)())
