"""The `repr` of drop-in types: several builders have a `Document`, and a message should say whose it is."""

from __future__ import annotations

from dataclasses import fields
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from dataclasses import Field


class Qualified:
    """A dataclass whose `repr` begins with the name of its builder.

    >>> from brimful.builders.documents import Message
    >>> Message("user", "Hi")
    documents.Message(role='user', content='Hi')
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @recursive_repr()
    def __repr__(self) -> str:
        """Show the fields that a `repr` shows."""
        shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
        return f"{qualified_name(type(self))}({shown})"


def qualified_name(kind: type) -> str:
    """Return the name of a class behind that of its builder; the plain name where it is not of a builder.

    >>> qualified_name(int)
    'int'
    """
    _, found, rest = kind.__module__.partition("brimful.builders.")
    builder = f"{rest.partition('.')[0]}." if found else ""
    return f"{builder}{kind.__qualname__}"
