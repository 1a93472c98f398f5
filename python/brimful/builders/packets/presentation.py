"""From the decisions to what is handed back: copies of what was chosen, and the ledger of everything."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from brimful.builders.packets.ledger import Ledger
from brimful.builders.packets.types import BuiltContext, ContextPacket, Message, label_of
from brimful.kernels.texts import repair_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from brimful.builders.packets.assembly import Window
    from brimful.builders.packets.front_door import Request


def present(request: Request, window: Window) -> BuiltContext:
    """Return the context of what fits; nothing of the request is shared but metadata."""
    chosen, costs = window.choice.items, window.costs
    history = [copy.copy(turn) for turn in request.history[window.oldest :]]
    dropped = window.oldest > 0 or len(chosen) < len(request.packets)
    return BuiltContext(
        window.instructions.text,
        [*history, Message("user", request.query)],
        window.tokens,
        [_include(request, item, costs.packets[item]) for item in chosen],
        dropped or window.instructions.cut,
        warnings=window.warnings,
        ledger=keep_ledger(request, window),
    )


def _include(request: Request, item: int, tokens: int) -> ContextPacket:
    given = request.packets[item]
    if type(given) is ContextPacket:  # what `copy` would make, at a fifth of its time
        return ContextPacket(given.content, given.metadata, tokens, given.relevance_score, given.timestamp, given.type)
    packet = copy.copy(given)
    packet.tokens = tokens
    return packet


def keep_ledger(request: Request, window: Window) -> Ledger:
    """Put down what a trace is written from: packets may be changed by their owner later."""
    return Ledger(
        labels=tuple(map(label_of, request.packets)),
        tokens=tuple(window.costs.packets),
        scores=request.scores,
        merits=window.choice.merits,
        chosen=frozenset(window.choice.items),
        repaired=frozenset(_find_repaired(packet.content for packet in request.packets)),
        oldest=window.oldest,
        history_tokens=tuple(window.costs.history),
        history_repaired=frozenset(_find_repaired(turn.content for turn in request.history)),
    )


def _find_repaired(texts: Iterable[str]) -> Iterator[int]:
    for index, text in enumerate(texts):
        if not text.isascii() and repair_surrogates(text) is not text:
            yield index
