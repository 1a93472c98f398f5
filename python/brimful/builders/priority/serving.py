"""Contexts that are there already: found, kept, and given again, complete and judged anew (D15)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from brimful.builders.priority.freshness import judge, refuse_stale
from brimful.builders.priority.making import needs_of
from brimful.builders.priority.outcome import freshness_meta
from brimful.builders.priority.recipe import Made
from brimful.records.plain_data import as_json
from brimful.stages.instants import MILLISECOND
from brimful.stores.features import own_value

if TYPE_CHECKING:
    from brimful.builders.priority.caching import Entry
    from brimful.builders.priority.lineage import ContextLineage
    from brimful.builders.priority.recipe import Call, Recipe
    from brimful.builders.priority.result import Context


def look_up(recipe: Recipe, call: Call) -> Made | None:
    """Return the cached context of a call, None where there is none that may be given."""
    if call.key is None or recipe.store is None:
        return None
    now, limit = recipe.now(), recipe.options.limits.max_staleness_ms
    entry = recipe.store.cache.get(call.key, now)
    if entry is None or (limit and (now - entry.made_at) / MILLISECOND > limit):
        return None
    return Made(entry)


def begin(recipe: Recipe, call: Call) -> None:
    """Note, before anything is read, that a context is being made."""
    if call.key is not None and recipe.store is not None:
        call.filling = recipe.store.cache.begin()


def keep(recipe: Recipe, call: Call, entry: Entry) -> Made:
    """Cache a context that was made, unless what it read became void meanwhile."""
    if call.key is None or call.filling is None or recipe.store is None:
        return Made(entry, call)
    kept = recipe.store.cache.put(call.key, entry, needs_of(entry), call.filling)
    return Made(entry, call, overtaken=not kept)


def serve(recipe: Recipe, entry: Entry) -> Context:
    """Return a context again: the same id, hashes and decisions, its freshness as of now.

    Raises FreshnessError where data became too old for a strict limit.
    """
    kept, limits = entry.context, recipe.options.limits
    if kept.lineage is None:
        return copy(kept)
    verdict = judge(kept.lineage.features_used, entry.dated, limits, now=recipe.now())
    refuse_stale(verdict, limits)
    lineage = replace(
        _own(kept.lineage),
        freshness_status=verdict.status,
        freshness_violations=verdict.violations,
        stalest_feature_ms=verdict.stalest_ms,
    )
    meta = _copy_meta(kept.meta) | freshness_meta(verdict) | {"is_cached_response": True, "cache": "hit"}
    return replace(kept, meta=meta, lineage=lineage, recorded=kept.lineage)


def copy(context: Context) -> Context:
    """Return a context of which all may be changed without changing the other's."""
    lineage = None if context.lineage is None else _own(context.lineage)
    return replace(context, meta=_copy_meta(context.meta), lineage=lineage)


def _own(lineage: ContextLineage) -> ContextLineage:
    """Return a lineage with arguments, values and violations of its own: what a caller does to them is his affair."""
    return replace(
        lineage,
        context_args=as_json(lineage.context_args),
        features_used=tuple(replace(read, value=own_value(read.value)) for read in lineage.features_used),
        freshness_violations=tuple(dict(violation) for violation in lineage.freshness_violations),
    )


def _copy_meta(meta: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, list) else value for name, value in meta.items()}
