"""From what a context function returned to a `Context`: pure but for the clock and the id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from brimful.builders.priority.assembly import assemble
from brimful.builders.priority.caching import Entry
from brimful.builders.priority.freshness import judge, refuse_stale
from brimful.builders.priority.outcome import Outcome
from brimful.builders.priority.result import Context
from brimful.stages.identifiers import new_id
from brimful.stages.instants import MILLISECOND
from brimful.stages.model_prices import cost_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from brimful.builders.priority.caching import Dependency
    from brimful.builders.priority.freshness import Dated
    from brimful.builders.priority.front_door import Given
    from brimful.builders.priority.lineage import FeatureLineage
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
    sources = [source for source in given.source_ids if source]
    outcome = Outcome(
        new_id("ctx_", now),
        now,
        recipe.name,
        call.inputs,
        tuple(tracker.features),
        tuple(tracker.retrievers),
        assembled,
        verdict,
        call.max_tokens,
        cost_of(options.rates, assembled.token_usage),
        sources,
        call.caching,
        call.as_of,
        options.limits.sla_ms,
        options.evidence,
    )
    context = Context(
        outcome.context_id,
        assembled.content,
        outcome,
        outcome,
        options.version,
        given=tuple(given.contents),
        environment=recipe.environment,
    )
    expires_at = None if call.key is None else _find_expiry(recipe, tracker.features, now)
    return Entry(context, now, expires_at, frozenset(tracker.sources.union(sources)), dated)


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


def _find_expiry(recipe: Recipe, features: Iterable[FeatureLineage], now: datetime) -> datetime | None:
    """Return the end of the cache's ttl, or of that of a feature where it is earlier; None where there is no such day.

    A value that is too old to be read is too old in a cached context.
    """
    lives = [] if recipe.options.cache_ttl is None else [(now, recipe.options.cache_ttl // MILLISECOND)]
    known = {} if recipe.store is None else recipe.store.features
    for read in features:
        defined = known.get(read.feature_name)
        if defined is not None and defined.ttl_ms is not None and read.timestamp is not None:
            lives.append((read.timestamp, defined.ttl_ms))
    return min(filter(None, map(_end_of, lives)), default=None)


def _end_of(life: tuple[datetime, int]) -> datetime | None:
    begun, lasts_ms = life
    try:
        return begun + lasts_ms * MILLISECOND
    except OverflowError:
        return None


def _dated_items(given: Given) -> tuple[Dated, ...]:
    return tuple(
        (source or UNNAMED, moment)
        for source, moment in zip(given.source_ids, given.last_updated, strict=True)
        if moment is not None
    )
