"""Items and their fields, as the drop-in builders take them: read once, and refused by their place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from brimful.config import show
from brimful.errors import InputError
from brimful.kernels.texts import is_unordered

if TYPE_CHECKING:
    from collections.abc import Iterable


def read_items(name: str, items: object) -> list[Any]:
    """Return the items as a list, read once; None is none.

    Raises InputError for what has no order: a bare text, a mapping, a set, a single item.

    >>> read_items("documents", {"a"})
    Traceback (most recent call last):
    brimful.errors.InputError: documents must be items in an order, got {'a'}
    """
    if items is None:
        return []
    if is_unordered(items):
        message = f"{name} must be items in an order, got {show(items)}"
        raise InputError(message)
    return list(cast("Iterable[object]", items))


def check_fields(place: str, item: object, names: Iterable[str], kind: str) -> None:
    """Refuse an item that lacks one of the fields of its kind; another class with these fields will do.

    >>> check_fields("documents[0]", "text", ["content"], "a Document")
    Traceback (most recent call last):
    brimful.errors.InputError: documents[0] must be a Document with the field content, got 'text'
    """
    for name in names:
        if not hasattr(item, name):
            message = f"{place} must be {kind} with the field {name}, got {show(item)}"
            raise InputError(message)


def read_field(name: str, items: Iterable[object], field: str, kind: str) -> list[Any]:
    """Return a field of each item.

    Raises InputError with the index of an item that lacks it.

    >>> read_field("numbers", [1, 2j], "imag", "a number")
    [0, 2.0]
    """
    values = []
    for index, item in enumerate(items):
        value = getattr(item, field, _MISSING)
        if value is _MISSING:
            check_fields(f"{name}[{index}]", item, (field,), kind)
        values.append(value)
    return values


_MISSING: Final = object()
