"""Reading what has the shape of JSON: mappings and their fields, refused by their place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from brimful.config import show
from brimful.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


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


def read_optional(place: str, mapping: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the mapping in a field, an empty one where it is missing or None."""
    value = mapping.get(name)
    return {} if value is None else read_mapping(f"{place}.{name}", value)


def read_list(place: str, mapping: Mapping[str, Any], name: str) -> Sequence[object]:
    """Return the list in a field, an empty one where it is missing or None."""
    value = mapping.get(name)
    if value is None or isinstance(value, (list, tuple)):
        return value or ()
    refuse(f"{place}.{name}", "a list or None", value)


def read_word(place: str, value: object, words: Collection[str]) -> str:
    """`value`, which must be one of these words: an array, which compares item by item, is none."""
    if isinstance(value, str) and value in words:
        return value
    refuse(place, f"one of {', '.join(words)}", value)


def check_field(place: str, mapping: Mapping[str, Any], name: str, *, optional: bool = False) -> str | None:
    """Return the `str` in a field, None where it may be missing and is."""
    value = mapping.get(name)
    if isinstance(value, str) or (optional and value is None):
        return value
    refuse(f"{place}.{name}", "a str or None" if optional else "a str", value)
