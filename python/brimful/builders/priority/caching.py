"""Built contexts kept in memory, and what makes them void: time, a written feature, a source that changed."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias
from weakref import WeakSet

from brimful.stages.fork_locks import new_lock

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from datetime import datetime

    from brimful.builders.priority.freshness import Dated
    from brimful.builders.priority.result import Context

Dependency: TypeAlias = tuple[str, ...]
"""`("source", id)`, `("feature", name)` or `("value", name, entity_id)`."""

LIMIT: Final = 1024


class Entry(NamedTuple):
    """A context, the sources of all its items, and the times of those that have one where that matters.

    After `expires_at` it may not be served; None is never.
    """

    context: Context
    made_at: datetime
    expires_at: datetime | None
    sources: frozenset[str]
    dated: tuple[Dated, ...]


@dataclass(slots=True, weakref_slot=True, eq=False)
class Filling:
    """A context that is being made: what became void meanwhile, so that it is not kept where it read that before."""

    void: set[Dependency] = field(default_factory=set)

    def overtaken(self, needs: Iterable[Dependency]) -> bool:
        """Whether something that the context was made from became void since it was begun."""
        return not self.void.isdisjoint(needs)


class ContextCache:
    """The contexts of a store, at most `limit`: the one not asked for the longest goes first. Safe to share.

    >>> cache = ContextCache()
    >>> cache.invalidate("docs:kb:v1"), len(cache)
    (0, 0)
    """

    __slots__ = ("_entries", "_filling", "_limit", "_lock", "_users")

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._lock = new_lock()
        self._entries: OrderedDict[Hashable, tuple[Entry, frozenset[Dependency]]] = OrderedDict()
        self._users: dict[Dependency, set[Hashable]] = {}
        self._filling: WeakSet[Filling] = WeakSet()

    def __len__(self) -> int:
        """Return how many contexts there are, those that expired included."""
        return len(self._entries)

    def get(self, key: Hashable, now: datetime) -> Entry | None:
        """Return the context of a key, None where there is none or it expired."""
        with self._lock:
            if key not in self._entries:
                return None
            entry, _ = self._entries[key]
            if entry.expires_at is not None and entry.expires_at <= now:
                self._drop(key)
                return None
            self._entries.move_to_end(key)
            return entry

    def begin(self) -> Filling:
        """Say that a context is being made, before it reads anything; hold on to the answer until `put`."""
        filling = Filling()
        with self._lock:
            self._filling.add(filling)
        return filling

    def put(self, key: Hashable, entry: Entry, needs: frozenset[Dependency], filling: Filling) -> bool:
        """Keep a context that needs these; False where one of them became void since `begin`."""
        with self._lock:
            self._filling.discard(filling)
            if filling.overtaken(needs):
                return False
            self._drop(key)
            self._entries[key] = entry, needs
            for need in needs:
                self._users.setdefault(need, set()).add(key)
            while len(self._entries) > self._limit:
                self._drop(next(iter(self._entries)))
            return True

    def invalidate(self, source_id: str) -> int:
        """Drop the contexts that had an item of this source or read a feature of this name; return how many."""
        return self._invalidate(("source", source_id), ("feature", source_id))

    def invalidate_feature(self, name: str, entity_id: str) -> int:
        """Drop the contexts that read this feature of this entity; return how many there were."""
        return self._invalidate(("value", name, entity_id))

    def _invalidate(self, *void: Dependency) -> int:
        with self._lock:
            for filling in self._filling:
                filling.void.update(void)
            keys = {key for dependency in void for key in self._users.get(dependency, ())}
            for key in keys:
                self._drop(key)
            return len(keys)

    def _drop(self, key: Hashable) -> None:
        _, needs = self._entries.pop(key, (None, frozenset[Dependency]()))
        for need in needs:
            users = self._users[need]
            users.discard(key)
            if not users:
                del self._users[need]
