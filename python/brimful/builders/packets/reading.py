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


def read_packet(place: str, given: object, kind: type[ContextPacket]) -> ContextPacket:
    """Return a packet as it is, or one made of a mapping; its `content` is a `str`.

    Raises InputError that names the place.
    """
    packet = _read(place, given, kind, PACKET)
    check_str(f"{place}.content", packet.content)
    metadata: object = packet.metadata
    if not (metadata is None or type(metadata) is dict or isinstance(metadata, Mapping)):  # most are dicts
        message = f"{place}.metadata must be a mapping, got {show(metadata)}"
        raise InputError(message)
    return packet


def read_message(place: str, given: object, kind: type[Message]) -> Message:
    """Return a message as it is, or one made of a mapping; both its fields are `str`.

    Raises InputError that names the place.
    """
    turn = _read(place, given, kind, MESSAGE)
    check_str(f"{place}.role", turn.role)
    check_str(f"{place}.content", turn.content)
    return turn


def check_str(place: str, value: object) -> None:
    """Raise InputError for what is no `str`."""
    if not isinstance(value, str):
        message = f"{place} must be a str, got {show(value)}"
        raise InputError(message)


def _read(place: str, given: object, kind: type[Item], spelling: Spelling) -> Item:
    if isinstance(given, kind):
        return given
    if not isinstance(given, Mapping):
        message = f"{place} must be a {kind.__name__} or a mapping, got {show(given)}"
        raise InputError(message)
    found: dict[str, Any] = {"content": None, **spelling.read(place, given)}
    if spelling is MESSAGE:
        found.setdefault("role", None)
    return kind(**found)
