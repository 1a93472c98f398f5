"""Reading what has the shape of JSON: mappings and their fields, refused by their place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from brimful.config import show
from brimful.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Framed:
    """What something costs: the tokens of its texts, each counted alone, and a fixed number of them.

    `published` says that the rule for it is one that its provider's own figures bear out.
    """

    texts: tuple[str, ...] = ()
    fixed: int = 0
    published: bool = True


def combine(parts: Iterable[Framed]) -> Framed:
    """Return what the parts cost together."""
    listed = list(parts)
    texts = tuple(text for part in listed for text in part.texts)
    return Framed(texts, sum(part.fixed for part in listed), all(part.published for part in listed))


def refuse(place: str, expected: str, value: object) -> NoReturn:
    """Raise the InputError for a value that is not what it should be."""
    message = f"{place} must be {expected}, got {show(value)}"
    raise InputError(message) from None


def read_mapping(place: str, value: object) -> Mapping[str, Any]:
    """`value`, which must be a mapping with names for keys."""
    if not isinstance(value, Mapping):
        refuse(place, "a mapping", value)
    for key in value:
        if not isinstance(key, str):
            refuse(place, "a mapping with str for keys", key)
    return value


def check_field(place: str, mapping: Mapping[str, Any], name: str, *, optional: bool = False) -> str | None:
    """Return the `str` in a field, None where it may be missing and is."""
    value = mapping.get(name)
    if isinstance(value, str) or (optional and value is None):
        return value
    refuse(f"{place}.{name}", "a str or None" if optional else "a str", value)
