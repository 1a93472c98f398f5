"""From the decisions to what is handed back: copies of what was chosen, and what became of everything."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from brimful.builders.packets.types import BuiltContext, Message, label_of
from brimful.kernels.texts import repair_surrogates
from brimful.types import Decision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.builders.packets.assembly import Choice, Window
    from brimful.builders.packets.front_door import Request
    from brimful.builders.packets.types import ContextPacket


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
        trace=decide_packets(request, window.choice, costs.packets),
        history_trace=decide_history(request, window.oldest, costs.history),
    )


def _include(request: Request, item: int, tokens: int) -> ContextPacket:
    packet = copy.copy(request.packets[item])
    packet.tokens = tokens
    return packet


def decide_packets(request: Request, chosen: Choice, costs: Sequence[int]) -> tuple[Decision, ...]:
    """Return a decision a packet, in the order given; `relevance` is what a candidate is worth."""
    included = set(chosen.items)
    return tuple(
        Decision(
            item=item,
            label=label_of(packet) or f"additional_packets[{item}]",
            fate="included" if item in included else "dropped",
            reason="fits" if item in included else "over_budget" if item in chosen.merits else "below_min_score",
            tokens=costs[item],
            score=request.scores[item],
            relevance=chosen.merits.get(item),
            repaired=_is_repaired(packet.content),
        )
        for item, packet in enumerate(request.packets)
    )


def decide_history(request: Request, oldest: int, costs: Sequence[int]) -> tuple[Decision, ...]:
    """Return a decision a message, in the order given; `oldest` is the first that is kept."""
    return tuple(
        Decision(
            item=item,
            label=f"conversation_history[{item}]",
            fate="included" if item >= oldest else "dropped",
            reason="fits" if item >= oldest else "over_budget" if item == oldest - 1 else "before_a_dropped_turn",
            tokens=costs[item],
            repaired=_is_repaired(turn.content),
        )
        for item, turn in enumerate(request.history)
    )


def _is_repaired(text: str) -> bool:
    return not text.isascii() and repair_surrogates(text) is not text
