"""From what a context function returned to a `Context`: pure but for the clock and the id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from brimful.builders.priority.assembly import assemble
from brimful.builders.priority.caching import Entry
from brimful.builders.priority.freshness import judge, refuse_stale
from brimful.builders.priority.lineage import ContextLineage
from brimful.builders.priority.result import Context
from brimful.records.canonical import content_hash
from brimful.stages.identifiers import new_id
from brimful.stages.model_prices import estimate_cost
from brimful.stores.moments import write_moment

if TYPE_CHECKING:
    from datetime import datetime

    from brimful.builders.priority.assembly import Assembled
    from brimful.builders.priority.caching import Dependency
    from brimful.builders.priority.freshness import Dated, Verdict
    from brimful.builders.priority.front_door import Given
    from brimful.builders.priority.recipe import Call, Recipe
    from brimful.builders.priority.tracking import Tracker

UNNAMED: Final = "unknown"
"""What a stale item without a source is called."""


def make(recipe: Recipe, call: Call, given: Given, tracker: Tracker) -> Entry:
    """Assemble the items, judge their freshness, and say all of it.

    Raises BudgetError where the options say so, FreshnessError where data is too old for a strict limit.
    """
    options = recipe.options
    assembled = assemble(given, options.assembly, options.counter, call.max_tokens)
    now = recipe.now()
    dated = _dated_items(given) if options.limits.max_staleness_ms else ()
    verdict = judge(tracker.features, dated, options.limits, now=call.as_of or now)
    refuse_stale(verdict, options.limits)
    lineage = _describe(recipe, call, assembled, verdict, tracker, now=now)
    meta = _summarise(recipe, call, given, assembled, lineage)
    meta.update(freshness_meta(verdict))
    context = Context(
        lineage.context_id,
        assembled.content,
        meta,
        lineage,
        options.version,
        given=tuple(given.contents),
        environment=recipe.environment,
    )
    sources = tracker.sources.union(filter(None, given.source_ids))
    expires_at = None if options.cache_ttl is None else now + options.cache_ttl
    return Entry(context, now, expires_at, frozenset(sources), dated)


def freshness_meta(verdict: Verdict) -> dict[str, Any]:
    """Return what `meta` says of freshness; the lists are its own."""
    return {
        "freshness_status": verdict.status,
        "freshness_violations": [dict(violation) for violation in verdict.violations],
        "stale_sources": list(verdict.stale_sources),
        "freshness_notes": list(verdict.notes),
    }


def needs_of(entry: Entry) -> frozenset[Dependency]:
    """Return what makes a context void when it changes: the sources of its items, the features that were read."""
    features = () if entry.context.lineage is None else entry.context.lineage.features_used
    return frozenset(
        [
            *(("source", source) for source in entry.sources),
            *(("feature", feature.feature_name) for feature in features),
            *(("value", feature.feature_name, feature.entity_id) for feature in features),
        ]
    )


def _dated_items(given: Given) -> tuple[Dated, ...]:
    return tuple(
        (source or UNNAMED, moment)
        for source, moment in zip(given.source_ids, given.last_updated, strict=True)
        if moment is not None
    )


def _describe(
    recipe: Recipe, call: Call, assembled: Assembled, verdict: Verdict, tracker: Tracker, *, now: datetime
) -> ContextLineage:
    options, dropped = recipe.options, assembled.dropped
    return ContextLineage(
        context_id=new_id("ctx_", now),
        timestamp=now,
        context_name=recipe.name,
        context_args=call.inputs,
        features_used=tuple(tracker.features),
        retrievers_used=tuple(tracker.retrievers),
        items_provided=len(assembled.decisions),
        items_included=len(assembled.decisions) - len(dropped),
        items_dropped=len(dropped),
        dropped_items_detail=tuple(dropped),
        items=tuple(assembled.decisions),
        freshness_status=verdict.status,
        freshness_violations=verdict.violations,
        stalest_feature_ms=verdict.stalest_ms,
        token_usage=assembled.token_usage,
        max_tokens=call.max_tokens,
        estimated_cost_usd=estimate_cost(options.model, assembled.token_usage, prices=options.prices),
    )


def _summarise(
    recipe: Recipe, call: Call, given: Given, assembled: Assembled, lineage: ContextLineage
) -> dict[str, Any]:
    options = recipe.options
    return {
        "timestamp": write_moment(lineage.timestamp),
        "name": recipe.name,
        "status": "assembled",
        "dropped_items": lineage.items_dropped,
        "source_ids": [source for source in given.source_ids if source],
        "budget_exceeded": assembled.budget_exceeded,
        "token_usage": lineage.token_usage,
        "max_tokens": call.max_tokens,
        "approximate": assembled.approximate,
        "cost_usd": lineage.estimated_cost_usd,
        "freshness_sla_ms": options.limits.sla_ms,
        "is_cached_response": False,
        "cache": call.caching,
        "as_of": None if call.as_of is None else write_moment(call.as_of),
        "evidence_mode": options.evidence,
        "evidence_persisted": False,
        "evidence_error": None,
        "content_hash": content_hash(assembled.content),
        "record_hash": None,
    }
