"""Seed 004: packets of knowledge ranked by relevance and recency, or by MMR, beside the history of a conversation."""

from __future__ import annotations

from brimful.builders.packets.builder import ContextBuilder
from brimful.builders.packets.config import PacketConfig
from brimful.builders.packets.counters import create_token_counter, estimate_tokens
from brimful.builders.packets.embedders import create_default_text_embedder, from_memory_embedder
from brimful.builders.packets.types import BuiltContext, ContextPacket, ContextPacketBuilder, Message

__all__ = [
    "BuiltContext",
    "ContextBuilder",
    "ContextPacket",
    "ContextPacketBuilder",
    "Message",
    "PacketConfig",
    "create_default_text_embedder",
    "create_token_counter",
    "estimate_tokens",
    "from_memory_embedder",
]
