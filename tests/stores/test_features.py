"""Histories of feature values, in memory and in SQLite: what held when, what is kept, what is refused."""

from __future__ import annotations

import json
import math
import sqlite3
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.errors import InputError, StoreError
from brimful.stores.feature_memory import InMemoryFeatures
from brimful.stores.features import FeatureValue, copy_json
from brimful.stores.sqlite_features import SqliteFeatures
from references import naive_features
from stores.feature_hammer import NOON, SECOND

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STRANGE = [
    "u'1",
    'u"1',
    "u\0",
    "u\0x",
    "../../etc/passwd",
    "C:\\u",
    "x' OR '1'='1",
    "u%",
    "u_",
    "",
    "é",
    "e\u0301",
    "🇩🇪",
]
VALUES: list[Any] = [
    *(None, True, False, 0, -1, 2**80, 0.1, 1e300, "", "\0", "\ud800", "a'b", [], {}, [1, [2, {"x": None}]]),
    *({"": 1, "\0": {"é": [True]}}, math.inf, -math.inf, [math.inf]),
]


@pytest.fixture(params=["memory", "sqlite"])
def values(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    with InMemoryFeatures() if request.param == "memory" else SqliteFeatures(tmp_path / "features.sqlite") as store:
        yield store


def a_value(value: Any, seconds: float = 0, known: float | None = None, *, entity: str = "u1") -> FeatureValue:
    """A value of `seconds` after noon, written at once or `known` seconds after noon."""
    written_at = NOON + SECOND * (seconds if known is None else known)
    return FeatureValue("tier", entity, value, NOON + SECOND * seconds, written_at)


def read(values: Any, seconds: float, known: float | None = None) -> Any:
    known_by = None if known is None else NOON + SECOND * known
    held = values.read_value("tier", "u1", at=NOON + SECOND * seconds, known_by=known_by)
    return None if held is None else held.value


def test_the_latest_value_whose_time_has_come_holds(values: Any) -> None:
    values.write_values([a_value("gold", 10), a_value("silver", 0), a_value("later", 99)])

    assert [read(values, seconds) for seconds in (0, 9.999999, 10, 50, 99)] == [
        "silver",
        "silver",
        "gold",
        "gold",
        "later",
    ]


def test_of_values_of_one_time_the_last_written_holds(values: Any) -> None:
    values.write_values([a_value("corrected", 0, known=5), a_value("first", 0, known=1)])
    assert read(values, 0) == "corrected"

    values.write_values([a_value("again", 0, known=5)])
    assert read(values, 0) == "again"


def test_a_past_moment_knows_what_was_written_by_then(values: Any) -> None:
    values.write_values([a_value("silver", 0), a_value("backdated", 1, known=60)])

    assert read(values, 30) == "backdated"
    assert read(values, 30, known=30) == "silver"
    assert read(values, 60, known=60) == "backdated"
    assert read(values, 30, known=-1) is None


def test_a_value_of_the_future_holds_where_there_is_no_other(values: Any) -> None:
    values.write_values(
        [a_value("far", 99, known=0), a_value("ahead", 5, known=0), a_value("ahead, again", 5, known=1)]
    )

    assert [read(values, 0), read(values, 0, known=0)] == ["ahead, again", "ahead"]
    values.write_values([a_value("now", -1)])
    assert read(values, 0) == "now"


def test_nothing_is_found_of_another_feature_or_entity(values: Any) -> None:
    values.write_values([a_value("gold")])

    assert values.read_value("tier", "u", at=NOON) is None
    assert values.read_value("Tier", "u1", at=NOON) is None
    assert values.list_values("tier", "u2") == []
    assert values.list_names() == ["tier"]


def test_strange_ids_are_ids_and_no_two_are_one(values: Any) -> None:
    values.write_values([FeatureValue(id_, id_, number, NOON, NOON) for number, id_ in enumerate(STRANGE, 1)])

    assert [values.read_value(id_, id_, at=NOON).value for id_ in STRANGE] == list(range(1, len(STRANGE) + 1))
    assert values.read_value("u", "u", at=NOON) is None
    assert values.list_names() == sorted(STRANGE)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: ascii(value)[:20])
def test_json_values_come_back_as_they_are(values: Any, value: Any) -> None:
    values.write_values([a_value(value)])
    found = read(values, 0)

    assert (found, type(found)) == (value, type(value))


def test_nan_comes_back_as_a_float(values: Any) -> None:
    values.write_values([a_value({"scores": (math.nan, -0.0)})])
    [nan, zero] = read(values, 0)["scores"]

    assert math.isnan(nan)
    assert math.copysign(1, zero) == -1


def test_values_are_nobody_elses(values: Any) -> None:
    given = {"tags": ["a"]}
    values.write_values([a_value(given)])
    given["tags"].append("b")
    read(values, 0)["tags"].append("c")
    values.list_values("tier", "u1")[0].value["tags"].append("d")

    assert read(values, 0) == {"tags": ["a"]}


def cyclic() -> list[Any]:
    ring: list[Any] = []
    ring.append(ring)
    return ring


@pytest.mark.parametrize(
    "value", [{1}, {1: 2}, [object()], b"x", NOON, cyclic(), 1j], ids=lambda value: type(value).__name__
)
def test_what_is_no_json_is_kept_in_memory_and_refused_by_sqlite(value: Any, tmp_path: Path) -> None:
    with InMemoryFeatures() as memory:
        memory.write_values([a_value(value)])
        assert read(memory, 0) is value
    with SqliteFeatures(tmp_path / "features.sqlite") as stored:
        with pytest.raises(InputError, match=r"value of feature 'tier' of 'u1'"):
            stored.write_values([a_value("fine"), a_value(value)])
        assert stored.list_values("tier", "u1") == []  # all or none


