"""Differences of records and of texts."""

from __future__ import annotations

import json
import random
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.records import alignment, compare_content, content_hash, diff, explain, hide
from brimful.records.alignment import align
from brimful.records.text_difference import changed_lines, similarity
from record_parts import KEY, item, make_record

few = st.lists(st.sampled_from("abc"), max_size=30)
some_lines = st.lists(st.sampled_from(["a\n", "b\n", "\n", "--a\n", "++b\r\n", "ß"]), max_size=12).map("".join)


def longest_common(base: list[str], other: list[str]) -> int:
    """The length of a longest common subsequence, by the table."""
    row = [0] * (len(other) + 1)
    for ours in base:
        last = 0
        for place, theirs in enumerate(other, 1):
            last, row[place] = row[place], last + 1 if ours == theirs else max(row[place], row[place - 1])
    return row[-1]


def check_blocks(base: list[str], other: list[str]) -> int:
    blocks = align(base, other)
    for block in blocks:
        assert block.size > 0
        assert base[block.base : block.base + block.size] == other[block.other : block.other + block.size]
    for one, two in pairwise(blocks):
        assert one.base + one.size <= two.base
        assert one.other + one.size <= two.other
    return sum(block.size for block in blocks)


@given(few, few)
def test_blocks_are_equal_rise_and_are_no_more_than_can_be(base: list[str], other: list[str]) -> None:
    assert check_blocks(base, other) <= longest_common(base, other)


@given(st.lists(st.integers(0, 40).map(str), max_size=40), st.lists(st.integers(0, 40).map(str), max_size=40))
def test_large_windows_are_cut_and_matched_as_well(base: list[str], other: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "SMALL_CELLS", 4)
        assert check_blocks(base, other) <= longest_common(base, other)


@given(st.lists(st.integers(), unique=True, max_size=40).map(lambda given: list(map(str, given))), st.data())
def test_elements_that_are_there_once_are_matched_as_often_as_can_be(base: list[str], data: st.DataObject) -> None:
    other = data.draw(st.permutations(base))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "SMALL_CELLS", 0)
        found = check_blocks(base, other)

    assert found >= min(1, len(base))
    assert found <= longest_common(base, other)


def test_lines_that_repeat_are_matched_by_how_often_they_were_there() -> None:
    base, other = ["a", "b"] * 2_000, ["b", "a"] * 2_000

    assert check_blocks(base, other) >= 2_000
    assert check_blocks(base, ["c", *base[:1_000], "c", *base[1_000:]]) >= 3_000


def test_no_window_of_any_size_is_left_to_a_quadratic_step(monkeypatch: pytest.MonkeyPatch) -> None:
    cells: list[int] = []

    class Watched(SequenceMatcher[str]):
        def __init__(self, isjunk: None, a: Any, b: Any, autojunk: bool = True) -> None:  # noqa: FBT001, FBT002
            cells.append(len(a) * len(b))
            super().__init__(isjunk, a, b, autojunk)

    monkeypatch.setattr(alignment, "SequenceMatcher", Watched)
    generator = random.Random(8)
    for alphabet in (2, 50, 5_000, 10**9):
        base, other = ([str(generator.randrange(alphabet)) for _ in range(5_000)] for _ in range(2))
        check_blocks(base, other)
    assert max(cells) <= alignment.SMALL_CELLS
    assert sum(cells) <= 8 * 5_000 * 64


@given(some_lines, some_lines)
def test_line_counts_add_up(base: str, other: str) -> None:
    found = compare_content(base, other)
    growth = len(other.splitlines()) - len(base.splitlines())

    assert found.lines_added - found.lines_removed == growth
    assert (found.diff_summary == "No changes") == (base == other)
    assert min(found.lines_added, found.lines_removed) == 0
    lines = list(changed_lines(base, other))
    counts = [sum(line.startswith(sign) for line in lines) for sign in "+-"]
    if any(counts):
        assert counts == [found.lines_added + found.lines_changed, found.lines_removed + found.lines_changed]


