"""The kinds of memories, and levels of importance."""

from __future__ import annotations

from enum import Enum
from typing import Final, cast

from brimful.config import show
from brimful.errors import InputError


class MemoryType(Enum):
    """The kinds of memories.

    >>> MemoryType.from_string("LT"), MemoryType.from_string("unknown")
    (MemoryType.LONG_TERM, MemoryType.SHORT_TERM)
    """

    SHORT_TERM = "short_term"
    LONG_TERM = "long_term"
    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"

    @classmethod
    def from_string(cls, type_str: str) -> MemoryType:
        """Return the kind of a name or its short form, in any case; `SHORT_TERM` for any other name."""
        if not isinstance(cast("object", type_str), str):
            message = f"type_str must be a str, got {show(type_str)}"
            raise InputError(message)
        name = _SHORT_FORMS.get(type_str.lower(), type_str.lower())
        return cls(name) if name in _NAMES else cls.SHORT_TERM

    def __str__(self) -> str:
        """Return the name."""
        return self.value

    def __repr__(self) -> str:
        """Return the kind as it is written in code."""
        return f"MemoryType.{self.name}"


_NAMES: Final = frozenset(kind.value for kind in MemoryType)
_SHORT_FORMS: Final = {
    "ep": "episodic",
    "episode": "episodic",
    "long": "long_term",
    "lt": "long_term",
    "proc": "procedural",
    "sem": "semantic",
    "short": "short_term",
    "st": "short_term",
    "wm": "working",
    "work": "working",
}


class MemoryPriority(Enum):
    """Levels of importance."""

    CRITICAL = 1.0
    HIGH = 0.8
    MEDIUM = 0.5
    LOW = 0.3
    MINIMAL = 0.1

    @classmethod
    def from_importance(cls, importance: float) -> MemoryPriority:
        """Return the level of an importance.

        >>> MemoryPriority.from_importance(0.7).name
        'HIGH'
        """
        return next((level for least, level in _LEVELS if importance >= least), cls.MINIMAL)


_LEVELS: Final = (
    *((0.9, MemoryPriority.CRITICAL), (0.7, MemoryPriority.HIGH)),
    *((0.5, MemoryPriority.MEDIUM), (0.3, MemoryPriority.LOW)),
)
