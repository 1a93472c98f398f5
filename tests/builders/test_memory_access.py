"""Accesses by adapters of every kind: sync, async, or with one method only."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from brimful import ConfigError
from brimful.builders.memory import Card, ContextBuilder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

CARDS = (Card("The sea is salty.", id="a"), Card("Rivers are not.", id="b"))


class Given:
    def search(self, _query: str, *, top_k: int) -> list[Card]:
        return list(CARDS[:top_k])


class Written:
    def __init__(self) -> None:
        self.seen: list[str] = []


class RecordsAsync(Written):
    async def record_access(self, ids: Sequence[str], _now: datetime) -> int:
        await asyncio.sleep(0)
        self.seen += ids
        return len(ids)


class WritesAsync(Written):
    async def write_card(self, card: Card) -> None:
        await asyncio.sleep(0)
        self.seen.append(card.id)


class WritesAsyncTwin(Written):
    async def awrite_cards(self, cards: Sequence[Card]) -> None:
        await asyncio.sleep(0)
        self.seen += [card.id for card in cards]


@pytest.mark.parametrize("kind", [RecordsAsync, WritesAsync, WritesAsyncTwin])
def test_abuild_awaits_an_async_adapter_before_it_says_what_was_accessed(kind: type[Written]) -> None:
    adapter = kind()

    context = asyncio.run(ContextBuilder(Given(), adapter).abuild("q"))

    assert context.accessed == ("a", "b")
    assert adapter.seen == ["a", "b"]
    assert context.access_error is None


@pytest.mark.parametrize("kind", [RecordsAsync, WritesAsync, WritesAsyncTwin])
def test_build_says_that_it_cannot_wait_for_an_async_adapter(kind: type[Written]) -> None:
    adapter = kind()

    context = ContextBuilder(Given(), adapter).build("q")

    assert (context.accessed, adapter.seen) == ((), [])
    assert context.access_error is not None
    assert any("access was not recorded" in note for note in context.notes)


def test_accesses_up_to_the_card_that_fails_are_told() -> None:
    class FailsAtB(Written):
        def write_card(self, card: Card) -> None:
            if card.id == "b":
                message = "no room"
                raise OSError(message)
            self.seen.append(card.id)

    adapter = FailsAtB()

    context = ContextBuilder(Given(), adapter).build("q")

    assert (context.accessed, adapter.seen) == (("a",), ["a"])
    assert "no room" in str(context.access_error)


def test_a_retriever_without_search_is_refused() -> None:
    class HitsOnly:
        def hits(self, query: str) -> None: ...

    with pytest.raises(ConfigError, match="retriever must have a method `search`"):
        ContextBuilder(HitsOnly(), Written())
