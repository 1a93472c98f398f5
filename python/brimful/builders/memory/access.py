"""Accesses, recorded in one batch once the text is there: what fails now takes nothing away from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from brimful.builders.memory.steps import Step
from brimful.errors import StoreError
from brimful.stores.indexed import CardStore

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from brimful.builders.memory.assembly import Assembled
    from brimful.builders.memory.context import MemoryContext
    from brimful.builders.memory.steps import Plan
    from brimful.stores.cards import Card

WAYS: Final = ("record_access", "write_cards", "write_card")
"""Methods of an adapter that record accesses, best first."""


def commit(assembled: Assembled, adapter: Any, now: datetime) -> Plan[MemoryContext]:  # noqa: ANN401 - anybody's
    """Record the accesses and say in the context how that went."""
    context, cards = assembled
    if not cards:
        return context
    if not any(_offers(adapter, name) for name in WAYS):
        context.notes += ("access was not recorded: the adapter writes no cards",)
        return context
    recorded: list[str] = []
    try:
        yield from record(adapter, cards, now, recorded)
    except Exception as error:  # noqa: BLE001 - it may be anybody's store
        context.access_error = as_store_error(error)
        context.notes += (f"access was not recorded: {context.access_error}",)
    context.accessed = tuple(recorded)
    missing = len(cards) - len(recorded)
    if missing and context.access_error is None:
        context.notes += (f"access was not recorded: {missing:,} of {len(cards):,} cards are not in the store",)
    return context


def as_store_error(error: Exception) -> StoreError:
    """Return what a store raised as one of ours, with it as the cause."""
    if isinstance(error, StoreError):
        return error
    failure = StoreError(f"store failed: {type(error).__name__}: {error}", kind="failed")
    failure.__cause__ = error
    return failure


def record(adapter: Any, cards: Sequence[Card], now: datetime, recorded: list[str]) -> Plan[None]:  # noqa: ANN401 - anybody's
    """Record by what an adapter offers: `record_access`, `write_cards`, or `write_card` one by one.

    `recorded` gets the ids of the cards whose access was recorded, as far as the store tells.
    """
    ids = [card.id for card in cards]
    if _offers(adapter, "record_access"):
        count = yield Step(adapter, "record_access", (ids, now))
        told = isinstance(adapter, CardStore) and count != len(ids)
        recorded += [card.id for card in (yield Step(adapter, "read_cards", (ids,)))] if told else ids
        return
    seen = [_seen(card, now) for card in cards]
    if _offers(adapter, "write_cards"):
        yield Step(adapter, "write_cards", (seen,))
        recorded += ids
        return
    for card in seen:
        yield Step(adapter, "write_card", (card,))
        recorded.append(card.id)


def _offers(adapter: object, name: str) -> bool:
    return hasattr(adapter, name) or hasattr(adapter, f"a{name}")


def _seen(card: Card, now: datetime) -> Card:
    """Return a copy with one more access: what was given is not touched."""
    copy = card.own()
    copy.record_access(now)
    return copy
