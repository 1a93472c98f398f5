"""Mappings in either spelling: `max_tokens`, or `maxTokens` as the seed has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from brimful.config import show

if TYPE_CHECKING:
    from collections.abc import Mapping

    from brimful.errors import ConfigError, InputError


@dataclass(frozen=True, slots=True)
class Spelling:
    """The names that a mapping may have, of which the first so many must be there, and what a wrong one raises.

    `open`: other keys are passed over, as those of messages that an API has given.
    """

    names: tuple[str, ...]
    error: type[ConfigError | InputError]
    required: int = 0
    open: bool = False
    known: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        """List both spellings of every name."""
        object.__setattr__(self, "known", {spelt: name for name in self.names for spelt in (name, to_camel(name))})

    def read(self, place: str, mapping: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of a mapping by their name; a field that is None is left out, as if it were not there.

        Raises the error for a key of no meaning, unless others are passed over, and for one in both spellings.
        """
        found: dict[str, Any] = {}
        for key, value in mapping.items():
            name = self.known.get(key)
            if name is None and self.open:
                continue
            if name is None:
                message = f"{place} has no field {show(key)}: the fields are {', '.join(self.names)}"
                raise self.error(message)
            if name in found:
                message = f"{place}.{name} is given in both spellings, {name} and {to_camel(name)}"
                raise self.error(message)
            found[name] = value
        return {name: value for name, value in found.items() if value is not None}


def to_camel(name: str) -> str:
    """Write a name as JavaScript does.

    >>> to_camel("min_relevance")
    'minRelevance'
    """
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
