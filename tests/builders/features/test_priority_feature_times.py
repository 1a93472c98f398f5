"""Features and time: the ttl, times of values, time travel, and what is pruned."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.priority.features import feature
from brimful.builders.priority.tracking import tracking
from brimful.errors import ConfigError, InputError
from feature_parts import SECOND, noted
from priority_parts import NOON, Clock

if TYPE_CHECKING:
    from brimful.builders.priority.feature_store import FeatureStore


@pytest.mark.parametrize(
    "event_time", [NOON - SECOND, "2026-01-01T11:59:59Z", "2026-01-01T11:59:59", (NOON - SECOND).replace(tzinfo=None)]
)
def test_a_value_has_the_time_that_it_is_of(store: FeatureStore, read: Any, event_time: Any) -> None:
    store.write_feature("tier", "u1", "gold", event_time=event_time)

    with tracking() as tracker:
        read("tier", "u1")
    assert (tracker.features[0].timestamp, tracker.features[0].freshness_ms) == (NOON - SECOND, 1_000)


def test_a_value_of_the_future_is_fresh(store: FeatureStore, read: Any) -> None:
    store.declare_feature("tier", ttl="1s")
    store.write_feature("tier", "u1", "gold", event_time=NOON + 5 * SECOND)

    with tracking() as tracker:
        assert read("tier", "u1") == "gold"
    assert (tracker.features[0].timestamp, tracker.features[0].freshness_ms) == (NOON + 5 * SECOND, 0)


def test_a_function_is_run_once_a_ttl(store: FeatureStore, clock: Clock, read: Any) -> None:
    runs: list[str] = []

    @feature(store, ttl="5m")
    def visits(user_id: str) -> int:
        runs.append(user_id)
        return len(runs)

    with tracking() as tracker:
        assert [read("visits", "u1"), read("visits", "u1"), read("visits", "u2")] == [1, 1, 2]
        clock.move(300)
        assert read("visits", "u1") == 1  # as old as the ttl is not older
        clock.move(0.001)
        assert read("visits", "u1") == 3
    assert runs == ["u1", "u2", "u1"]
    assert noted(tracker) == [
        *(("visits", 1, 0, "compute"), ("visits", 1, 0, "cache"), ("visits", 2, 0, "compute")),
        *(("visits", 1, 300_000, "cache"), ("visits", 3, 0, "compute")),
    ]
    assert visits("u9") == 4  # the function itself is unchanged


def test_a_value_that_is_too_old_is_not_served_by_any_store(store: FeatureStore, clock: Clock, read: Any) -> None:
    store.declare_feature("tier", ttl=timedelta(seconds=1))
    store.declare_feature("plan", ttl="1s", default="free")
    for name in ("tier", "plan"):
        store.write_feature(name, "u1", "gold")
    clock.move(1.5)

    with pytest.raises(InputError, match="feature 'tier' of 'u1' has no value"):
        read("tier", "u1")
    assert read("plan", "u1") == "free"


def test_times_that_are_none_are_refused(store: FeatureStore, read: Any) -> None:
    with pytest.raises(InputError, match="event_time must be a datetime or a text in ISO 8601, got 'noon'"):
        store.write_feature("tier", "u1", "gold", event_time="noon")
    with pytest.raises(InputError, match="at must be a datetime or a text in ISO 8601, got 5"):
        read("tier", "u1", at=5)


def test_time_travel_sees_what_was_known_then_and_runs_nothing(store: FeatureStore, clock: Clock, read: Any) -> None:
    @feature(store, ttl="1h")
    def tier(_user_id: str) -> str:
        return "worked out"

    store.write_feature("tier", "u1", "silver")
    clock.move(60)
    store.write_feature("tier", "u1", "gold")
    clock.move(60)
    store.write_feature("tier", "u1", "backdated", event_time=NOON + SECOND)

    with tracking(as_of=NOON + 30 * SECOND) as tracker:
        assert read("tier", "u1") == "silver"
        with pytest.raises(InputError, match=r"'tier' of 'u2' has no value at 2026-01-01T12:00:30\+00:00"):
            read("tier", "u2")
    assert noted(tracker) == [("tier", "silver", 30_000, "cache")]
    assert read("tier", "u1", at="2026-01-01T12:01:30") == "gold"
    with pytest.raises(InputError, match="has no value at"):
        read("tier", "u1", at=NOON - SECOND)
    assert store.values.list_values("tier", "u2") == []


def test_time_travel_keeps_the_ttl_and_the_default(store: FeatureStore, read: Any) -> None:
    store.declare_feature("tier", ttl="1m", default="none")
    store.write_feature("tier", "u1", "gold")

    assert read("tier", "u1", at=NOON + 60 * SECOND) == "gold"
    assert read("tier", "u1", at=NOON + 61 * SECOND) == "none"


def test_what_a_run_worked_out_is_found_again_as_of_then(store: FeatureStore, clock: Clock, read: Any) -> None:
    @feature(store, ttl="1s")
    def tier(_user_id: str) -> str:
        return str(clock.moment)

    first = read("tier", "u1")
    seen = clock.moment
    clock.move(10)
    assert read("tier", "u1") != first
    assert read("tier", "u1", at=seen) == first


def test_superseded_values_are_pruned(store: FeatureStore, clock: Clock) -> None:
    for number in range(4):
        store.write_feature("tier", "u1", number)
        clock.move(60)

    assert store.prune_features("90s") == 2
    assert [held.value for held in store.values.list_values("tier", "u1")] == [2, 3]
    assert store.prune_features(timedelta.max) == 0
    for keep in ("", None, 5):
        with pytest.raises(ConfigError, match="keep must be a duration"):
            store.prune_features(keep)  # type: ignore[arg-type]
