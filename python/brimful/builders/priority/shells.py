"""A call from its arguments to its context: gather, assemble, commit. Two short shells, plain and async."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Final, TypeVar

from brimful.builders.priority.evidence import persist
from brimful.builders.priority.front_door import read_items
from brimful.builders.priority.making import make
from brimful.builders.priority.recipe import open_call
from brimful.builders.priority.serving import begin, copy, keep, look_up, serve
from brimful.builders.priority.tracking import current_tracker, tracking
from brimful.config import show
from brimful.errors import InputError
from brimful.stages.awaiting import give_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from brimful.builders.priority.caching import Entry
    from brimful.builders.priority.recipe import Call, Made, Recipe
    from brimful.builders.priority.result import Context

Answer = TypeVar("Answer")

MOST_ON_THE_LOOP: Final = 2**16
"""Characters that an async call works through without leaving the event loop: about a millisecond."""


def build(recipe: Recipe, call: Call) -> Made:
    """Run the function and make its context; one that another call has cached meanwhile is taken instead."""
    found = look_up(recipe, call)
    if found is not None:
        return found
    begin(recipe, call)
    with tracking() as tracker:
        returned = recipe.function(*call.args, **call.kwargs)
    if not isinstance(returned, (list, str)) and inspect.isawaitable(returned):  # most are; to ask is slow
        give_up(returned)
        message = f"context function {show(recipe.name)} gave something to await\nhint: make it `async def`"
        raise InputError(message)
    return _commit(recipe, call, make(recipe, call, read_items(returned), tracker))


async def build_async(recipe: Recipe, call: Call) -> Made:
    """Do the same with an async function; what takes long or waits for a disk is done in a thread."""
    found = look_up(recipe, call)
    if found is not None:
        return found
    begin(recipe, call)
    with tracking() as tracker:
        returned = await recipe.function(*call.args, **call.kwargs)
    given = read_items(returned)
    if sum(map(len, given.contents)) > MOST_ON_THE_LOOP:
        entry = await _to_thread(make, recipe, call, given, tracker)
    else:
        entry = make(recipe, call, given, tracker)
    if recipe.store is not None and recipe.store.records is not None:
        return await _to_thread(_commit, recipe, call, entry)
    return _commit(recipe, call, entry)


def run(recipe: Recipe, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Context:
    """Call a plain context function: a context that is there is given again, equal calls at a time run once."""
    call = open_call(recipe, args, kwargs)
    made = look_up(recipe, call)
    while made is None or made.is_outdated_for(call):
        made = build(recipe, call) if call.key is None else recipe.sharing.run(call.key, lambda: build(recipe, call))
    return _hand_over(recipe, call, made)


async def run_async(recipe: Recipe, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Context:
    """Do the same with an async one."""
    call = open_call(recipe, args, kwargs)
    made = look_up(recipe, call)
    while made is None or made.is_outdated_for(call):
        if call.key is None:
            made = await build_async(recipe, call)
        else:
            made = await recipe.sharing.arun(call.key, lambda: build_async(recipe, call))
    return _hand_over(recipe, call, made)


def _commit(recipe: Recipe, call: Call, entry: Entry) -> Made:
    """Store the evidence, then cache: what has to be proven and is not must not be given again."""
    if recipe.store is not None and call.as_of is None:
        persist(entry.context, recipe.store, recipe.options.evidence)
    return keep(recipe, call, entry)


def _hand_over(recipe: Recipe, call: Call, made: Made) -> Context:
    """Return the caller's own copy of a context, and note it in the one that is being built around it (D16)."""
    context = made.entry.context
    if made.call is not call:
        context = serve(recipe, made.entry)
    elif call.key is not None:
        context = copy(context)
    tracker = current_tracker()
    if tracker is not None and context.lineage is not None:
        tracker.absorb(context.lineage, made.entry.sources)
    return context


async def _to_thread(function: Callable[..., Answer], *arguments: object) -> Answer:
    from asyncio import to_thread  # noqa: PLC0415 - importing brimful must not load asyncio

    return await to_thread(function, *arguments)
