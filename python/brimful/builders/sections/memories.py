"""Memories: what they say and what they are worth."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from brimful.builders.qualified import qualified_name
from brimful.builders.sections.kinds import MemoryPriority, MemoryType
from brimful.config import as_finite, show
from brimful.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SECONDS_A_DAY: Final = 86_400
LEAST_WORTH: Final = 0.1
"""What decay leaves at least, of the factor and of the importance."""
BOOST: Final = 0.05
"""What an access adds, of what an importance lacks to 1."""
PREVIEW: Final = 50


@dataclass(repr=False, eq=False)
class MemoryEntry:
    """A memory. Two are equal when their ids are.

    `content` is a text, or a dict with `input` and `output`, `summary` or `merged`. `timestamp` and `last_access` are
    seconds since 1970, `importance` is from 0 to 1. `metadata["id"]` is the id; where there is none it is made from
    content, timestamp and kind, in a copy of the metadata.

    Raises InputError for an importance out of range, for a kind that is none and for metadata that is no mapping.

    >>> MemoryEntry("hello", 1_700_000_000.0, MemoryType.SEMANTIC)
    sections.MemoryEntry(id=0785985c07805cf6, type=semantic, importance=0.50, access_count=0, content='hello')
    """

    content: Any
    timestamp: float
    memory_type: MemoryType
    importance: float = 0.5
    access_count: int = 0
    tags: list[str] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    embedding: Sequence[float] | None = None
    last_access: float = field(default_factory=time.time)
    decay_factor: float = 1.0
    original_importance: float | None = None

    def __post_init__(self) -> None:
        """Check the importance and the kind, and see to an id."""
        importance = as_finite(self.importance)
        if importance is None or not 0 <= importance <= 1:
            message = f"importance must be between 0 and 1, got {show(self.importance)}"
            raise InputError(message)
        if not hasattr(self.memory_type, "value"):
            message = f"memory_type must be a MemoryType, got {show(self.memory_type)}"
            raise InputError(message)
        if not isinstance(cast("object", self.metadata), Mapping):
            message = f"metadata must be a mapping, got {show(self.metadata)}"
            raise InputError(message)
        if self.original_importance is None:
            self.original_importance = self.importance
        if "id" not in self.metadata:
            self.metadata = {**self.metadata, "id": self._make_id()}

    def _make_id(self) -> str:
        """Return the first half of an MD5, as the original stores it: a name, not a secret."""
        data = f"{self.content}_{self.timestamp}_{self.memory_type.value}"
        return hashlib.md5(data.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()[:16]

    @property
    def id(self) -> str:
        """The name of this memory."""
        name: str = self.metadata.get("id", "unknown")
        return name

    @property
    def effective_importance(self) -> float:
        """The importance times the decay."""
        return self.importance * self.decay_factor

    @property
    def priority(self) -> MemoryPriority:
        """The level of the effective importance."""
        return MemoryPriority.from_importance(self.effective_importance)

    @property
    def has_embedding(self) -> bool:
        """Whether there is an embedding with any component."""
        return self.embedding is not None and len(self.embedding) > 0

    @property
    def age_seconds(self) -> float:
        """The time since it was made."""
        return time.time() - self.timestamp

    @property
    def age_days(self) -> float:
        """The same in days."""
        return self.age_seconds / SECONDS_A_DAY

    @property
    def time_since_access_seconds(self) -> float:
        """The time since it was last read."""
        return time.time() - self.last_access

    def access(self) -> None:
        """Record that it was read, which raises its importance a little."""
        self.access_count += 1
        self.last_access = time.time()
        self.importance = min(1.0, self.importance + BOOST * (1 - self.importance))

    def apply_decay(self, decay_rate: float = 0.1) -> None:
        """Lower the decay factor by a rate a day since the last access, and the importance by that factor."""
        days = self.time_since_access_seconds / SECONDS_A_DAY
        self.decay_factor = max(LEAST_WORTH, 1.0 - decay_rate * days)
        self.importance = max(LEAST_WORTH, self.importance * self.decay_factor)

    def add_tag(self, tag: str) -> None:
        """Add a tag in lower case, unless it is blank or there."""
        name = tag.strip().lower()
        if name and name not in self.tags:
            self.tags.append(name)

    def add_tags(self, tags: Iterable[str]) -> None:
        """Add tags."""
        for tag in tags:
            self.add_tag(tag)

    def has_tag(self, tag: str) -> bool:
        """Whether there is that tag, in any case."""
        return tag.lower() in self.tags

    def update_metadata(self, key: str, value: object) -> None:
        """Set a field of the metadata."""
        self.metadata[key] = value

    def merge_metadata(self, metadata: Mapping[str, Any]) -> None:
        """Set fields of the metadata."""
        self.metadata.update(metadata)

    def to_dict(self, include_embedding: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002 - as in the original
        """Return the fields, and what is worked out from them."""
        names = ("content", "timestamp", "importance", "effective_importance", "access_count", "tags", "metadata")
        found = {name: getattr(self, name) for name in (*names, "last_access", "decay_factor", "age_seconds")}
        found |= {"id": self.id, "memory_type": self.memory_type.value, "priority": self.priority.name}
        return {**found, "embedding": self.embedding} if include_embedding and self.has_embedding else found

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> MemoryEntry:
        """Return the entry of a dict as `to_dict` gives it; `content` and `timestamp` must be there.

        >>> entry = MemoryEntry("tea", 0.0, MemoryType.SEMANTIC)
        >>> MemoryEntry.from_dict(entry.to_dict()) == entry
        True
        """
        optional = ("importance", "access_count", "tags", "metadata", "embedding", "last_access", "decay_factor")
        for name in ("content", "timestamp"):
            if name not in data:
                message = f"{name} is missing, got {show(data)}"
                raise InputError(message)
        given = {name: data[name] for name in (*optional, "original_importance") if name in data}
        kind = MemoryType.from_string(data.get("memory_type", "short_term"))
        return cls(content=data["content"], timestamp=data["timestamp"], memory_type=kind, **given)

    def to_json(self, include_embedding: bool = False) -> str:  # noqa: FBT001, FBT002 - as in the original
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(include_embedding=include_embedding))

    @classmethod
    def from_json(cls, json_str: str) -> MemoryEntry:
        """Return the entry that `to_json` wrote."""
        return cls.from_dict(json.loads(json_str))

    def __repr__(self) -> str:
        """Show the id, the kind, what it is worth and the beginning of the content."""
        text = str(self.content)
        preview = f"{text[:PREVIEW]}..." if len(text) > PREVIEW else text
        return (
            f"{qualified_name(type(self))}(id={self.id}, type={self.memory_type.value}, "
            f"importance={self.importance:.2f}, access_count={self.access_count}, content='{preview}')"
        )

    def __eq__(self, other: object) -> bool:
        """Compare by id."""
        return isinstance(other, MemoryEntry) and self.id == other.id

    def __hash__(self) -> int:
        """Hash the id."""
        return hash(self.id)

    def __lt__(self, other: object) -> bool:
        """Compare by effective importance."""
        if not isinstance(other, MemoryEntry):
            return NotImplemented
        return self.effective_importance < other.effective_importance
