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
    if not any(hasattr(adapter, name) for name in WAYS):
        context.notes += ("access was not recorded: the adapter writes no cards",)
        return context
    recorder = AccessRecorder(adapter)
    try:
        recorded = yield Step(recorder, "record", (cards, now))
    except Exception as error:  # noqa: BLE001 - it may be anybody's store
        context.access_error = as_store_error(error)
        context.notes += (f"access was not recorded: {context.access_error}",)
        recorded = recorder.recorded
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


class AccessRecorder:
    """Records accesses by what an adapter offers: `record_access`, `write_cards`, or `write_card` one by one."""

    def __init__(self, adapter: Any) -> None:  # noqa: ANN401 - anybody's
        self._adapter = adapter
        self.recorded: list[str] = []

    def record(self, cards: Sequence[Card], now: datetime) -> list[str]:
        """Return the ids of the cards whose access was recorded, as far as the store tells."""
        adapter, ids = self._adapter, [card.id for card in cards]
        if hasattr(adapter, "record_access"):
            count = adapter.record_access(ids, now)
            told = isinstance(adapter, CardStore) and count != len(ids)
            self.recorded += [card.id for card in adapter.read_cards(ids)] if told else ids
            return self.recorded
        seen = [_seen(card, now) for card in cards]
        if hasattr(adapter, "write_cards"):
            adapter.write_cards(seen)
            self.recorded += ids
            return self.recorded
        for card in seen:
            adapter.write_card(card)
            self.recorded.append(card.id)
        return self.recorded


def _seen(card: Card, now: datetime) -> Card:
    """Return a copy with one more access: what was given is not touched."""
    copy = card.own()
    copy.record_access(now)
    return copy
