"""Replay: a recorded context built again, from its arguments and the features as they were known then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from brimful.builders.priority.decorator import recipe_of
from brimful.builders.priority.recipe import open_call
from brimful.builders.priority.shells import build, build_async
from brimful.builders.priority.tracking import tracking
from brimful.config import show
from brimful.errors import ConfigError, InputError
from brimful.stores.moments import read_moment

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from brimful.builders.priority.feature_store import FeatureStore
    from brimful.builders.priority.recipe import Recipe
    from brimful.builders.priority.result import Context
    from brimful.records import ContextRecord


def replay(record: ContextRecord | str, *, store: FeatureStore, at: datetime | str | None = None) -> Context:
    """Build the context of a record again, by the function that the store has under its name today.

    The arguments are those of the record, features are read as they were known `at` a moment, by default when the
    record was made; functions of features are not run. `record` may be the id or the hash of one in `store.records`.
    The result has an id of its own, and is neither cached nor stored.

    Raises InputError where there is no such record or function, for arguments that are hidden or were no JSON, and for
    an async function: await `areplay`.
    """
    found, recipe = _find(record, store)
    if recipe.is_async:
        message = f"context function {show(recipe.name)} is async\nhint: await areplay(...)"
        raise InputError(message)
    bound = recipe.parameters.restore(found.inputs)
    with tracking(as_of=read_moment("at", found.created_at if at is None else at)):
        return build(recipe, open_call(recipe, bound.args, bound.kwargs)).entry.context


async def areplay(record: ContextRecord | str, *, store: FeatureStore, at: datetime | str | None = None) -> Context:
    """Do what `replay` does, for a function that may be async. A record that is named by its id is read at once."""
    found, recipe = _find(record, store)
    bound = recipe.parameters.restore(found.inputs)
    with tracking(as_of=read_moment("at", found.created_at if at is None else at)):
        call = open_call(recipe, bound.args, bound.kwargs)
        if recipe.is_async:
            return (await build_async(recipe, call)).entry.context
        return build(recipe, call).entry.context


def _find(record: ContextRecord | str, store: FeatureStore) -> tuple[ContextRecord, Recipe]:
    found = _read(record, store) if isinstance(record, str) else record
    function: Callable[..., Any] | None = store.contexts.get(found.context_function)
    if function is None:
        message = f"the store has no context function {show(found.context_function)}"
        raise InputError(message)
    return found, recipe_of(function)


def _read(identifier: str, store: FeatureStore) -> ContextRecord:
    if store.records is None:
        message = f"store must have records to replay {show(identifier)}"
        raise ConfigError(message)
    found = store.records.read(identifier)
    if found is None:
        message = f"there is no record {show(identifier)}"
        raise InputError(message)
    return found