@given(some_lines)
def test_lines_put_behind_a_text_are_added_and_nothing_else(base: str) -> None:
    behind = base if not base or base[-1] in "\r\n" else f"{base}\n"

    assert compare_content(base, f"{behind}new 1\nnew 2").diff_summary == "+2 lines"


@given(st.text(max_size=40), st.text(max_size=40))
def test_short_texts_are_as_alike_as_difflib_says(base: str, other: str) -> None:
    assert similarity(base, other) == SequenceMatcher(None, base, other, autojunk=False).ratio()


@given(st.text(min_size=1, max_size=9), st.text(max_size=300), st.text(max_size=300))
def test_similarity_is_a_share(word: str, base: str, other: str) -> None:
    base, other = word * 200 + base, word * 200 + other

    assert 0 <= similarity(base, other) <= 1
    assert similarity(base, base) == 1
    assert (similarity(base, other) == 1) == (base == other)


def test_similarity_of_long_texts_is_that_of_their_words() -> None:
    base = "".join(f"word{n} is here. " for n in range(400))

    assert similarity(base, base.replace("word200 ", "nothing ")) == pytest.approx(1 - 7 / len(base), abs=1e-3)
    assert similarity("a" * 300, "b" * 300) == 0
    assert similarity("東" * 300 + "京" * 300, "京" * 300 + "東" * 300) == 0.5


def test_a_final_line_break_alone_changes_the_last_line() -> None:
    assert compare_content("a\nb", "a\nb\n").diff_summary == "~1 lines modified"
    assert compare_content("", "\n").diff_summary == "+1 lines"


def test_records_that_say_the_same_have_no_changes() -> None:
    found = diff(make_record(), make_record())

    assert (found.has_changes, found.change_summary) == (False, "No changes detected")
    for changes in (found.input_diffs, found.feature_diffs, found.document_diffs, found.item_diffs):
        assert {change.change_type for change in changes} == {"unchanged"}
    assert json.loads(json.dumps(found.to_dict()))["has_changes"] is False


def passage(retriever: str, chunk_id: str, text: str, rank: int) -> dict[str, Any]:
    return {
        "retriever": retriever,
        "chunk_id": chunk_id,
        "document_id": "d",
        "content_hash": content_hash(text),
        "priority": rank,
        "similarity_score": 0.5,
    }


def test_documents_are_compared_by_retriever_and_id() -> None:
    base = make_record(retrieved_items=[passage("faq", "a", "x", 0), passage("faq", "b", "y", 1)])
    other = make_record(
        2,
        retrieved_items=[passage("faq", "b", "y", 0), passage("faq", "c", "z", 1), passage("web", "a", "x", 0)],
        lineage={"retrievers_used": ["faq", "web", "none"], "fabra_version": "x"},
    )
    found = diff(base, other)

    assert [(change.retriever, change.chunk_id, change.change_type) for change in found.document_diffs] == [
        ("faq", "a", "removed"),
        ("faq", "b", "unchanged"),
        ("faq", "c", "added"),
        ("web", "a", "added"),
    ]
    assert (found.document_diffs[1].old_rank, found.document_diffs[1].new_rank) == (1, 0)
    faq, none, web = found.retriever_diffs
    assert (faq.change_type, faq.chunks_added, faq.chunks_removed) == ("modified", ("c",), ("a",))
    assert (none.change_type, none.new_results_count) == ("added", 0)
    assert (web.change_type, web.old_results_count, web.new_results_count) == ("added", 0, 1)
    assert "2 retrievers added; 1 retrievers modified" in found.change_summary
    assert "documents: +2 -1 ~0" in found.change_summary


def test_a_passage_with_another_text_is_modified() -> None:
    base, other = (make_record(retrieved_items=[passage("faq", "a", text, 0)]) for text in "xy")

    assert diff(base, other).document_diffs[0].change_type == "modified"


