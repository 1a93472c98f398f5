"""A decorated function and what it was told (`Recipe`), and one call of it (`Call`)."""

from __future__ import annotations

import inspect
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from brimful.builders.priority.options import read_budget
from brimful.builders.priority.tracking import current_tracker
from brimful.records.canonical import content_hash, write_json
from brimful.records.plain_data import is_whole
from brimful.stores.moments import utc_now

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from inspect import BoundArguments
    from typing import TypeAlias

    from brimful.builders.priority.arguments import Parameters
    from brimful.builders.priority.caching import Entry, Filling
    from brimful.builders.priority.feature_store import FeatureStore
    from brimful.builders.priority.options import Options
    from brimful.records.plain_data import Json
    from brimful.stages.sharing import Sharing

    Key: TypeAlias = tuple[int, int | None, str]

Caching = Literal["off", "arguments", "miss", "hit"]
"""Why a context was not cached, or whether it came out of the cache; `"arguments"`: those were no JSON."""

_numbers: Final = itertools.count()


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """A context function with its options. Its number is part of every key: a name may be given to another function."""

    function: Callable[..., Any]
    parameters: Parameters
    options: Options
    store: FeatureStore | None
    sharing: Sharing[Made]
    number: int = field(default_factory=lambda: next(_numbers))

    @property
    def is_async(self) -> bool:
        """Whether the function has to be awaited."""
        call = getattr(self.function, "__call__", None)  # noqa: B004 - an object may have an async one
        return inspect.iscoroutinefunction(self.function) or inspect.iscoroutinefunction(call)

    @property
    def name(self) -> str:
        """What the store and the records call the function."""
        return self.options.name or "context"

    @property
    def environment(self) -> str:
        """Where contexts are made, as the store says."""
        return "development" if self.store is None else self.store.environment

    def now(self) -> datetime:
        """Return the present moment by the clock of the store."""
        return utc_now() if self.store is None else self.store.now()


@dataclass(slots=True, eq=False)
class Call:
    """One call: its arguments, as they are given on and as they are recorded, and its budget.

    `key` is None where the context is neither cached nor shared; `as_of` is the moment of a time travel.
    """

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    inputs: Mapping[str, Json]
    max_tokens: int | None
    as_of: datetime | None
    caching: Caching = "off"
    key: Key | None = None
    filling: Filling | None = None


class Made(NamedTuple):
    """A context and the call that made it, None for one out of the cache.

    `overtaken`: what it was made from became void meanwhile.
    """

    entry: Entry
    call: Call | None = None
    overtaken: bool = False

    def is_outdated_for(self, call: Call) -> bool:
        """Whether a call must not take it: it began perhaps after what another call read had become void."""
        return self.overtaken and self.call is not call


def open_call(recipe: Recipe, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Call:
    """Return a call of these arguments. Raises TypeError as the function would."""
    inputs = recipe.parameters.read(args, kwargs)
    budget, tracker = recipe.options.max_tokens, current_tracker()
    if callable(budget):
        budget = _ask_budget(budget, recipe.parameters.bind(args, kwargs))
    as_of = None if tracker is None else tracker.as_of
    call = Call(args, kwargs, inputs, budget, as_of)
    if recipe.store is None or recipe.options.cache_ttl is None or as_of is not None:
        return call
    if not is_whole(inputs):
        call.caching = "arguments"
        return call
    call.caching = "miss"
    call.key = recipe.number, call.max_tokens, content_hash(write_json(inputs))
    return call


def _ask_budget(function: Callable[..., int | None], bound: BoundArguments) -> int | None:
    bound.apply_defaults()
    return read_budget("what max_tokens returns", function(*bound.args, **bound.kwargs))
