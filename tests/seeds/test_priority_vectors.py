"""Seed 003: the 90 recorded calls of `@context`, all of them; a deviation asserts our value and has its number."""

from __future__ import annotations

import hashlib
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.priority import (
    Context,
    ContextItem,
    FeatureLineage,
    FeatureStore,
    FreshnessSLAError,
    context,
)
from brimful.builders.priority.tracking import current_tracker
from brimful.errors import ConfigError, InputError
from brimful.stages.counters import ExactCounter
from seeds.recorded import load

if TYPE_CHECKING:
    from collections.abc import Iterable

CASES = {name: case for name, case in load("fabra_context").items() if case["method"] == "@context"}
NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)

COUNTERS: dict[str, Any] = {
    "chars": len,
    "words": lambda text: len(text.split()),
    "len4": lambda text: len(text) // 4,
    "tiktoken_o200k_base": ExactCounter("o200k_base"),
    "tiktoken_cl100k_base": ExactCounter("cl100k_base"),
}

# What is ours: usage is that of the final text, newlines included, also where it decides what is dropped (D11); the
# model chooses the encoding, and `<|endoftext|>` is text like any other (D12); a time that nobody knows is a violation
# (D16). `dropped` are source id, priority and tokens.
OURS: dict[str, dict[str, Any]] = {
    "under_budget": {"usage": 7},  # D11
    "exact_budget": {"usage": 5, "content": "aaaaa", "dropped": [("item_1", 1, 5)]},  # D11
    "drop_order_by_priority": {
        "usage": 4,
        "content": "aaaa",
        "dropped": [("item_3", 3, 4), ("item_2", 2, 4), ("item_1", 1, 4)],
    },  # D11
    "drop_order_list_shuffled": {
        "usage": 4,
        "content": "aaaa",
        "dropped": [("d", 3, 4), ("c", 2, 4), ("b", 1, 4)],
    },  # D11
    "tie_drops_later_first": {"usage": 4, "content": "aaaa", "dropped": [("c", 1, 4), ("b", 1, 4)]},  # D11
    "required_overflow": {"usage": 13},  # D11
    "required_overflow_drops_all_optional": {"usage": 13},  # D11
    "doc_example_500_of_1000": {"usage": 500},  # D11, and what the document says
    "duplicate_items_kept": {"usage": 14},  # D11
    "empty_item": {"usage": 2},  # D11
    "newlines_inside": {"usage": 8},  # D11
    "crlf": {"usage": 5},  # D11
    "len4_floor_loss": {"usage": 1, "content": "abc\ndef", "dropped": [("item_2", 2, 0)], "exceeded": False},  # D11
    "words_glue": {"usage": 2, "content": "one two", "dropped": [("item_1", 1, 2)]},  # D11
    "words_total_goes_below_true": {
        "usage": 4,
        "content": "a b\nc d",
        "dropped": [("item_3", 3, 2), ("item_2", 2, 2)],
    },  # D11
    "tiktoken_o200k_base_basic": {"usage": 107},  # D11
    "tiktoken_cl100k_base_basic": {"usage": 107},  # D11
    "tiktoken_o200k_base_exact": {"usage": 1, "content": "hello", "dropped": [("item_1", 1, 1)]},  # D11
    "tiktoken_cl100k_base_exact": {"usage": 1, "content": "hello", "dropped": [("item_1", 1, 1)]},  # D11
    "single_optional_over": {"usage": 0, "dropped": [("s", 2, 11)], "exceeded": False},  # D11
    "single_optional_over_unnamed": {"usage": 0, "dropped": [("result", 0, 11)], "exceeded": False},  # D11
    "tiktoken_o200k_base_special_token_text": {"usage": 9, "exceeded": False},  # D12
    "tiktoken_cl100k_base_special_token_text": {"usage": 8, "exceeded": False},  # D12
    "default_counter_is_o200k": {"usage": 87},  # D12
    "model_param_does_not_change_counter": {"usage": 87},  # D12
    "fresh_no_timestamp": {"violations": [{"feature": "tier", "age_ms": None, "sla_ms": 1}]},  # D16
}
# Python's repr of anything is no prompt (D14).
REFUSED = {
    "raw_none": "result must be .* got None",
    "raw_dict": "result must be .* got {'a': 1",
    "raw_int": "result must be .* got 5",
    "raw_list_of_str": r"result\[0\] must be a ContextItem, got 'a'",
    "mixed_list_falls_to_repr": r"result\[1\] must be a ContextItem, got 'y'",
}
FAILING = {name for name, case in CASES.items() if "expected_error" in case}
BUILT = sorted(CASES.keys() - REFUSED.keys() - FAILING)


def make_item(fields: dict[str, Any]) -> ContextItem:
    options = dict(fields)
    age = options.pop("age_s", None)
    moment = None if age is None else NOW - timedelta(seconds=age)
    return ContextItem(**options, last_updated=moment)


def make_result(returns: dict[str, Any]) -> Any:
    if "items" in returns:
        return [make_item(fields) for fields in returns["items"]]
    if "single_item" in returns:
        return make_item(returns["single_item"])
    if "mixed" in returns:
        return [make_item(part) if isinstance(part, dict) else part for part in returns["mixed"]]
    return returns["raw"]


def read_features(case: dict[str, Any]) -> None:
    tracker = current_tracker()
    assert tracker is not None
    for name, entity, value, age in case["features"]:
        moment = None if age is None else NOW - timedelta(milliseconds=age)
        tracker.record_feature(FeatureLineage(name, entity, value, moment, age, "cache"))