def test_items_are_compared_by_source_and_by_place_where_they_share_one() -> None:
    base = make_record(items=[item("a", 1, "included", "fits", "x"), item("a", 1, "dropped", "full", "y")])
    other = make_record(items=[item("a", 1, "included", "fits", "z"), item(None, 1, "included", "fits", "y")])

    assert [
        (change.source_id, change.change_type, change.content_changed) for change in diff(base, other).item_diffs
    ] == [
        ("a", "modified", True),
        ("a", "removed", False),
        (None, "added", False),
    ]
    assert "items: +1 -1 ~1" in diff(base, other).change_summary


def test_values_are_equal_when_their_json_is() -> None:
    base, other = (
        make_record(inputs={"a": 1, "b": {"x": 1, "y": 2}}),
        make_record(inputs={"a": True, "b": {"y": 2, "x": 1}}),
    )

    assert [change.change_type for change in diff(base, other).input_diffs] == ["modified", "unchanged"]


def test_an_input_of_none_is_not_a_missing_one() -> None:
    found = diff(make_record(inputs={"a": None}), make_record(inputs={}))

    assert [change.change_type for change in found.input_diffs] == ["removed"]


def test_a_schema_without_items_has_none_to_compare() -> None:
    assert diff(make_record(items=None), make_record(items=None)).item_diffs == ()


def test_contents_that_are_hidden_are_compared_by_their_hashes() -> None:
    first, second = hide(make_record(1), KEY), hide(make_record(2), KEY)

    assert diff(first, first).change_summary == "No changes detected"
    assert diff(first, second).content_diff is None
    assert "content: differs, and is hidden" in diff(first, second).change_summary
    assert diff(make_record(1), hide(make_record(1))).content_diff == compare_content("", "")


def test_an_explanation_says_everything_that_was_decided() -> None:
    lines = explain(make_record()).lines()

    assert lines == (
        "ctx_1: chat, 2026-01-01T12:00:01Z",
        "8 of 10 tokens; 1 of 2 items shown",
        "freshness: guaranteed, no limit",
        "feature tier of u1: from cache, 250 ms old",
        "retriever faq: 1 passages",
        "item  source  priority  tokens  fate      reason",
        "0     tier    required  5       included  required",
        "1     -       3         5       dropped   x",
    )


def test_an_explanation_of_schema_1_0_0_says_what_was_dropped() -> None:
    found = explain(make_record(items=None))

    assert [row.source_id for row in found.items] == ["item_1"]
    assert found.lines()[-1] == "-     item_1  3         50      dropped  budget exceeded"
    assert json.loads(json.dumps(found.to_dict()))["items"][0]["fate"] == "dropped"


def test_an_explanation_says_what_was_too_much_too_old_and_hidden() -> None:
    assembly = {
        "max_tokens": 5,
        "tokens_used": 8,
        "freshness_status": "degraded",
        "freshness_sla_ms": 100,
        "freshness_violations": ["tier"],
    }
    found = explain(hide(make_record(assembly=assembly, items=[])))

    assert found.budget_exceeded
    assert found.lines()[:3] == (
        "ctx_1: chat, 2026-01-01T12:00:01Z; content and inputs are hidden",
        "8 of 5 tokens, 3 over; 0 of 0 items shown",
        "freshness: degraded, at most 100 ms; older or of unknown age: tier",
    )


def test_an_item_of_another_fate_is_modified_though_its_text_is_the_same() -> None:
    base = make_record(items=[item("docs", 1, "included", "fits", "text"), item(None, 2, "included", "fits", "y")])
    other = make_record(items=[item("docs", 1, "dropped", "budget", "text"), item(None, 2, "included", "fits", "y")])

    found = [(change.source_id, change.change_type, change.content_changed) for change in diff(base, other).item_diffs]

    assert found == [("docs", "modified", False), (None, "unchanged", False)]
