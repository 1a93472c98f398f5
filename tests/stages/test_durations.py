"""Durations: what is one is read exactly, what almost is one is refused."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.errors import ConfigError
from brimful.stages.durations import UNITS, read_duration, show_duration
from recorded_cases import CASES


def test_recency_freshness_05_a_duration_is_read_whole_or_refused() -> None:
    expected = CASES["recency_freshness-05"]["expected"]
    read = {"1.5h": 5_400_000, "0s": 0}  # of two rules that the case leaves open: fractions are read, and 0 is 0

    for text in CASES["recency_freshness-05"]["input"]["inputs"]:
        if expected[text] == "ValueError":
            with pytest.raises(ValueError, match="freshness_sla must be a duration such as"):
                read_duration("freshness_sla", text)
        else:
            assert read_duration("freshness_sla", text) == read.get(text, expected[text])


parts = st.lists(st.tuples(st.integers(0, 10**12), st.sampled_from(list(UNITS))), min_size=1, max_size=5)


@given(parts, st.none() | st.integers(0, 10**12))
def test_parts_are_read_in_falling_order_each_once(numbers: list[tuple[int, str]], fraction: int | None) -> None:
    tail = "" if fraction is None else f".{fraction}"
    *front, (last, unit) = numbers
    text = "".join(f"{number}{name}" for number, name in front) + f"{last}{tail}{unit}"
    places = [list(UNITS).index(name) for _, name in numbers]

    if places == sorted(set(places)):
        whole = sum(number * UNITS[name] for number, name in front)
        assert read_duration("ttl", text) == whole + int(Fraction(f"{last}{tail}") * UNITS[unit])
    else:
        with pytest.raises(ConfigError):
            read_duration("ttl", text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "1h 30m",
            "30m1h",
            "1h1h",
            "1.5h30m",
            "+5m",
            "5 m",
            "5m;",
            "m",
            "5.m",
            "1,5h",
            "∞s",
            "²s",
            "5ſ",
            "5mm",
            "5\0m",
        ),
        "9" * 21 + "d",
        "1" * 10_000,
    ],
)
def test_what_almost_is_a_duration_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"ttl must be a duration such as .*, got '"):
        read_duration("ttl", text)


@pytest.mark.parametrize("value", [5, 5.0, True, b"5m", timedelta(seconds=-1), float("nan"), ["5m"]])
def test_other_values_are_refused(value: Any) -> None:
    with pytest.raises(ConfigError, match="ttl must be a duration such as"):
        read_duration("ttl", value)


def test_none_and_timedeltas_are_read() -> None:
    assert read_duration("ttl", None) is None
    assert read_duration("ttl", timedelta(minutes=5, microseconds=1_999)) == 300_001
    assert read_duration("ttl", timedelta.max) == 86_399_999_999_999_999


@given(st.integers(0, 10**12))
def test_words_say_at_most_what_there_is(ms: int) -> None:
    said = read_duration("ttl", show_duration(ms).replace(" ", ""))

    assert said is not None
    assert (
        0
        <= ms - said
        < next((UNITS[below] for unit, below in [("d", "h"), ("h", "m"), ("m", "s")] if ms >= UNITS[unit]), 1_000)
    )