def test_a_number_that_no_text_can_hold_is_refused(tmp_path: Path) -> None:
    with (
        SqliteFeatures(tmp_path / "features.sqlite") as stored,
        pytest.raises(InputError, match=r"tier.* must be JSON"),
    ):
        stored.write_values([a_value(10**5_000)])


@pytest.mark.parametrize(("value", "message"), [({"a": [1, {2}]}, r"value\['a'\]\[1\] must be JSON, got \{2\}")])
def test_the_part_that_is_no_json_is_named(value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        copy_json("value", value)


seconds = st.integers(0, 4)
written = st.lists(st.tuples(seconds, seconds), max_size=8)


@given(written, seconds, st.none() | seconds, seconds)
def test_both_stores_read_and_prune_as_the_plain_reading(
    pairs: list[tuple[int, int]], at: int, known: int | None, before: int
) -> None:
    history = [a_value(number, event, known_at) for number, (event, known_at) in enumerate(pairs)]
    moment, known_by = NOON + SECOND * at, None if known is None else NOON + SECOND * known
    kept = []
    with tempfile.TemporaryDirectory() as folder, SqliteFeatures(f"{folder}/f") as file, InMemoryFeatures() as memory:
        for values in (file, memory):
            values.write_values(history)
            assert values.read_value("tier", "u1", at=moment, known_by=known_by) == naive_features.held(
                history, moment, known_by
            )
            pruned = values.prune_values(NOON + SECOND * before)
            kept.append(values.list_values("tier", "u1"))
            assert len(kept[-1]) + pruned == len(history)
            for later in range(before, 5):
                then = NOON + SECOND * later
                for known_then in (None, then):
                    expected = naive_features.held(history, then, known_then)
                    assert values.read_value("tier", "u1", at=then, known_by=known_then) == expected
    assert kept[0] == kept[1]


def test_pruning_leaves_only_what_can_still_be_read(values: Any) -> None:
    values.write_values([a_value(number, number) for number in range(5)] + [a_value("other", 0, entity="u2")])

    assert values.prune_values(NOON + SECOND * 3) == 3
    assert [held.value for held in values.list_values("tier", "u1")] == [3, 4]
    assert values.prune_values(NOON + SECOND * 3) == 0
    assert [held.value for held in values.list_values("tier", "u2")] == ["other"]


def test_the_first_and_the_last_moment_are_moments(values: Any) -> None:
    first, last = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    values.write_values([FeatureValue("tier", "u1", when.year, when, when) for when in (last, first)])

    assert values.read_value("tier", "u1", at=NOON).value == 1
    assert values.read_value("tier", "u1", at=last, known_by=last).value == 9999
    assert values.prune_values(last) == 1


def refusal(call: Any, *arguments: Any, **options: Any) -> StoreError:
    with pytest.raises(StoreError) as caught:
        call(*arguments, **options)
    return caught.value


def test_a_locked_a_read_only_and_a_corrupted_store_say_so(tmp_path: Path) -> None:
    path = tmp_path / "features.sqlite"
    with SqliteFeatures(path, timeout_s=0.01) as stored, closing(sqlite3.connect(path)) as other:
        stored.write_values([a_value("gold")])
        other.execute("BEGIN IMMEDIATE")
        assert refusal(stored.write_values, [a_value("silver")]).kind == "locked"
        assert read(stored, 0) == "gold"
    with SqliteFeatures(path, read_only=True) as stored:
        assert refusal(stored.write_values, [a_value("silver")]).kind == "read-only"
        assert refusal(stored.prune_values, NOON).kind == "read-only"
        assert read(stored, 0) == "gold"
    path.write_text("no database at all" * 100)
    assert refusal(SqliteFeatures, path).kind == "corrupted"


@pytest.mark.parametrize(
    "change", ["value = '{'", f"value = '{'[' * 100_000}'", "value = X'00'", "event_time = 'x'", "written_at = ''"]
)
def test_a_row_that_cannot_be_read_says_so(change: str, tmp_path: Path) -> None:
    path = tmp_path / "features.sqlite"
    with SqliteFeatures(path) as stored:
        stored.write_values([a_value("gold")])
    with closing(sqlite3.connect(path)) as other:
        other.execute(f"UPDATE feature_values SET {change}")  # noqa: S608 - ours
        other.commit()
    with SqliteFeatures(path) as stored:
        error = refusal(stored.list_values, "tier", "u1")

        assert error.kind == "corrupted"
        assert str(error).startswith(f"store {path} is corrupted: a value of 'tier' of 'u1'")


def test_a_store_of_cards_is_no_store_of_features(tmp_path: Path) -> None:
    from brimful.stores.sqlite_cards import SqliteAdapter  # noqa: PLC0415 - only here

    SqliteAdapter(tmp_path / "cards.sqlite").close()

    assert "was made by another program" in str(refusal(SqliteFeatures, tmp_path / "cards.sqlite"))


def test_the_file_holds_plain_json(tmp_path: Path) -> None:
    path = tmp_path / "features.sqlite"
    with SqliteFeatures(path) as stored:
        stored.write_values([a_value({"a": ["é", math.nan]})])
    with closing(sqlite3.connect(path)) as other:
        [(text,)] = other.execute("SELECT value FROM feature_values")

    assert text == '{"a":["\\u00e9",NaN]}'
    assert json.loads(text)["a"][0] == "é"
