"""Freshness: what is too old by the clock of the store, what nobody knows, what is yet to come."""

from __future__ import annotations

import math
import pickle
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.priority import (
    ContextItem,
    FeatureLineage,
    FeatureStore,
    FreshnessError,
    FreshnessSLAError,
)
from brimful.builders.priority.freshness import Limits, judge
from brimful.builders.priority.tracking import current_tracker
from brimful.errors import ConfigError, InputError
from brimful.stages.durations import read_duration
from priority_parts import NOON, Clock, decorate, finish, give, in_both_ways, lineage_of
from recorded_cases import CASES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DAY = 86_400_000


def read(name: str, moment: datetime | None) -> FeatureLineage:
    return FeatureLineage(name, "u1", 1, moment, None, "cache")


def reading(**moments: str | None) -> Callable[[], str]:
    """A context function that has read features of these times."""

    def function() -> str:
        tracker = current_tracker()
        assert tracker is not None
        for name, moment in moments.items():
            tracker.record_feature(read(name, None if moment is None else datetime.fromisoformat(moment)))
        return "text"

    return function


def test_recency_freshness_07_the_boundary_and_what_is_missing_decide() -> None:
    case = CASES["recency_freshness-07"]
    features: Mapping[str, str | None] = case["input"]["items"]
    clock = Clock(datetime.fromisoformat(case["input"]["now"]))
    options: dict[str, Any] = {"store": FeatureStore(clock=clock), "freshness_sla": case["input"]["sla"]}

    made = decorate("plain", reading(**features), **options)()

    assert made.meta["freshness_status"] == "degraded"
    violations = [
        {"feature": "b", "age_ms": case["expected"]["b"]["violation_age_ms"], "sla_ms": DAY},
        {"feature": "c", "age_ms": None, "sla_ms": DAY},
        {"feature": "d", "age_ms": case["expected"]["d"]["violation_age_ms"], "sla_ms": DAY},
    ]
    assert made.meta["freshness_violations"] == violations
    assert made.meta["freshness_notes"] == ["e is of a time 86400000 ms from now"]
    with pytest.raises(FreshnessError) as caught:
        decorate("plain", reading(**features), freshness_strict=True, **options)()
    assert caught.value.violations == violations
    assert str(caught.value) == (
        "Freshness SLA breached for 3 feature(s): "
        "b (86400001ms > 86400000ms), c (age unknown > 86400000ms), d (190800000ms > 86400000ms)"
    )


@pytest.mark.parametrize(
    "moment", ["2026-01-01T11:59:30", "2026-01-01T11:59:30+00:00", "2026-01-01T20:59:30+09:00", "2026-01-01T11:59:30Z"]
)
def test_recency_freshness_01_naive_times_are_in_utc(moment: str) -> None:
    store = FeatureStore(clock=Clock())
    store.write_feature("tier", "u1", "gold", event_time=datetime.fromisoformat(moment))

    def chat() -> list[ContextItem]:
        return [ContextItem(str(store.read_feature("tier", "u1")), last_updated=given) for given in as_items]

    as_items: list[Any] = [moment, datetime.fromisoformat(moment)]
    for limit, stale in (("30s", []), ("29s", ["unknown", "tier"])):
        made = decorate("plain", chat, store, freshness_sla=limit, max_staleness=limit, cache_ttl=None)()
        assert made.meta["stale_sources"] == stale
        assert lineage_of(made).stalest_feature_ms == 30_000


def test_recency_freshness_03_times_at_the_ends_of_the_calendar_have_an_age() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    first, last = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)

    verdict = judge(
        [read("old", first), read("new", last)], [("past", first), ("future", last)], Limits(DAY, DAY), now=now
    )

    age = (now - first) // timedelta(milliseconds=1)
    assert verdict.violations == ({"feature": "old", "age_ms": age, "sla_ms": DAY},)
    assert verdict.stale_sources == ("past", "old")
    assert verdict.stalest_ms == age
    assert [note.split()[0] for note in verdict.notes] == ["new", "future"]
    for limit in (-1, 0, math.nan, timedelta(-1)):
        with pytest.raises(ConfigError, match="must be a duration"):
            read_duration("freshness_sla", limit)