def call(case: dict[str, Any]) -> Context:
    options = dict(case["decorator"])
    staleness = options.pop("max_staleness_s")
    counter = options.pop("token_counter", None)

    @context(
        FeatureStore(clock=lambda: NOW),
        name="ctx",
        max_staleness=None if staleness is None else timedelta(seconds=staleness),
        token_counter=None if counter is None else COUNTERS[counter],
        **options,
    )
    def ctx() -> object:
        read_features(case)
        return make_result(case["returns"])

    return ctx()


def expect(name: str) -> dict[str, Any]:
    """What was recorded, with our values in place of those that deviate, wherever they follow."""
    expected: dict[str, Any] = deepcopy(CASES[name]["expected"])
    ours = OURS.get(name, {})
    meta, lineage, record = expected["meta"], expected["lineage"], expected["record_assembly"]
    if "usage" in ours:
        meta["token_usage"] = lineage["token_usage"] = record["tokens_used"] = ours["usage"]
        meta["cost_usd"] = lineage["estimated_cost_usd"] = round(ours["usage"] * 5 / 1e6, 6)
    if "content" in ours:
        expected["content"] = ours["content"]
        expected["content_hash"] = f"sha256:{hashlib.sha256(ours['content'].encode()).hexdigest()}"
    if "dropped" in ours:
        dropped = [
            {"source_id": source, "priority": priority, "token_count": tokens, "reason": "budget_exceeded"}
            for source, priority, tokens in ours["dropped"]
        ]
        expected["dropped"] = record["dropped_items"] = dropped
        meta["dropped_items"] = lineage["items_dropped"] = len(dropped)
        lineage["items_included"] = record["items_included"] = lineage["items_provided"] - len(dropped)
    if "exceeded" in ours:
        meta["budget_exceeded"], record["required_items_included"] = ours["exceeded"], not ours["exceeded"]
    if "violations" in ours:
        names = [violation["feature"] for violation in ours["violations"]]
        meta["freshness_violations"], meta["stale_sources"] = ours["violations"], names
        record["freshness_violations"], expected["is_fresh"] = names, False
        lineage["features"] = [[*feature, "cache"] for feature in CASES[name]["features"]]
        meta["freshness_status"] = lineage["freshness_status"] = record["freshness_status"] = "degraded"
    lineage["freshness_violations"] = meta["freshness_violations"]  # D27: the original's lineage never has them
    return expected


def pick(values: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: values[name] for name in names}


def test_the_cases_are_all_here() -> None:
    assert len(CASES) == 90
    assert OURS.keys() | REFUSED.keys() | FAILING <= CASES.keys()
    assert len(BUILT) == 90 - 5 - 2


@pytest.mark.parametrize("name", BUILT)
def test_a_case(name: str) -> None:
    expected = expect(name)

    made = call(CASES[name])

    assert (made.content, made.is_fresh, made.version) == itemgetter("content", "is_fresh", "version")(expected)
    assert made.id.startswith(expected["id_prefix"])
    assert pick(made.meta, expected["meta"]) == expected["meta"]
    assert made.meta["content_hash"] == expected["content_hash"]


@pytest.mark.parametrize("name", BUILT)
def test_the_lineage_of_a_case(name: str) -> None:
    expected = expect(name)
    lineage = call(CASES[name]).lineage
    assert lineage is not None

    assert [vars(item) for item in lineage.dropped_items_detail] == expected["dropped"]
    recorded = dict(expected["lineage"])
    features = recorded.pop("features")
    found = vars(lineage) | {"freshness_violations": list(lineage.freshness_violations)}
    assert pick(found, recorded) == recorded
    assert [
        [read.feature_name, read.entity_id, read.value, read.freshness_ms, read.source]
        for read in lineage.features_used
    ] == features


@pytest.mark.parametrize("name", BUILT)
def test_the_record_of_a_case(name: str) -> None:
    expected = expect(name)

    record = call(CASES[name]).to_record()

    assert pick(record.assembly.to_dict(), expected["record_assembly"]) == expected["record_assembly"]
    assert record.integrity.content_hash == expected["content_hash"]


@pytest.mark.parametrize("name", [name for name in BUILT if CASES[name]["decorator"].get("token_counter")])
def test_d11_usage_is_the_count_of_the_final_text(name: str) -> None:
    counter = COUNTERS[CASES[name]["decorator"]["token_counter"]]

    made = call(CASES[name])

    tokens = counter(made.content) if callable(counter) else counter.count([made.content])[0]
    assert made.meta["token_usage"] == tokens


@pytest.mark.parametrize("name", OURS)
def test_what_deviates_is_not_what_was_recorded(name: str) -> None:
    recorded, made = CASES[name]["expected"], call(CASES[name])

    assert pick(made.meta, recorded["meta"]) != recorded["meta"]


@pytest.mark.parametrize("name", REFUSED)
def test_d14_what_is_no_item_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=REFUSED[name]):
        call(CASES[name])


def test_a_strict_limit_raises_with_the_violations() -> None:
    recorded = CASES["fresh_strict_raises"]["expected_error"]

    with pytest.raises(FreshnessSLAError) as caught:
        call(CASES["fresh_strict_raises"])

    assert str(caught.value) == recorded["message"]
    assert caught.value.violations == recorded["violations"]


def test_a_limit_that_is_no_duration_is_refused_when_it_is_written() -> None:
    with pytest.raises(ConfigError, match=r"freshness_sla must be a duration .* got '5 minutes'"):
        context(freshness_sla=CASES["fresh_sla_bad"]["decorator"]["freshness_sla"])
