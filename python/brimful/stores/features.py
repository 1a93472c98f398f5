"""Values of features as stores keep them: all that were ever written, each with the time that it is of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, Self

from brimful.config import show
from brimful.errors import InputError
from brimful.kernels.texts import repair_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from types import TracebackType

DEEPEST: Final = 100
"""Levels of lists and mappings in a value; what is deeper is most likely a cycle."""


@dataclass(frozen=True, slots=True)
class FeatureValue:
    """What a feature of an entity was at `event_time`, as it was known from `written_at` on; both in UTC."""

    name: str
    entity_id: str
    value: Any
    event_time: datetime
    written_at: datetime


class FeatureValues(Protocol):
    """A store of values. `blocking` says that its calls wait for a disk: async callers make them in a thread."""

    blocking: ClassVar[bool]

    def write_values(self, values: Iterable[FeatureValue]) -> None:
        """Add values to their histories, all or none."""

    def read_value(
        self, name: str, entity_id: str, *, at: datetime, known_by: datetime | None = None
    ) -> FeatureValue | None:
        """Return the value that held at `at`, None where there is none; with `known_by`, of those written by then.

        It is the latest whose time had come, of equal ones that written last. Where no value's time had come, the
        earliest is taken: the clock of who wrote it is ahead.
        """

    def list_values(self, name: str, entity_id: str) -> list[FeatureValue]:
        """Return the history, in the order of event times."""

    def list_names(self) -> list[str]:
        """Return the names of all features that have a value, in order."""

    def prune_values(self, before: datetime) -> int:
        """Delete what no read at `before` or later returns; return how many values that were."""

    def close(self) -> None:
        """Let go of what the store holds."""


class ClosingStore:
    """A store that a `with` closes."""

    __slots__ = ()

    def close(self) -> None:
        """Let go of what the store holds."""

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store."""
        self.close()


def read_entity_id(value: object) -> str:
    """`value` as the id of an entity: any `str` that can be encoded; repair could make two ids one."""
    if isinstance(value, str) and repair_surrogates(value) is value:
        return value
    message = f"entity_id must be a str without lone surrogates, got {show(value)}"
    raise InputError(message)


def copy_json(name: str, value: object, *, depth: int = 0) -> object:
    """Return a copy of a JSON value that shares no container; tuples become lists, NaN and infinities stay.

    Raises InputError that names the part of `name` which is no JSON, or lies deeper than 100 levels.

    >>> copy_json("value", {"scores": (0.5, None)})
    {'scores': [0.5, None]}
    >>> copy_json("value", {"when": {1}})
    Traceback (most recent call last):
    brimful.errors.InputError: value['when'] must be JSON, got {1}
    """
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if depth < DEEPEST:
        if isinstance(value, (list, tuple)):
            return [copy_json(f"{name}[{index}]", item, depth=depth + 1) for index, item in enumerate(value)]
        if isinstance(value, dict) and all(isinstance(key, str) for key in value):
            return {key: copy_json(f"{name}[{show(key)}]", item, depth=depth + 1) for key, item in value.items()}
    message = f"{name} must be JSON, got {show(value)}" if depth < DEEPEST else f"a part of {name[:40]} lies too deep"
    raise InputError(message)


def own_value(value: object) -> object:
    """Return a copy of a JSON value, and any other value itself."""
    try:
        return copy_json("value", value)
    except InputError:
        return value
