"""Features: a name, how its value is worked out, how long it may be served, and what to say where there is none."""

from __future__ import annotations

import inspect
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from brimful.config import check_callable, show
from brimful.errors import ConfigError, InputError
from brimful.stages.awaiting import give_up
from brimful.stages.context_values import put_back
from brimful.stages.durations import read_duration
from brimful.stores.fields import read_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import timedelta

    from brimful.builders.priority.feature_store import FeatureStore

Function = TypeVar("Function", bound="Callable[[str], Any]")

ABSENT: Final = object()
"""No default: None may be one."""

_computing: Final[ContextVar[tuple[tuple[str, str], ...]]] = ContextVar("brimful_computing", default=())


@dataclass(frozen=True, slots=True)
class Feature:
    """What is known of a feature. `ttl_ms` is the greatest age that is served, None for any."""

    name: str
    function: Callable[[str], Any] | None = None
    ttl_ms: int | None = None
    default: Any = ABSENT

    def same_origin(self, other: Feature) -> bool:
        """Whether both are of one function: a module that is loaded again defines its features again."""
        return _origin(self.function) == _origin(other.function)

    def run(self, entity_id: str) -> object:
        """Return what the function gives, which may have to be awaited."""
        if self.function is None:
            message = f"feature {show(self.name)} has no function"
            raise InputError(message)
        return self.function(entity_id)

    def check_plain(self, answer: object = None) -> None:
        """Raise InputError where the function is written with `async`, or gave what has to be awaited."""
        if inspect.iscoroutinefunction(self.function) or inspect.isawaitable(answer):
            give_up(answer)
            message = f"feature {show(self.name)} is worked out by an async function\nhint: await get_feature(...)"
            raise InputError(message)


def feature(
    store: FeatureStore,
    *,
    name: str | None = None,
    ttl: timedelta | str | None = None,
    default: object = ABSENT,
) -> Callable[[Function], Function]:
    """Make a plain or async function of an entity's id a feature of `store`, called `name` or as the function is.

    A stored value is served until it is older than `ttl`; then the function is run and its value stored. Where it
    raises, `default` is served if there is one. The function itself is returned unchanged.

    Raises ConfigError for a duration that is none, and for the name of another function.

    >>> from brimful.builders.priority.feature_store import FeatureStore
    >>> store = FeatureStore()
    >>> @feature(store, ttl="5m")
    ... def user_tier(user_id: str) -> str:
    ...     return "gold"
    >>> store.read_feature("user_tier", "u1")
    'gold'
    """
    return store.feature(name=name, ttl=ttl, default=default)


def define(function: Callable[[str], Any] | None, name: object, ttl: object, default: object) -> Feature:
    """Return a feature of checked options."""
    if function is not None:
        check_callable("function", function)
    if name is None:
        name = getattr(function, "__name__", None)
    try:
        return Feature(read_id("name", name), function, read_duration("ttl", ttl), default)
    except InputError as error:
        raise ConfigError(str(error)) from None


@contextmanager
def computing(name: str, entity_id: str) -> Iterator[None]:
    """Mark a feature as being worked out; one that needs itself raises InputError instead of waiting for itself."""
    stack = _computing.get()
    if (name, entity_id) in stack:
        message = f"feature {show(name)} of {show(entity_id)} needs itself"
        raise InputError(message)
    token = _computing.set((*stack, (name, entity_id)))
    try:
        yield
    finally:
        put_back(_computing, token)


def _origin(function: object) -> tuple[object, object]:
    return getattr(function, "__module__", None), getattr(function, "__qualname__", None)
