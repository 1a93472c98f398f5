"""Reading packets and messages: ours, or mappings in either spelling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from brimful.builders.packets.spelling import Spelling
from brimful.config import show
from brimful.errors import InputError

if TYPE_CHECKING:
    from brimful.builders.packets.types import ContextPacket, Message

Item = TypeVar("Item")

PACKET: Final = Spelling(("content", "metadata", "tokens", "relevance_score", "timestamp", "type"), InputError)
MESSAGE: Final = Spelling(("role", "content"), InputError)


def read_packet(given: object, kind: type[ContextPacket], name: str, index: int | None = None) -> ContextPacket:
    """Return a packet as it is, or one made of a mapping; its `content` is a `str`.

    Raises InputError that names the place: the argument, and the index where it is one of many.
    """
    packet = given if isinstance(given, kind) else _from_mapping(given, kind, PACKET, place_of(name, index))
    if type(packet.content) is not str:  # most are
        check_str(f"{place_of(name, index)}.content", packet.content)
    metadata: object = packet.metadata
    if not (metadata is None or type(metadata) is dict or isinstance(metadata, Mapping)):  # most are dicts
        message = f"{place_of(name, index)}.metadata must be a mapping, got {show(metadata)}"
        raise InputError(message)
    return packet


def read_message(given: object, kind: type[Message], name: str, index: int) -> Message:
    """Return a message as it is, or one made of a mapping; both its fields are `str`.

    Raises InputError that names the argument and the index.
    """
    turn = given if isinstance(given, kind) else _from_mapping(given, kind, MESSAGE, place_of(name, index))
    for field in ("role", "content"):
        check_str(f"{place_of(name, index)}.{field}", getattr(turn, field))
    return turn


def check_str(place: str, value: object) -> None:
    """Raise InputError for what is no `str`."""
    if not isinstance(value, str):
        message = f"{place} must be a str, got {show(value)}"
        raise InputError(message)


def place_of(name: str, index: int | None) -> str:
    """Write where something stands: only for a message, since to write it for each packet would take a while."""
    return name if index is None else f"{name}[{index}]"


def _from_mapping(given: object, kind: type[Item], spelling: Spelling, place: str) -> Item:
    if not isinstance(given, Mapping):
        message = f"{place} must be a {kind.__name__} or a mapping, got {show(given)}"
        raise InputError(message)
    found: dict[str, Any] = {"content": None, **spelling.read(place, given)}
    if spelling is MESSAGE:
        found.setdefault("role", None)
    return kind(**found)
