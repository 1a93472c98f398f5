"""The front door: every input of a build is read once and checked, and what must be gathered is named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from brimful.builders.packets.reading import check_str, read_message, read_packet
from brimful.builders.packets.types import ContextPacket, Message
from brimful.config import as_finite, show
from brimful.errors import InputError
from brimful.kernels.texts import plain_text
from brimful.stages.filtering import at_least
from brimful.stages.inputs import read_items
from brimful.stages.instants import read_instant

if TYPE_CHECKING:
    from brimful.builders.packets.config import PacketConfig

HISTORY: Final = "conversation_history"
PACKETS: Final = "additional_packets"
RELEVANCE_OF_THE_FILTER: Final = 1.0
RELEVANCE_OF_THE_ORDER: Final = 0.5
"""What a packet without a score counts as: seed 004 filters and orders by different numbers."""


@dataclass(frozen=True, slots=True)
class Request:
    """The inputs of one build. Packets are named by their index; `candidates` are those that pass the filter.

    `scores` are None where a packet has none, `ages` are milliseconds: 0 where there is no timestamp.
    """

    query: str
    system: str
    history: tuple[Message, ...]
    packets: tuple[ContextPacket, ...]
    scores: tuple[float | None, ...]
    ages: tuple[float, ...]
    candidates: tuple[int, ...]

    def to_embed(self) -> list[str]:
        """Return the texts whose vectors a choice by similarity needs: the query and the candidates."""
        return [self.query, *(self.packets[item].content for item in self.candidates)]


def open_request(
    user_query: object,
    conversation_history: object,
    system_instructions: object,
    additional_packets: object,
    *,
    config: PacketConfig,
    now: float,
) -> Request:
    """Read the arguments of `build`.

    Raises InputError that names the argument, the index and the value.
    """
    check_str("user_query", user_query)
    system = "" if system_instructions is None else system_instructions
    check_str("system_instructions", system)
    turns, items = read_items(HISTORY, conversation_history), read_items(PACKETS, additional_packets)
    packets = [read_packet(item, ContextPacket, PACKETS, index) for index, item in enumerate(items)]
    scores = [_read_score(index, packet) for index, packet in enumerate(packets)]
    relevance = [RELEVANCE_OF_THE_FILTER if score is None else score for score in scores]
    return Request(
        plain_text(cast("str", user_query)),
        plain_text(cast("str", system)),
        tuple(read_message(turn, Message, HISTORY, index) for index, turn in enumerate(turns)),
        tuple(packets),
        tuple(scores),
        tuple(_read_age(index, packet, now) for index, packet in enumerate(packets)),
        tuple(at_least(relevance, config.min_relevance)),
    )


def _read_score(index: int, packet: ContextPacket) -> float | None:
    score = as_finite(packet.relevance_score)
    if score is None and packet.relevance_score is not None:
        value = show(packet.relevance_score)
        message = f"{PACKETS}[{index}].relevance_score must be a finite number or None, got {value}"
        raise InputError(message)
    return score


def _read_age(index: int, packet: ContextPacket, now: float) -> float:
    if packet.timestamp is None:
        return 0.0
    number = as_finite(packet.timestamp)  # most are numbers
    if number is None:
        number = read_instant(f"{PACKETS}[{index}].timestamp", packet.timestamp)
    return now - number
