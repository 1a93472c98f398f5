"""The front door: what a context function returned is read once, checked, and refused by its place."""

from __future__ import annotations

import numbers
from operator import attrgetter
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, cast, get_args

from brimful.builders.priority.types import ContextItem
from brimful.config import Cut, as_finite
from brimful.kernels.texts import plain_text, sound_texts
from brimful.stages.shapes import refuse
from brimful.stores.moments import read_moment

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import datetime

Kind = Literal["items", "item", "text"]
RESULT: Final = "result"
"""What a single item and a text are called where they have no name of their own."""
CUTS: Final = get_args(Cut)
_PLAIN: Final = frozenset({ContextItem})
MOST_DIGITS: Final = 640
"""Python reads so many digits however it is set up."""
# What the original takes for a bool.
_FLAGS: Final = {
    **dict.fromkeys(("1", "on", "t", "true", "y", "yes"), True),
    **dict.fromkeys(("0", "off", "f", "false", "n", "no"), False),
}


class Given(NamedTuple):
    """The items of one context, a column a field; `kind` says whether a list, one item or a text was returned.

    Texts are sound, `last_updated` is in UTC, an empty `source_id` is None.
    """

    kind: Kind
    contents: Sequence[str]
    required: Sequence[bool]
    priorities: Sequence[int]
    source_ids: Sequence[str | None]
    last_updated: Sequence[datetime | None]
    cuts: Sequence[Cut | None]

    def name_of(self, index: int) -> str:
        """Return what an item is called: its source, or a name for want of one."""
        return self.source_ids[index] or (f"item_{index}" if self.kind == "items" else RESULT)

    def arrange(self, line: Sequence[int]) -> Given:
        """Return the items in another order, by their indices."""
        return Given(
            self.kind,
            [self.contents[index] for index in line],
            [self.required[index] for index in line],
            [self.priorities[index] for index in line],
            [self.source_ids[index] for index in line],
            [self.last_updated[index] for index in line],
            [self.cuts[index] for index in line],
        )


def read_items(returned: object) -> Given:
    """Read what a context function returned: a list or tuple of `ContextItem`, one of them, or a text.

    Priorities and flags are read as the original reads them: `"3"` and `1.0` are whole numbers, `"no"` is False.
    Linear. Raises InputError for anything else, and for a field that cannot be used, with the index.

    >>> read_items([ContextItem("a", priority=2), "b"])
    Traceback (most recent call last):
    brimful.errors.InputError: result[1] must be a ContextItem, got 'b'
    """
    if isinstance(returned, (list, tuple)):
        if not _PLAIN.issuperset(map(type, returned)):  # most are
            for index, item in enumerate(returned):
                if not isinstance(item, ContextItem):
                    refuse(f"{RESULT}[{index}]", "a ContextItem", item)
        return _read_columns("items", returned)
    if isinstance(returned, ContextItem):
        return _read_columns("item", (returned,))
    if not isinstance(returned, str):
        refuse(RESULT, "a list or tuple of ContextItem, a ContextItem or a str", returned)
    return _read_columns("text", (ContextItem(returned, required=True),))


def _read_columns(kind: Kind, items: Sequence[ContextItem]) -> Given:
    columns = map(list, zip(*map(_ALL, items), strict=True)) if items else [[] for _ in _FIELDS]
    read = [_read_column(kind, *column) for column in zip(_FIELDS, columns, strict=True)]
    contents, required, priorities, sources, updated, cuts = read
    return Given(kind, sound_texts(contents), required, priorities, [name or None for name in sources], updated, cuts)


def _read_column(kind: Kind, field: _Field, values: list[Any]) -> list[Any]:
    if field.plain.issuperset(map(type, values)):  # most are
        return values
    name = field.name
    for index, value in enumerate(values):
        if type(value) not in field.plain:
            values[index] = field.read(f"{RESULT}[{index}].{name}" if kind == "items" else f"{RESULT}.{name}", value)
    return values


def _read_text(place: str, value: object) -> str:
    return plain_text(value) if isinstance(value, str) else refuse(place, "a str", value)


def _read_source(place: str, value: object) -> str:
    return plain_text(value) if isinstance(value, str) else refuse(place, "a str or None", value)


def _read_flag(place: str, value: object) -> bool:
    number = as_finite(value)
    if number in (0, 1):
        return bool(number)
    flag = _FLAGS.get(value.strip().lower()) if isinstance(value, str) else None
    return refuse(place, "True or False", value) if flag is None else flag


def _read_priority(place: str, value: object) -> int:
    if isinstance(value, str):
        sign, digits = value.strip()[:1], value.strip()
        digits = digits[1:] if sign in "+-" else digits
        if digits.isdecimal() and len(digits) <= MOST_DIGITS:
            return -int(digits) if sign == "-" else int(digits)
    elif isinstance(value, numbers.Integral):
        return int(value)
    number = as_finite(value)
    return int(number) if number is not None and number.is_integer() else refuse(place, "a whole number", value)


def _read_cut(place: str, value: object) -> Cut:
    cut = plain_text(value) if isinstance(value, str) else ""
    return cast("Cut", cut) if cut in CUTS else refuse(place, "`end`, `start`, `middle` or None", value)


class _Field:
    """A field of an item: what it most often is, and who reads it otherwise."""

    __slots__ = ("name", "plain", "read")

    def __init__(self, name: str, plain: Collection[type], read: Callable[[str, object], object]) -> None:
        self.name = name
        self.plain = frozenset(plain)
        self.read = read


_FIELDS: Final = (
    _Field("content", {str}, _read_text),
    _Field("required", {bool}, _read_flag),
    _Field("priority", {int}, _read_priority),
    _Field("source_id", {str, NoneType}, _read_source),
    _Field("last_updated", {NoneType}, read_moment),
    _Field("truncate_strategy", {NoneType}, _read_cut),
)
"""In the order of the columns."""
_ALL: Final = attrgetter(*(field.name for field in _FIELDS))
