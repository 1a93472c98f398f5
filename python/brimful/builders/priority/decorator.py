"""`@context`: what a function returns becomes a context."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, cast, overload

from brimful.builders.priority.arguments import Parameters
from brimful.builders.priority.feature_store import FeatureStore
from brimful.builders.priority.options import CACHE_TTL, name_options, read_options
from brimful.builders.priority.recipe import Recipe
from brimful.builders.priority.shells import run, run_async
from brimful.config import check_callable, show
from brimful.errors import ConfigError, InputError
from brimful.stages.sharing import Sharing

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from datetime import timedelta

    from brimful.builders.priority.assembly import ItemOrder, Overflow
    from brimful.builders.priority.options import EvidenceMode, Options
    from brimful.builders.priority.result import Context
    from brimful.protocols import TokenCounter
    from brimful.stages.model_prices import Prices

P = ParamSpec("P")


class Decorator(Protocol):
    """Makes a context function of a plain or async one."""

    @overload  # a coroutine is an object as well
    def __call__(  # type: ignore[overload-overlap]
        self, function: Callable[P, Coroutine[Any, Any, object]], /
    ) -> Callable[P, Coroutine[Any, Any, Context]]: ...
    @overload
    def __call__(self, function: Callable[P, object], /) -> Callable[P, Context]: ...


def context(  # noqa: PLR0917 - the order of the original
    store: FeatureStore | None = None,
    name: str | None = None,
    max_tokens: int | Callable[..., int | None] | None = None,
    cache_ttl: timedelta | str | None = CACHE_TTL,
    token_counter: TokenCounter | Callable[[str], int] | None = None,
    max_staleness: timedelta | str | None = None,
    version: str = "v1",
    model: str = "gpt-4",
    freshness_sla: timedelta | str | None = None,
    freshness_strict: bool = False,  # noqa: FBT001, FBT002 - as the original has it
    *,
    on_overflow: Overflow = "flag",
    backfill: bool = False,
    order: ItemOrder = "input",
    evidence: EvidenceMode = "best_effort",
    prices: Prices | None = None,
) -> Decorator:
    """Make a plain or async function that returns items into one that returns a `Context`.

    The function returns a list or tuple of `ContextItem`, one of them, or a text. Over `max_tokens`, which may be a
    function of the same arguments, optional items are dropped: the highest priority number first, of one priority the
    later first. Required ones stay: then `meta["budget_exceeded"]` is True, or BudgetError is raised with
    `on_overflow="raise"`. With `backfill`, smaller items come back where there is room. `order="priority"` sorts the
    text. Tokens are those of the final text, by `token_counter` or the vocabulary of `model`, exact or an estimate.

    Features that are read must not be older than `freshness_sla`, items than `max_staleness`; else the status is
    `"degraded"`, or FreshnessError is raised for features with `freshness_strict`.

    With a `store`, equal calls give the same context for `cache_ttl`, unless a feature that it read is written or gets
    older than its ttl, and run once where they come at the same time. Records go to the records of the store:
    `evidence="required"` raises where one cannot be stored. `prices` are for `meta["cost_usd"]`: see `estimate_cost`; a
    file is read here, once.

    Raises ConfigError for an option that cannot be. A call raises InputError for what is no item, with its index.

    >>> from brimful.builders.priority import ContextItem
    >>> @context(max_tokens=8)
    ... def chat_context(query: str) -> list[ContextItem]:
    ...     return [
    ...         ContextItem("You are a helpful assistant.", required=True),
    ...         ContextItem("The history of a long conversation.", priority=2),
    ...     ]
    >>> made = chat_context("Is it wet?")
    >>> made.content, made.meta["token_usage"], made.meta["dropped_items"]
    ('You are a helpful assistant.', 6, 1)
    """
    options = read_options(
        name=name,
        max_tokens=max_tokens,
        cache_ttl=cache_ttl,
        token_counter=token_counter,
        max_staleness=max_staleness,
        version=version,
        model=model,
        freshness_sla=freshness_sla,
        freshness_strict=freshness_strict,
        on_overflow=on_overflow,
        backfill=backfill,
        order=order,
        evidence=evidence,
        prices=prices,
    )
    _check_store(store, options)

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        check_callable("function", function)
        recipe = Recipe(function, Parameters(function), name_options(options, function), store, Sharing())
        wrapper = _wrap(recipe)
        if store is not None:
            store.contexts[recipe.name] = wrapper
        return wrapper

    return cast("Decorator", decorate)


def recipe_of(function: Callable[..., Any]) -> Recipe:
    """Return what a context function was made from."""
    recipe = getattr(function, "_recipe", None)
    if isinstance(recipe, Recipe):
        return recipe
    message = f"{show(function)} is no context function"
    raise InputError(message)


def _wrap(recipe: Recipe) -> Callable[..., Any]:
    function = recipe.function
    wrapper: Callable[..., Any]
    if recipe.is_async:

        @functools.wraps(function)
        async def wrapper(*args: object, **kwargs: object) -> Context:
            return await run_async(recipe, args, kwargs)

    else:

        @functools.wraps(function)
        def wrapper(*args: object, **kwargs: object) -> Context:
            return run(recipe, args, kwargs)

    vars(wrapper).update(_is_context=True, _context_name=recipe.name, _recipe=recipe)
    return wrapper


def _check_store(store: object, options: Options) -> None:
    if store is not None and not isinstance(store, FeatureStore):
        hint = "\nhint: write `@context()`" if callable(store) else ""
        message = f"store must be a FeatureStore or None, got {show(store)}{hint}"
        raise ConfigError(message)
    if options.evidence == "required" and (store is None or store.records is None):
        message = "evidence must be `best_effort` unless the store has records, got 'required'"
        raise ConfigError(message)
