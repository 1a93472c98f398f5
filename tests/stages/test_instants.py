"""Points in time: every spelling of an instant is that instant, and what is none is refused."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brimful.errors import ConfigError, InputError
from brimful.stages.instants import read_instant
from brimful.stages.scoring import composite, recency

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parents[1] / "cases" / "cases.jsonl").read_text("utf-8").splitlines())
}
SECOND = 1_000
WEEK = timedelta(days=7) / timedelta(milliseconds=1)


def test_recency_freshness_01_naive_aware_and_numeric_times_are_one_instant() -> None:
    case = CASES["recency_freshness-01"]
    given, expected = case["input"], case["expected"]
    now = read_instant("now", given["now"])
    ages = [now - read_instant("timestamp", value, unit=SECOND) for value in given["timestamps"]]

    scores = composite([given["relevance"]] * len(ages), recency(ages, given["tau_s"] * SECOND), given["weight"])

    assert [expected["all_equal"]] * 6 == pytest.approx(scores, rel=0, abs=1e-9)
    assert len(set(scores)) == 1


def test_recency_freshness_01_datetimes_too() -> None:
    moments = [
        datetime(2026, 1, 1, 11, 59, 30),  # noqa: DTZ001 - naive, on purpose
        datetime(2026, 1, 1, 11, 59, 30, tzinfo=UTC),
        datetime(2026, 1, 1, 20, 59, 30, tzinfo=timezone(timedelta(hours=9))),
    ]

    assert {read_instant("timestamp", moment) for moment in moments} == {1_767_268_770_000.0}


def test_recency_freshness_03_the_far_future_is_fresh_and_the_far_past_is_not() -> None:
    given, expected = CASES["recency_freshness-03"]["input"], CASES["recency_freshness-03"]["expected"]
    now, future, old = (read_instant(name, given[name]) for name in ("now", "timestamp", "old"))
    half_life = given["half_life_days"] / 7 * WEEK / math.log(2)

    for tau in (given["tau_s"] * SECOND, half_life, 5e-324, 1.7e308):
        assert recency([now - future], tau) == [expected["future"]]
    for tau in (given["tau_s"] * SECOND, half_life, 5e-324):
        assert recency([now - old], tau) == [expected["old"]]


@pytest.mark.parametrize("tau", [0, -1.0, float("nan")])
def test_recency_freshness_03_a_tau_that_is_none_is_refused(tau: float) -> None:
    with pytest.raises(ConfigError, match="tau must be a finite number above 0"):
        recency([1.0], tau)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, 0.0),
        (-1.5, -1.5),
        (np.int64(7), 7.0),
        (np.float32(0.5), 0.5),
        ("1970-01-02", 86_400_000.0),
        ("1970-01-01T00:00:00.001", 1.0),
        ("1970-01-01T00:00:00Z", 0.0),
        ("1970-01-01 01:00:00+01:00", 0.0),
        (datetime(1, 1, 1), -62_135_596_800_000.0),  # noqa: DTZ001 - naive, on purpose
        ("0001-01-01T00:00:00+14:00", -62_135_647_200_000.0),
        ("9999-12-31T23:59:59.999-14:00", 253_402_351_199_999.0),
    ],
)
def test_an_instant_is_milliseconds_since_1970(value: object, expected: float) -> None:
    assert read_instant("timestamp", value) == expected


@pytest.mark.parametrize("value", [None, True, float("nan"), float("inf"), 10**400, b"1970", [0], timedelta(1)])
def test_what_is_no_instant_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="timestamp must be a finite number, a datetime or an ISO 8601 text, got "):
        read_instant("timestamp", value)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "1767268770"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=f"timestamp must be a time in ISO 8601, got '{text}'"):
        read_instant("timestamp", text)


def test_a_number_of_units_must_stay_finite() -> None:
    with pytest.raises(InputError, match="timestamp must be a finite number"):
        read_instant("timestamp", 1e308, unit=SECOND)
