"""What seed 003 says of items and budgets, in its order; the examples are its own. The rest: `test_priority_data`."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from brimful.builders.priority import ContextItem, FeatureStore, context
from brimful.records import InMemoryRecords
from brimful.stages.counters import ExactCounter
from priority_parts import Clock, finish, lineage_of, of_items
from recorded_cases import run

SYSTEM_PROMPT = "You are a helpful assistant."


def text_of(tokens: int) -> str:
    """A text of so many tokens in both encodings."""
    text = " ".join(["word"] * tokens)
    assert [ExactCounter(name).count([text]) for name in ("cl100k_base", "o200k_base")] == [[tokens]] * 2
    return text


@pytest.fixture
def store(clock: Clock) -> FeatureStore:
    return FeatureStore(records=InMemoryRecords(), clock=clock)


# At a glance, and what it is


def test_context_composes_context_from_multiple_sources_under_a_budget(store: FeatureStore) -> None:
    @context(store, max_tokens=4000)
    async def chat_context(user_id: str, query: str) -> list[ContextItem]:
        docs = await search_docs(query)
        history = await get_history(user_id)

        return [
            ContextItem(content="You are a helpful assistant.", priority=0, required=True),
            ContextItem(content=str(docs), priority=1, required=True),
            ContextItem(content=history, priority=2),  # Truncated first
        ]

    async def search_docs(query: str) -> list[str]:
        return [f"All about {query}."]

    async def get_history(user_id: str) -> str:
        return f"{user_id} said hello. " * length

    for length, dropped in ((3, 0), (3000, 1)):
        ctx = finish(chat_context(f"user_{length}", "brims"))
        assert ctx.content.startswith("You are a helpful assistant.\n['All about brims.']")
        assert ctx.meta["dropped_items"] == dropped
        assert ctx.meta["token_usage"] <= 4000


def test_priority_0_is_the_highest_and_kept_first_3_and_more_the_lowest_and_dropped_first() -> None:
    items = [ContextItem(f"{number}", priority=number) for number in (3, 0, 7, 1, 2)]

    kept = [of_items(*items, max_tokens=budget, token_counter=len).content for budget in (9, 7, 5, 3, 1)]

    assert kept == ["3\n0\n7\n1\n2", "3\n0\n1\n2", "0\n1\n2", "0\n1", "0"]


def test_required_is_never_dropped_and_overflow_is_flagged_without_an_exception() -> None:
    ctx = of_items(
        ContextItem("a" * 9, required=True),
        ContextItem("b", required=True, priority=9),
        max_tokens=3,
        token_counter=len,
    )

    assert ctx.content == "aaaaaaaaa\nb"
    assert ctx.meta["budget_exceeded"] is True


# ContextItem


def test_the_fields_of_a_context_item() -> None:
    item = ContextItem(content="The actual text content", priority=1, required=False, source_id="docs:kb:v1")

    assert (item.content, item.priority, item.required, item.source_id) == (
        "The actual text content",
        1,
        False,
        "docs:kb:v1",
    )
    assert (ContextItem("text").required, ContextItem("text").source_id) == (False, None)


def test_source_id_is_an_identifier_for_caching_and_lineage(store: FeatureStore) -> None:
    runs: list[int] = []

    @context(store)
    def ctx() -> list[ContextItem]:
        runs.append(1)
        return [ContextItem("text", source_id="docs:kb:v1")]

    assert [lineage_of(ctx()).items[0].source_id for _ in range(2)] == ["docs:kb:v1"] * 2
    assert len(runs) == 1
    assert store.invalidate("docs:kb:v1") == 1
    ctx()
    assert len(runs) == 2


# Priority system


def test_d22_items_are_sorted_by_priority_to_decide_what_goes_and_in_the_text_where_asked() -> None:
    items = [ContextItem("late", priority=2), ContextItem("first", priority=0), ContextItem("then", priority=1)]

    assert of_items(*items).content == "late\nfirst\nthen"
    assert of_items(*items, order="priority").content == "first\nthen\nlate"


def test_when_over_budget_the_highest_numbered_items_go_first() -> None:
    items = [ContextItem("a", priority=2), ContextItem("b", priority=3), ContextItem("c", priority=3)]

    ctx = of_items(*items, max_tokens=1, token_counter=len)

    assert ctx.content == "a"
    assert [item.source_id for item in lineage_of(ctx).dropped_items_detail] == ["item_2", "item_1"]


# Required flag


def test_required_true_is_never_dropped() -> None:
    ctx = of_items(
        ContextItem("docs", priority=1, required=True), ContextItem("x", priority=0), max_tokens=4, token_counter=len
    )

    assert ctx.content == "docs"


def test_required_false_is_the_default_and_eligible_to_be_dropped() -> None:
    ctx = of_items(ContextItem("docs", priority=1), max_tokens=3, token_counter=len)

    assert (ctx.content, ctx.meta["budget_exceeded"]) == ("", False)


# Token counting


@pytest.mark.parametrize("model", ["gpt-4", "gpt-4-turbo", "gpt-3.5-turbo"])
def test_d12_these_models_are_counted_exactly_in_cl100k_base(model: str) -> None:
    text = "Une tasse de café crème, s'il vous plaît — 你好, мир!"

    ctx = of_items(ContextItem(text), max_tokens=4000, model=model)

    assert ctx.meta["token_usage"] == ExactCounter("cl100k_base").count([text])[0]
    assert ctx.meta["approximate"] is False


def test_d12_claude_3_is_an_approximation() -> None:
    ctx = of_items(ContextItem("A text for another model."), max_tokens=4000, model="claude-3")

    assert ctx.meta["approximate"] is True
    assert ctx.meta["token_usage"] >= 5


# Truncation strategies


def test_default_lower_priority_items_are_dropped_entirely(store: FeatureStore) -> None:
    short_text, medium_text, long_text = text_of(100), text_of(400), text_of(800)

    @context(store, max_tokens=1000)
    async def simple_context(query: str) -> list[ContextItem]:
        assert query
        return [
            ContextItem(content=short_text, priority=0),  # 100 tokens - kept
            ContextItem(content=medium_text, priority=1),  # 400 tokens - kept
            ContextItem(content=long_text, priority=2),  # 800 tokens - DROPPED
        ]

    ctx = finish(simple_context("query"))

    # Result: 500 tokens (short + medium), and the newline between them (D11)
    assert ctx.content == f"{short_text}\n{medium_text}"
    assert ctx.meta["token_usage"] == 501
    [dropped] = lineage_of(ctx).dropped_items_detail
    assert (dropped.source_id, dropped.priority, dropped.token_count, dropped.reason) == (
        "item_2",
        2,
        800,
        "budget_exceeded",
    )


@pytest.mark.parametrize(
    ("strategy", "content"),
    [
        (None, "system"),
        ("end", "system\none two three"),
        ("start", "system\nfive six seven"),
        ("middle", "system\none [...] seven"),
    ],
)
def test_partial_truncation_removes_text_from_the_end_the_start_or_the_middle(strategy: Any, content: str) -> None:
    words = ContextItem("one two three four five six seven", priority=2, truncate_strategy=strategy)

    ctx = of_items(ContextItem("system", required=True), words, max_tokens=22, token_counter=len)

    assert ctx.content == content
    fate = lineage_of(ctx).items[1].fate
    assert fate == ("dropped" if strategy is None else "truncated")


def test_priority_0_is_critical_and_never_truncated() -> None:
    item = ContextItem("one two three", priority=0, required=True, truncate_strategy="end")

    assert of_items(item, max_tokens=5, token_counter=len).content == "one two three"


# Dynamic budgets


def test_budgets_per_request_are_a_callable_of_the_arguments() -> None:
    @context(max_tokens=lambda tier: 4000 if tier == "gold" else 4, token_counter=len)
    def tiered(tier: str) -> list[ContextItem]:
        return [ContextItem(tier, required=True), ContextItem("history", priority=2)]

    assert (tiered("gold").content, tiered("tin").content) == ("gold\nhistory", "tin")


# Error handling


def test_optional_items_go_first_and_then_budget_exceeded_is_set(store: FeatureStore) -> None:
    @context(store, max_tokens=5, token_counter=len)
    async def chat_context(user_id: str, query: str) -> list[ContextItem]:
        return [ContextItem(user_id, required=True), ContextItem(query)]

    async def ask(user_id: str, query: str) -> bool:
        ctx = await chat_context(user_id, query)
        return bool(ctx.meta.get("budget_exceeded"))

    assert asyncio.run(ask("user", "query")) is False
    assert asyncio.run(ask("user_123", "query")) is True
    assert finish(chat_context("user_123", "query")).content == "user_123"


# Best practices, performance


def test_edge_cases_very_long_docs_and_empty_retrievals() -> None:
    docs: list[str] = []
    ctx = of_items(ContextItem(SYSTEM_PROMPT, required=True), ContextItem("".join(docs), priority=1), max_tokens=4000)
    assert (ctx.content, ctx.meta["dropped_items"]) == (f"{SYSTEM_PROMPT}\n", 0)

    ctx = of_items(
        ContextItem(SYSTEM_PROMPT, required=True), ContextItem("long " * 200_000, priority=1), max_tokens=4000
    )
    assert (ctx.content, ctx.meta["dropped_items"]) == (SYSTEM_PROMPT, 1)
    assert of_items(max_tokens=4000).content == ""


def test_very_large_contexts_need_no_filtering_before() -> None:
    ctx = of_items(*(ContextItem(f"Item {number}.", priority=number) for number in range(5000)), max_tokens=4000)

    kept = len(ctx.content.splitlines())
    assert ctx.content.splitlines() == [f"Item {number}." for number in range(kept)]
    counter = ExactCounter("cl100k_base")
    assert counter.count([ctx.content])[0] == ctx.meta["token_usage"] <= 4000
    assert counter.count([f"{ctx.content}\nItem {kept}."])[0] > 4000


def test_the_names_of_the_document_are_all_here() -> None:
    from brimful.builders import priority  # noqa: PLC0415 - what is looked at

    assert {"context", "Context", "ContextItem", "FreshnessSLAError"} <= set(dir(priority))
    for name in priority.__all__:
        assert getattr(priority, name) is not None
    assert priority.FreshnessSLAError is priority.FreshnessError
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = priority.nothing


def test_importing_the_names_loads_nothing_heavy() -> None:
    script = """
        import sys
        import brimful.builders.priority
        heavy = {"asyncio", "numpy", "sqlite3"}
        print(sorted(heavy & set(sys.modules)))
        from brimful.builders.priority import ContextItem, context
        context()(lambda: [ContextItem("text")])()
        print(sorted(heavy & set(sys.modules)))
    """

    assert run(script).splitlines() == ["[]", "['numpy']"]
