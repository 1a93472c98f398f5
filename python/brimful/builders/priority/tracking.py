"""What a running context has read: noted as it happens, also by functions that it calls, on its own task or thread."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from brimful.stages.context_values import put_back

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from brimful.builders.priority.lineage import ContextLineage, FeatureLineage, RetrieverLineage

_current: Final[ContextVar[Tracker | None]] = ContextVar("brimful_tracker", default=None)


@dataclass(slots=True)
class Tracker:
    """Notes of one call. With `as_of`, features are read as they were then, and nothing is worked out or written."""

    as_of: datetime | None = None
    features: list[FeatureLineage] = field(default_factory=list)
    retrievers: list[RetrieverLineage] = field(default_factory=list)
    sources: set[str] = field(default_factory=set)
    """Source ids of the items of contexts built within this one: what becomes void with them is void here as well."""

    def record_feature(self, lineage: FeatureLineage) -> None:
        """Note that a feature was read."""
        self.features.append(lineage)

    def join(self, other: Tracker) -> None:
        """Note what a function read that took its own notes."""
        self.features.extend(other.features)
        self.retrievers.extend(other.retrievers)
        self.sources.update(other.sources)

    def record_retriever(self, lineage: RetrieverLineage) -> None:
        """Note that a retriever was asked."""
        self.retrievers.append(lineage)

    def absorb(self, lineage: ContextLineage, sources: Iterable[str] = ()) -> None:
        """Note what a context read that was built within this one, and the sources of its items."""
        self.features.extend(lineage.features_used)
        self.retrievers.extend(lineage.retrievers_used)
        self.sources.update(sources)


def current_tracker() -> Tracker | None:
    """Return the notes of the context that is being built, None outside of one."""
    return _current.get()


class tracking:  # noqa: N801 - it is used as a verb, and as a generator it took longer than what it does
    """Take notes in a tracker of its own; one inside a time travel travels along.

    >>> with tracking() as tracker:
    ...     current_tracker() is tracker
    True
    """

    __slots__ = ("_as_of", "_token")

    def __init__(self, *, as_of: datetime | None = None) -> None:
        self._as_of = as_of

    def __enter__(self) -> Tracker:
        """Give the tracker."""
        outer = _current.get()
        if self._as_of is None and outer is not None:
            self._as_of = outer.as_of
        tracker = Tracker(self._as_of)
        self._token = _current.set(tracker)
        return tracker

    def __exit__(self, *_: object) -> None:
        """Note in the outer tracker again, if there is one."""
        put_back(_current, self._token)
