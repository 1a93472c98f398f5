"""What goes into a builder of packets and what comes out: plain, mutable values with the fields of seed 004."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from brimful.builders.packets.ledger import EMPTY, Ledger
from brimful.builders.packets.reading import read_packet
from brimful.builders.qualified import Qualified
from brimful.render.packets import Passage, render_messages

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from brimful.types import Decision


@dataclass(repr=False)
class Message(Qualified):
    """A message of a conversation: `role` is "system", "user" or "assistant"."""

    role: str
    content: str


@dataclass(repr=False)
class ContextPacket(Qualified):
    """A piece of knowledge that competes for the window: a search result, a memory, what a tool gave.

    `tokens` is set by `build`. `relevance_score`: higher is better. `timestamp`: milliseconds since 1970, a datetime
    (UTC where it has no zone) or an ISO 8601 text; without one the packet counts as fresh.

    >>> ContextPacket("Water is wet.", relevance_score=0.9).metadata
    {}
    """

    content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    tokens: int | None = None
    relevance_score: float | None = None
    timestamp: float | datetime | str | None = None
    type: str | None = None


class ContextPacketBuilder:
    """Makes packets.

    >>> packet = ContextPacketBuilder.create("HNSW is a graph.", {"source": "docs"})
    >>> ContextPacketBuilder.with_relevance(packet, 0.78).relevance_score
    0.78
    """

    @staticmethod
    def create(content: str, metadata: dict[str, Any] | None = None) -> ContextPacket:
        """Return a packet of this content."""
        return ContextPacket(content, {} if metadata is None else metadata)

    @staticmethod
    def with_relevance(packet: ContextPacket | Mapping[str, Any], score: float) -> ContextPacket:
        """Return a copy of the packet with this relevance; both share their metadata.

        Raises InputError for what is no packet.
        """
        copied = copy.copy(read_packet(packet, ContextPacket, "packet"))
        copied.relevance_score = score
        return copied


@dataclass(repr=False)
class BuiltContext(Qualified):
    """A context: `system`, and `messages`, which are the history that was kept and the query.

    `included_packets` are copies of those chosen, in the order of choice, with their `tokens`. `total_tokens` counts
    `system`, the history and these packets, not the query. `truncated` says that something given is not there, or not
    whole.

    Added: `warnings` in plain sentences; `trace` has a decision a packet, `history_trace` one a message, in the order
    they were given. They are written when they are asked for, from the `ledger`.
    """

    system: str
    messages: list[Message]
    total_tokens: int
    included_packets: list[ContextPacket]
    truncated: bool
    warnings: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)
    ledger: Ledger = field(default=EMPTY, kw_only=True, compare=False, repr=False)

    @property
    def trace(self) -> tuple[Decision, ...]:
        """A decision a packet; `relevance` is what one that passed `min_relevance` is worth."""
        return self.ledger.decide_packets()

    @property
    def history_trace(self) -> tuple[Decision, ...]:
        """A decision a message of the history."""
        return self.ledger.decide_history()

    def to_messages(self) -> list[dict[str, str]]:
        """Return what to send to a model: `messages` alone have neither `system` nor the packets in them.

        Both stand in a system message at the beginning, the packets numbered and escaped so that none of them can pass
        for another or for the frame. `total_tokens` does not count the frame.
        """
        passages = [Passage(label_of(packet), packet.content) for packet in self.included_packets]
        return render_messages(self.system, passages, [(turn.role, turn.content) for turn in self.messages])


def label_of(packet: ContextPacket) -> str:
    """Return what a packet is called: the source or else the id of its metadata, where it is a text."""
    for key in ("source", "id"):
        label = packet.metadata.get(key) if packet.metadata else None
        if isinstance(label, str) and label:
            return label
    return ""