@in_both_ways
def test_a_status_changes_with_the_clock_and_names_each_source_once(way: str) -> None:
    clock = Clock()
    store = FeatureStore(clock=clock)
    for user in ("u1", "u2"):
        store.write_feature("tier", user, user)

    def chat() -> str:
        return "".join(store.read_feature("tier", user) for user in ("u1", "u2"))

    decorated = decorate(way, chat, store, freshness_sla="5m", cache_ttl=None)
    for seconds, fresh in ((0, True), (300, True), (0.001, False)):
        clock.move(seconds)
        made = finish(decorated())
        assert made.is_fresh is fresh
    assert made.meta["freshness_violations"] == [{"feature": "tier", "age_ms": 300_001, "sla_ms": 300_000}] * 2
    assert made.meta["stale_sources"] == ["tier"]
    assert lineage_of(made).freshness_status == "degraded"
    assert lineage_of(made).freshness_violations == tuple(made.meta["freshness_violations"])


@in_both_ways
def test_strict_raises_and_nothing_is_kept(way: str) -> None:
    clock = Clock()
    store = FeatureStore(clock=clock)
    store.write_feature("tier", "u1", "gold")
    decorated = decorate(
        way, lambda: store.read_feature("tier", "u1"), store, name="c", freshness_sla="30s", freshness_strict=True
    )
    clock.move(31)

    with pytest.raises(FreshnessSLAError, match=r"1 feature\(s\): tier \(31000ms > 30000ms\)"):
        finish(decorated())
    assert len(store.cache) == 0
    store.write_feature("tier", "u1", "silver")
    assert finish(decorated()).content == "silver"


@pytest.mark.parametrize("limit", [None, "", "0s", "0.5ms", timedelta(0)])
def test_no_limit_is_no_violation_however_old_or_unknown(limit: Any) -> None:
    function = reading(old="2020-01-01T00:00:00Z", unknown=None)

    made = decorate("plain", function, freshness_sla=limit, freshness_strict=True)()

    assert made.is_fresh
    assert made.meta["freshness_sla_ms"] == (None if limit in {None, ""} else 0)


def test_items_are_judged_by_max_staleness_dropped_ones_too_and_never_strictly() -> None:
    def item(name: str | None, age: float, **fields: Any) -> ContextItem:
        return ContextItem("text", source_id=name, last_updated=NOON - timedelta(seconds=age), **fields)

    given = [item("edge", 60), item("old", 60.001), item(None, 99), item("gone", 99, priority=5), item("ahead", -1)]
    store = FeatureStore(clock=Clock())

    made = decorate(
        "plain",
        give(given),
        store,
        name="c",
        max_tokens=19,
        token_counter=len,
        max_staleness="1m",
        freshness_sla="1m",
        freshness_strict=True,
    )()

    assert made.meta["stale_sources"] == ["old", "unknown", "gone"]
    assert made.meta["freshness_notes"] == ["ahead is of a time 1000 ms from now"]
    assert (made.is_fresh, made.meta["freshness_violations"], made.meta["dropped_items"]) == (False, [], 1)
    assert decorate("plain", give(given), store, name="c")().is_fresh


@pytest.mark.parametrize("moment", ["yesterday", 5, "2026-13-01"])
def test_a_time_that_is_none_is_refused_by_its_place(moment: Any) -> None:
    given = [ContextItem("a"), ContextItem("b", last_updated=moment)]

    with pytest.raises(InputError, match=r"result\[1\].last_updated must be a datetime or a text in ISO 8601"):
        decorate("plain", give(given))()


def test_nothing_that_was_read_is_fresh() -> None:
    verdict = judge([], [], Limits(1, 1, strict=True), now=NOON)

    assert (verdict.status, verdict.violations, verdict.stalest_ms) == ("guaranteed", (), 0)


def test_the_error_can_be_pickled() -> None:
    error = FreshnessError("too old", violations=[{"feature": "tier", "age_ms": None, "sla_ms": 1}])

    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes

    assert (str(again), again.violations) == (str(error), error.violations)
