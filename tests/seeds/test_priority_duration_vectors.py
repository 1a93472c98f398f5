"""Seed 003: recorded durations, all of them. A deviation asserts our value: D26, one exact grammar for ttl and SLA."""

from __future__ import annotations

import pytest

from brimful.errors import ConfigError
from brimful.stages.durations import read_duration, show_duration
from seeds.recorded import load

CASES = load("fabra_context")
DURATIONS = [identifier for identifier in CASES if identifier.startswith("duration_")]
TTLS = [identifier for identifier in CASES if identifier.startswith("timedelta_")]
HUMAN = [identifier for identifier in CASES if identifier.startswith("human_")]

D26 = {
    "duration_19": 8_639_999_999_999_999_999_913_600_000,  # integers; the original's float is off by 113,145,600,000
    "timedelta_4": 500,  # the original reads ttl by a second grammar, without ms, fractions, white space, upper case
    "timedelta_5": 5_400_000,
    "timedelta_6": 300_000,
    "timedelta_7": 300_000,
}


def test_the_cases_are_all_here() -> None:
    assert (len(DURATIONS), len(TTLS), len(HUMAN)) == (23, 8, 12)
    assert D26.keys() <= {*DURATIONS, *TTLS}


@pytest.mark.parametrize("identifier", [*DURATIONS, *TTLS])
def test_a_duration(identifier: str) -> None:
    case = CASES[identifier]
    unit = 1_000 if identifier in TTLS else 1

    if identifier in D26:
        assert read_duration("ttl", case["input"]) == D26[identifier] != case.get("expected", 0) * unit
    elif "expected" in case:
        assert read_duration("ttl", case["input"]) == case["expected"] * unit
    else:
        with pytest.raises(ConfigError, match="ttl must be a duration such as"):
            read_duration("ttl", case["input"])


@pytest.mark.parametrize("identifier", HUMAN)
def test_a_duration_in_words(identifier: str) -> None:
    assert show_duration(CASES[identifier]["input"]) == CASES[identifier]["expected"]
