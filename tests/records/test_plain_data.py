"""Arguments as data: what JSON can say, what is marked, and what comes back."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.records import as_json, as_values, is_whole
from record_parts import arguments


class Shy:
    """Fails when it is asked to show itself, to compare, or anything else."""

    def __repr__(self) -> str:
        raise AssertionError

    __str__ = __repr__


class Colour(StrEnum):
    RED = "red"


class Level(IntEnum):
    HIGH = 3


class Nowhere(tzinfo):
    def utcoffset(self, _moment: datetime | None, /) -> NoReturn:
        raise ZeroDivisionError

    dst = tzname = utcoffset


class Torn(dict[str, int]):
    def items(self) -> NoReturn:
        raise ZeroDivisionError


def lost(name: str) -> dict[str, str]:
    return {"$unserialisable": name}


PLAIN: list[Any] = [None, True, False, 0, -7, 10**30, 0.5, -0.0, 1e300, "", "é\ud800\0", [], {}, [[1], {"a": [None]}]]


@pytest.mark.parametrize("value", PLAIN)
def test_what_is_json_stays_as_it_is(value: Any) -> None:
    assert as_json(value) == value
    assert json.dumps(as_json(value)) == json.dumps(value)
    assert is_whole(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (math.nan, {"$float": "NaN"}),
        (math.inf, {"$float": "Infinity"}),
        (-math.inf, {"$float": "-Infinity"}),
        (np.float64("nan"), {"$float": "NaN"}),
        (np.float64(0.5), 0.5),
        (np.int64(3), lost("numpy.int64")),
        ((1, (2,)), [1, [2]]),
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        (MappingProxyType({"a": 1}), {"a": 1}),
        (datetime(2026, 1, 2, 3, 4, 5, 6, UTC), {"$datetime": "2026-01-02T03:04:05.000006+00:00"}),
        (datetime(2026, 1, 2, tzinfo=timezone(timedelta(hours=5.5))), {"$datetime": "2026-01-02T00:00:00+05:30"}),
        (datetime(2026, 1, 2), {"$datetime": "2026-01-02T00:00:00"}),  # noqa: DTZ001 - without a zone
        (datetime(2026, 1, 2, tzinfo=Nowhere()), lost("datetime.datetime")),
        (Shy(), lost(f"{__name__}.Shy")),
        ([Shy()], [lost(f"{__name__}.Shy")]),
        ({1: 2}, lost("builtins.dict")),
        ({Shy(): 2}, lost("builtins.dict")),
        (Torn(a=1), lost(f"{__name__}.Torn")),
        ({1, 2}, lost("builtins.set")),
        (b"a", lost("builtins.bytes")),
        (1j, lost("builtins.complex")),
        ([10**4_300], [lost("builtins.int")]),
        ({"$float": "NaN"}, {"$mapping": [["$float", "NaN"]]}),
        ({"$": {"$sha256": 1}, "a": 2}, {"$mapping": [["$", {"$mapping": [["$sha256", 1]]}], ["a", 2]]}),
    ],
)
def test_what_is_no_json_is_marked(value: Any, expected: Any) -> None:
    assert as_json(value) == expected
    assert json.loads(json.dumps(as_json(value), allow_nan=False)) == expected


def test_a_cycle_is_marked_where_it_closes() -> None:
    row: list[Any] = [1]
    row.append(row)
    table: dict[str, Any] = {"rows": [row, row]}
    table["self"] = table

    assert as_json(row) == [1, lost("builtins.list")]
    assert as_json(table) == {"rows": [[1, lost("builtins.list")]] * 2, "self": lost("builtins.dict")}


def test_what_lies_too_deep_is_marked() -> None:
    deep: Any = "ground"
    for _ in range(150):
        deep = [deep]
    found, depth = as_json(deep), 0
    while isinstance(found, list):
        found, depth = found[0], depth + 1

    assert (found, depth) == (lost("builtins.list"), 101)


def test_lists_that_hold_each_other_many_times_come_to_an_end() -> None:
    many: Any = ["x"] * 1_000
    for _ in range(20):
        many = [many, many]

    assert not is_whole(as_json(many))


def same(one: Any, other: Any) -> bool:
    """Equal, in type too, but tuples are lists; NaN is itself, and -0.0 is not 0.0."""
    if isinstance(one, (list, tuple)):
        return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return type(one) is type(other) and repr(one) == repr(other)


@given(arguments)
def test_all_that_is_whole_comes_back_through_a_text(value: Any) -> None:
    written = as_json(value)
    read = json.loads(json.dumps(written, allow_nan=False))

    assert is_whole(read)
    assert same(value, as_values(read))


@given(arguments)
def test_to_write_twice_is_to_write_once(value: Any) -> None:
    assert json.dumps(as_json(as_json(value))) == json.dumps(as_json(value))


@given(arguments, st.sampled_from([object(), {1}, b"x"]))
def test_what_is_lost_anywhere_is_not_whole(value: Any, foreign: Any) -> None:
    assert not is_whole(as_json({"a": [value, {"b": foreign}]}))


def test_what_is_too_deep_to_look_at_is_not_whole() -> None:
    deep: Any = "ground"
    for _ in range(5_000):
        deep = [deep]

    assert not is_whole(deep)


def test_what_is_hidden_is_not_whole() -> None:
    assert not is_whole({"a": {"$sha256": "00"}})
    assert not is_whole([{"$hmac-sha256": "00"}])


def test_what_is_given_is_not_changed_and_shares_nothing() -> None:
    inner = [1]
    written = as_json({"a": inner})
    inner.append(2)

    assert written == {"a": [1]}


@pytest.mark.parametrize(
    "value",
    [
        {"$float": "nan"},
        {"$float": [1]},
        {"$datetime": "yesterday"},
        {"$datetime": 5},
        {"$mapping": 5},
        {"$mapping": [["key"]]},
        {"$mapping": [[["key"], 1]]},
    ],
)
def test_what_only_looks_like_a_mark_stays(value: Any) -> None:
    assert as_values({"of another program": value}) == {"of another program": value}
