"""What seed 003 says of explanations, features and freshness; the examples are its own."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from brimful.builders.priority import ContextItem, FeatureStore, FreshnessSLAError, context, retriever
from brimful.records import InMemoryRecords, SqliteRecordStore, explain
from priority_parts import Clock, finish, lineage_of, of_items

if TYPE_CHECKING:
    from pathlib import Path

SYSTEM_PROMPT = "You are a helpful assistant."


@pytest.fixture
def store(clock: Clock) -> FeatureStore:
    return FeatureStore(records=InMemoryRecords(), clock=clock)


# Explainability


def test_assembly_can_be_explained_item_by_item(store: FeatureStore) -> None:
    @context(store, max_tokens=8, token_counter=len)
    def ctx() -> list[ContextItem]:
        return [ContextItem("kept", required=True), ContextItem("history", priority=2, source_id="history")]

    made = ctx()
    assert store.records is not None
    record = store.records.read(made.id)
    assert record is not None

    explanation = explain(record)

    assert [(item.source_id, item.fate, item.reason) for item in explanation.items] == [
        (None, "included", "required"),
        ("history", "dropped", "budget_exceeded"),
    ]
    assert any("4 of 8 tokens" in line for line in explanation.lines())


@pytest.mark.parametrize("verb", ["show", "explain"])
def test_context_show_and_explain_print_the_record(verb: str, tmp_path: Path) -> None:
    pytest.importorskip("typer", reason="the extra `cli` is not installed")
    path = tmp_path / "records.sqlite"
    with SqliteRecordStore(path) as records:
        ctx = of_items(ContextItem("kept", required=True), store=FeatureStore(records=records))
    command = [sys.executable, "-m", "brimful", "context", verb, ctx.id, "--store", str(path)]

    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=True)

    assert ctx.id in done.stdout


# Combining with features


def test_features_and_retrievers_are_mixed_in_one_context(store: FeatureStore) -> None:
    @retriever(store)
    async def search_docs(query: str) -> list[str]:
        return [f"All about {query}."]

    @context(store, max_tokens=4000)
    async def rich_context(user_id: str, query: str) -> list[ContextItem]:
        # Retriever results
        docs = await search_docs(query)

        # Feature values
        prefs = await store.get_feature("user_preferences", user_id)
        tier = await store.get_feature("user_tier", user_id)

        return [
            ContextItem(content=SYSTEM_PROMPT, priority=0, required=True),
            ContextItem(content=str(docs), priority=1, required=True),
            ContextItem(content=f"User tier: {tier}", priority=2),
            ContextItem(content=f"Preferences: {prefs}", priority=3),
        ]

    store.write_feature("user_preferences", "user_123", ["short answers"])
    store.write_feature("user_tier", "user_123", "gold")

    ctx = finish(rich_context("user_123", "brims"))

    assert ctx.content.splitlines() == [
        SYSTEM_PROMPT,
        "['All about brims.']",
        "User tier: gold",
        "Preferences: ['short answers']",
    ]
    lineage = lineage_of(ctx)
    assert [read.feature_name for read in lineage.features_used] == ["user_preferences", "user_tier"]
    assert [found.query for found in lineage.retrievers_used] == ["brims"]


# Freshness SLAs


@pytest.mark.parametrize(("age_s", "fresh"), [(10, True), (300, True), (301, False)])
def test_freshness_sla_ensures_data_age(store: FeatureStore, clock: Clock, age_s: int, *, fresh: bool) -> None:
    @context(store, max_tokens=4000, freshness_sla="5m")
    async def time_sensitive_context(user_id: str, query: str) -> list[ContextItem]:
        assert query
        tier = await store.get_feature("user_tier", user_id)  # Must be <5m old
        balance = await store.get_feature("account_balance", user_id)
        return [
            ContextItem(content=f"User tier: {tier}", priority=0),
            ContextItem(content=f"Balance: ${balance}", priority=1),
        ]

    store.write_feature("user_tier", "user_123", "gold", event_time=clock() - timedelta(seconds=age_s))
    store.write_feature("account_balance", "user_123", 3.5)

    ctx = finish(time_sensitive_context("user_123", "query"))

    # Check overall status
    assert ctx.content == "User tier: gold\nBalance: $3.5"
    assert ctx.is_fresh is fresh  # True if all features within SLA
    assert ctx.meta["freshness_status"] == ("guaranteed" if fresh else "degraded")
    # See violations
    lines = [
        f"{v['feature']} is {v['age_ms']}ms old (limit: {v['sla_ms']}ms)" for v in ctx.meta["freshness_violations"]
    ]
    assert lines == ([] if fresh else ["user_tier is 301000ms old (limit: 300000ms)"])


def test_strict_mode_fails_on_stale_data(store: FeatureStore, clock: Clock) -> None:
    @context(store, freshness_sla="30s", freshness_strict=True)
    async def critical_context() -> str:
        return str(await store.get_feature("user_tier", "user_123"))

    store.write_feature("user_tier", "user_123", "gold")
    assert finish(critical_context()).content == "gold"
    clock.move(31)

    with pytest.raises(FreshnessSLAError) as caught:  # Raises FreshnessSLAError if any feature exceeds SLA
        finish(critical_context())
    assert caught.value.violations == [{"feature": "user_tier", "age_ms": 31_000, "sla_ms": 30_000}]
