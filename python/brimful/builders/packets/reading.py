"""Reading packets and messages: ours, mappings in either spelling, or other classes with the same fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeVar

from brimful.builders.packets.spelling import Spelling
from brimful.config import show
from brimful.errors import InputError
from brimful.stages.inputs import check_fields

if TYPE_CHECKING:
    from brimful.builders.packets.types import ContextPacket, Message

Item = TypeVar("Item")

FIELDS: Final = ("content", "metadata", "tokens", "relevance_score", "timestamp", "type")
PACKET: Final = Spelling(FIELDS, InputError, required=1)
MESSAGE: Final = Spelling(("role", "content"), InputError, required=2, open=True)


def read_packet(given: object, kind: type[ContextPacket], name: str, index: int | None = None) -> ContextPacket:
    """Return a packet as it is, or one made of a mapping or of another class; its `content` is a `str`.

    Raises InputError that names the place: the argument, and the index where it is one of many.
    """
    packet = given if isinstance(given, kind) else _make(given, kind, PACKET, place_of(name, index))
    if type(packet.content) is not str:  # most are
        check_str(f"{place_of(name, index)}.content", packet.content)
    metadata: object = packet.metadata
    if not (metadata is None or type(metadata) is dict or isinstance(metadata, Mapping)):  # most are dicts
        message = f"{place_of(name, index)}.metadata must be a mapping, got {show(metadata)}"
        raise InputError(message)
    return packet


def read_message(given: object, kind: type[Message], name: str, index: int) -> Message:
    """Return a message as it is, or one made of a mapping or of another class; both its fields are `str`.

    Raises InputError that names the argument and the index.
    """
    turn = given if isinstance(given, kind) else _make(given, kind, MESSAGE, place_of(name, index))
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


def _make(given: object, kind: type[Item], spelling: Spelling, place: str) -> Item:
    required = spelling.names[: spelling.required]
    if isinstance(given, Mapping):
        return kind(**{**dict.fromkeys(required), **spelling.read(place, given)})
    check_fields(place, given, required, f"a {kind.__name__} or a mapping")
    found = {name: getattr(given, name, None) for name in spelling.names}
    return kind(**{name: value for name, value in found.items() if value is not None or name in required})
