"""A part of a record: fields that are checked when it is made, and their checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, cast

from brimful.config import as_finite, show
from brimful.errors import InputError
from brimful.kernels.texts import check_text, is_unordered
from brimful.records.canonical import write_time
from brimful.records.plain_data import Json, as_json
from brimful.stores import fields as checked

if TYPE_CHECKING:
    from brimful.stores.fields import Read

LARGEST: Final = 2**63


class Part:
    """A frozen dataclass of checked fields; `READ` has a check a field. `place` in messages is the path to it."""

    READ: ClassVar[Mapping[str, Read]]
    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __post_init__(self) -> None:
        """Check every field, and keep what the check returns."""
        for name, read in self.READ.items():
            object.__setattr__(self, name, read(name, getattr(self, name)))

    def to_dict(self) -> dict[str, Json]:
        """Return every field as JSON; inputs and values are those of the record itself, not to be changed."""
        return {name: _plain(getattr(self, name)) for name in self.READ}

    @classmethod
    def from_dict(cls, given: object, *, place: str = "") -> Self:
        """Return what `to_dict` was called on; InputError names the field that is wrong, unknown or missing."""
        if not isinstance(given, Mapping):
            message = f"{place or 'a record'} must be an object, got {show(given)}"
            raise InputError(message)
        prefix = f"{place}." if place else ""
        for key in given:
            if key not in cls.READ:
                message = f"{prefix}{key} is no field of a record"
                raise InputError(message)
        for field in fields(cast("Any", cls)):
            if field.name not in given and field.default is MISSING:
                message = f"{prefix}{field.name} is missing"
                raise InputError(message)
        try:
            return cls(**given)
        except InputError as error:
            message = f"{prefix}{error}"
            raise InputError(message) from None


def _plain(value: object) -> Json:
    if isinstance(value, Part):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value


def read_name(name: str, value: object) -> str:
    """`value` as a sound `str` that is not empty."""
    text = check_text(value, name=name)
    if text:
        return text
    message = f"{name} must not be empty"
    raise InputError(message)


def read_whole(name: str, value: object) -> int:
    """`value` as an int of at least 0, which 64 bits hold."""
    number = value if type(value) is int else as_json(value)
    if type(number) is int and 0 <= number < LARGEST:
        return number
    message = f"{name} must be a whole number of at least 0, got {show(value)}"
    raise InputError(message)


def read_integer(name: str, value: object) -> int:
    """`value` as an int of either sign, which 64 bits hold."""
    number = value if type(value) is int else as_json(value)
    if type(number) is int and -LARGEST < number < LARGEST:
        return number
    message = f"{name} must be a whole number, got {show(value)}"
    raise InputError(message)


def read_number(name: str, value: object) -> float:
    """`value` as a finite number; an int stays one, as the hash of a record wants it."""
    number = as_finite(value)
    if number is not None:
        return cast("float", value) if type(value) is int else number
    message = f"{name} must be a finite number, got {show(value)}"
    raise InputError(message)


def read_flag(name: str, value: object) -> bool:
    """`value`, which must be True or False."""
    if isinstance(value, bool):
        return value
    message = f"{name} must be True or False, got {show(value)}"
    raise InputError(message)


def read_names(name: str, value: object) -> tuple[str, ...]:
    """`value` as a tuple of sound `str`."""
    return tuple(checked.read_names(name, value))


def read_part(kind: type[Part]) -> Read:
    """Return the check for a part, which may be given as an object."""
    return lambda name, value: value if isinstance(value, kind) else kind.from_dict(value, place=name)


def read_parts(kind: type[Part]) -> Read:
    """Return the check for parts in an order."""
    one = read_part(kind)

    def read(name: str, value: object) -> object:
        if is_unordered(value):
            message = f"{name} must be a list, got {show(value)}"
            raise InputError(message)
        return tuple(one(f"{name}[{index}]", part) for index, part in enumerate(cast("Any", value)))

    return read


def read_value(name: str, value: object) -> Json:  # noqa: ARG001 - every check has a name
    """`value` as it is: JSON, which `as_json` makes of anything."""
    return value


def read_object(name: str, value: object) -> dict[str, Json]:
    """`value` as a dict of JSON by name, its own."""
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return dict(value)
    message = f"{name} must be an object, got {show(value)}"
    raise InputError(message)


def read_time(name: str, value: object) -> str:
    """`value`, a datetime or a text in ISO 8601, as a record has it."""
    return write_time(name, value)
