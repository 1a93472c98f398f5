"""The front door of the priority builder: what a context function may return, and what is refused (D14)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from typing import Any, cast

import numpy as np
import pytest

from brimful.builders.priority.front_door import read_items
from brimful.builders.priority.types import ContextItem
from brimful.errors import InputError


class Text(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "another"


class Item(ContextItem):
    """A subclass is an item."""


@pytest.mark.parametrize("kind", [list, tuple])
def test_a_list_or_a_tuple_of_items_is_read_by_column(kind: Any) -> None:
    given = read_items(kind([ContextItem("a", True, 3, "kb:1", truncate_strategy="middle"), Item("b")]))  # noqa: FBT003 - the order of the original

    assert (given.kind, given.contents, given.required, given.priorities) == (
        "items",
        ["a", "b"],
        [True, False],
        [3, 0],
    )
    assert (given.source_ids, given.cuts) == (["kb:1", None], ["middle", None])
    assert [given.name_of(0), given.name_of(1)] == ["kb:1", "item_1"]


def test_what_is_a_str_by_another_name_is_read_as_the_str_that_it_is() -> None:
    class Strategy(StrEnum):
        """As programs have it that name their choices."""

        LAST = "end"

    item = ContextItem(Text("a"), source_id=Text("kb:1"), truncate_strategy=cast("Any", Strategy.LAST))
    given = read_items([item])

    for [value], expected in ((given.contents, "a"), (given.source_ids, "kb:1"), (given.cuts, "end")):
        assert (value, type(value)) == (expected, str)


def test_one_item_and_a_text_are_called_result() -> None:
    item, text = read_items(ContextItem("a", priority=2)), read_items("b")

    assert (item.kind, item.contents, item.required, item.priorities) == ("item", ["a"], [False], [2])
    assert (text.kind, text.contents, text.required, text.priorities) == ("text", ["b"], [True], [0])
    assert item.name_of(0) == text.name_of(0) == "result"
    assert read_items(ContextItem("a", source_id="s")).name_of(0) == "s"


def test_nothing_in_a_list_is_nothing() -> None:
    assert read_items([]).contents == []


def test_an_empty_source_is_none() -> None:
    given = read_items([ContextItem("a", source_id="")])

    assert (given.source_ids, given.name_of(0)) == ([None], "item_0")


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("3", 3),
        (" -2 ", -2),
        ("+1", 1),
        (1.0, 1),
        (np.int64(4), 4),
        (np.float32(2), 2),
        (True, 1),
        (-5, -5),
        (2**70, 2**70),
    ],
)
def test_priorities_are_read_as_the_original_reads_them(value: Any, number: int) -> None:
    [priority] = read_items([ContextItem("a", priority=value)]).priorities

    assert (priority, type(priority)) == (number, int)


@pytest.mark.parametrize(("value", "flag"), [(1, True), (0.0, False), ("Yes", True), ("off", False), ("false", False)])
def test_flags_are_read_as_the_original_reads_them(value: Any, flag: bool) -> None:  # noqa: FBT001 - an expectation
    assert read_items([ContextItem("a", required=value)]).required == [flag]


def test_times_are_read_in_utc() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    times: list[Any] = [
        noon,
        noon.replace(tzinfo=None),
        noon.astimezone(timezone(timedelta(hours=5))),
        "2026-01-01T12:00:00Z",
        "2026-01-01T13:00:00+01:00",
    ]

    assert set(read_items([ContextItem("a", last_updated=time) for time in times]).last_updated) == {noon}
    assert read_items([ContextItem("a")]).last_updated == [None]


def test_texts_are_sound_and_nothing_but_texts() -> None:
    contents = read_items([ContextItem(Text("a")), ContextItem("b\ud800"), ContextItem("\ud83d\ude00")]).contents

    assert contents == ["a", "b\ufffd", "😀"]
    assert {type(content) for content in contents} == {str}


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "result must be a list or tuple of ContextItem, a ContextItem or a str, got None"),
        ({"a": 1}, "result must be a list or tuple of ContextItem, a ContextItem or a str, got {'a': 1}"),
        (5, "got 5"),
        ({ContextItem}, "result must be a list or tuple"),
        (b"text", "got b'text'"),
        (iter([ContextItem("a")]), "result must be a list or tuple"),
        (["a", "b"], r"result\[0\] must be a ContextItem, got 'a'"),
        ([ContextItem("x", priority=1), "y"], r"result\[1\] must be a ContextItem, got 'y'"),
        ((ContextItem("x"), [ContextItem("y")]), r"result\[1\] must be a ContextItem, got \["),
        ([ContextItem("x"), None], r"result\[1\] must be a ContextItem, got None"),
    ],
)
def test_anything_else_is_refused_by_its_place(returned: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_items(returned)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("content", None, "content must be a str, got None"),
        ("content", 3, "content must be a str, got 3"),
        ("content", b"a", "content must be a str, got b'a'"),
        ("priority", 1.5, "priority must be a whole number, got 1.5"),
        ("priority", "high", "priority must be a whole number, got 'high'"),
        ("priority", "-+3", "priority must be a whole number, got '-\\+3'"),
        ("priority", "", "priority must be a whole number, got ''"),
        ("priority", None, "priority must be a whole number, got None"),
        ("priority", float("nan"), "priority must be a whole number, got nan"),
        ("priority", float("inf"), "priority must be a whole number, got inf"),
        ("required", "maybe", "required must be True or False, got 'maybe'"),
        ("required", 2, "required must be True or False, got 2"),
        ("required", None, "required must be True or False, got None"),
        ("source_id", 7, "source_id must be a str or None, got 7"),
        ("last_updated", "yesterday", "last_updated must be a datetime or a text in ISO 8601, got 'yesterday'"),
        ("last_updated", 17, "last_updated must be a datetime or a text in ISO 8601, got 17"),
        (
            "truncate_strategy",
            "beginning",
            "truncate_strategy must be `end`, `start`, `middle` or None, got 'beginning'",
        ),
        ("truncate_strategy", ["end"], "truncate_strategy must be `end`, `start`, `middle` or None"),
    ],
)
def test_a_field_that_cannot_be_used_is_refused_by_its_place(field: str, value: Any, message: str) -> None:
    item = ContextItem("a")
    setattr(item, field, value)
    with pytest.raises(InputError, match=rf"^result\[1\]\.{message}"):
        read_items([ContextItem("b"), item])
    with pytest.raises(InputError, match=rf"^result\.{message}"):
        read_items(item)


def test_what_was_given_is_not_changed() -> None:
    item = ContextItem("a\ud800", priority="3", required="no")  # type: ignore[arg-type]
    read_items([item])

    assert item == ContextItem("a\ud800", priority="3", required="no")  # type: ignore[arg-type]


def test_a_number_of_too_many_digits_and_an_array_are_refused_by_their_place() -> None:
    with pytest.raises(InputError, match=r"^result\[0\]\.priority must be a whole number, got '999"):
        read_items([ContextItem("a", priority=cast("int", "9" * 5_000))])
    with pytest.raises(InputError, match=r"^result\[0\]\.truncate_strategy must be `end`, .* got array"):
        read_items([ContextItem("a", truncate_strategy=cast("Any", np.array(["end", "start"])))])
