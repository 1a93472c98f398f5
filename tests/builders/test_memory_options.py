"""The memory builder: arguments, options, waiting, and what it gives back."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brimful import (
    ConfigError,
    InputError,
    NearDuplicateOptions,
    from_callable,
)
from brimful.builders.memory import (
    Card,
    Cluster,
    ContextBuilder,
    ExposureTracker,
    HybridRetriever,
    InMemoryAdapter,
    MemoryWords,
)
from brimful.errors import EmbeddingError, RetrievalError
from memory_parts import NOON, TURNS, Failing, Given, Two, build, fates, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"query": None}, "query must be a str, got None"),
        ({"query": "q", "system_prompt": 3}, "system_prompt must be a str or None, got 3"),
        ({"query": "q", "recent_turns": "hi"}, "recent_turns must be messages in an order, got 'hi'"),
        ({"query": "q", "recent_turns": {"role": "user"}}, "recent_turns must be messages in an order"),
    ],
)
def test_arguments_that_cannot_be_used(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ContextBuilder(Failing(), InMemoryAdapter()).build(**arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"retriever": 3}, "retriever must have a method `search`, got 3"),
        ({"retriever": Given}, "retriever must have a method `search`"),
        ({"retriever": InMemoryAdapter()}, "retriever must have a method `search`"),
        ({"adapter": None}, "adapter must be a store of cards, got None"),
        ({"embedder": len}, "embedder must have a method `embed`"),
        ({"retrieval_top_k": -1}, "retrieval_top_k must be a whole number from 0"),
        ({"associative_memory": 1}, "associative_memory must be True or False, got 1"),
        ({"exploration_count": 1.5}, "exploration_count must be a whole number"),
        ({"exploration_band": 0.2}, r"exploration_band must be \(low, high\), got 0.2"),
        ({"exploration_band": (0.5, 0.2)}, r"exploration_band must be \(low, high\)"),
        ({"exploration_band": (0.5, "x")}, r"exploration_band\[1\] must be a finite number"),
        ({"exploration_pool": 0}, "exploration_pool must be a whole number from 1"),
        ({"exposure": None}, "exposure must be ExposureTracker, got None"),
        ({"exposure_threshold": float("nan")}, "exposure_threshold must be a finite number"),
        ({"cluster_limit": True}, "cluster_limit must be a whole number"),
        ({"duplicate_similarity": "x"}, "duplicate_similarity must be a finite number"),
        ({"near_duplicates": 0.5}, "near_duplicates must be NearDuplicateOptions or None"),
        ({"words": {}}, "words must be MemoryWords"),
        ({"max_tokens": -1}, "max_tokens must be a whole number from 0"),
        ({"model": ""}, "model must be the name of a model"),
        ({"token_counter": len}, "token_counter must have a method"),
        ({"model": "gpt-4", "token_counter": from_callable(len)}, "give one, got both"),
        ({"on_error": "ignore"}, "on_error must be one of `raise`, `degrade`"),
        ({"clock": NOON}, "clock must be callable"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ContextBuilder(**{"retriever": Given(), "adapter": InMemoryAdapter(), **options})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ExposureTracker(frequency_weight=-1), "frequency_weight must be a finite number at least 0"),
        (lambda: ExposureTracker(half_life_s=0), "half_life_s must be a finite number above 0, got 0"),
        (lambda: ExposureTracker().rank_by_exposure(), "without an adapter must be given cards"),
        (lambda: HybridRetriever(None, semantic_weight=2), "semantic_weight must be between 0 and 1, got 2"),
        (lambda: HybridRetriever(None, semantic_weight=0, keyword_weight=0), "must be above 0, got 0 for both"),
        (lambda: HybridRetriever(None, on_error="x"), "on_error must be one of"),  # type: ignore[arg-type]
    ],
)
def test_options_of_the_parts_that_cannot_be(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make()


def world() -> tuple[InMemoryAdapter, dict[str, Any]]:
    """A store in which every option changes something."""
    store = InMemoryAdapter()
    store.write_cards(
        [
            Card("Query words we deploy with.", id="found", embedding=[1.0, 0.0]),
            Card("Query words of another kind.", id="close", embedding=[0.8, 0.6]),
            Card("Something seen long ago.", id="far", embedding=[0.4, 0.9], created_at=NOON),
            Card("Something else from then.", id="further", embedding=[0.3, -0.9], created_at=NOON, access_count=1),
            Card("Something in between.", id="between", embedding=[-0.45, 0.9], created_at=NOON, access_count=2),
            Card("Never on Fridays.", id="rule", type="constraint"),
        ]
    )
    store.write_clusters([Cluster(id=n, summary=f"Cluster {n} of it.", card_ids=["found"]) for n in "abcd"])
    return store, {"retriever": HybridRetriever(store), "adapter": store, "embedder": Two(), "clock": lambda: NOON}


CHANGES: dict[str, Any] = {
    "retriever": Given(Card("Given.")),
    "adapter": InMemoryAdapter(),
    "retrieval_top_k": 1,
    "embedder": None,
    "associative_memory": True,
    "exploration_count": 1,
    "exploration_band": (-1.0, 0.35),
    "exploration_pool": 1,
    "exposure": ExposureTracker(recency_weight=3.0),
    "exposure_threshold": 0.5,
    "cluster_limit": 1,
    "duplicate_similarity": 0.7,
    "near_duplicates": NearDuplicateOptions(threshold=0.0),
    "words": MemoryWords(cards="MEMORY:"),
    "max_tokens": 40,
    "model": "gpt-4",
    "token_counter": from_callable(len),
    "on_error": "degrade",
    "clock": lambda: NOON.replace(year=2030),
}


@pytest.mark.parametrize("name", [field.name for field in fields(ContextBuilder)])
def test_every_option_changes_the_outcome(name: str) -> None:
    _, options = world()
    usual = ContextBuilder(**options)
    if name == "on_error":
        options["embedder"] = Failing()
        usual = replace(usual, embedder=Failing())
    if name == "clock":
        usual = replace(usual, exposure_threshold=0.1, embedder=Two())
    changed = replace(usual, **{name: CHANGES[name]})

    assert outcome(changed) != outcome(usual)


def outcome(builder: ContextBuilder) -> object:
    try:
        context = builder.build("query words", read_only=True)
    except EmbeddingError as error:
        return str(error)
    return list(context), context.trace


def test_abuild_gives_the_same_and_awaits_async_twins() -> None:
    store, options = world()

    class Awaited(HybridRetriever):
        async def asearch(self, query: str, *, top_k: int = 15) -> list[Card]:
            await asyncio.sleep(0)
            return self.search(query, top_k=top_k)

    class AwaitedTwo:
        async def aembed(self, texts: Sequence[str]) -> list[list[float]]:
            return Two().embed(texts)

    plain = ContextBuilder(**options)
    awaited = replace(plain, retriever=Awaited(store), embedder=AwaitedTwo())  # type: ignore[arg-type]
    expected = plain.build("query words", TURNS, "P", read_only=True)
    for builder in (plain, awaited):
        found = asyncio.run(builder.abuild("query words", TURNS, "P", read_only=True))
        assert (found, fates(found)) == (expected, fates(expected))

    class Coroutine:
        async def search(self, _query: str, *, top_k: int) -> list[Card]:
            return [Card(f"{top_k} cards.")]

    assert "15 cards." in text_of(asyncio.run(replace(plain, retriever=Coroutine()).abuild("q")))
    with pytest.raises(RetrievalError, match="ZeroDivisionError"):
        asyncio.run(replace(plain, retriever=Failing()).abuild("q"))


def test_a_query_is_embedded_once_for_the_search_and_for_exploration() -> None:
    store, _ = world()
    asked: list[list[str]] = []

    class Counting(Two):
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            asked.append(list(texts))
            return super().embed(texts)

    embedder = Counting()
    ContextBuilder(HybridRetriever(store, embedder), store, embedder=embedder).build("query words")

    assert asked == [["query words"]]


def test_the_retriever_searches_without_holding_up_the_loop() -> None:
    store, _ = world()
    retriever = HybridRetriever(store, Two())

    assert asyncio.run(retriever.asearch("query words", top_k=3)) == retriever.search("query words", top_k=3)


def test_an_adapter_that_only_lists_is_searched_as_ours_are() -> None:
    store, _ = world()

    class Lists:
        def list_cards(self) -> list[Card]:
            return store.list_cards()

        def read_card(self, id_: str) -> Card | None:
            return store.read_card(id_)

    ours, theirs = (HybridRetriever(adapter, Two()).hits("query words", top_k=4) for adapter in (store, Lists()))

    assert ours == theirs
    assert len(ours.cards) == 4


def test_the_log_has_counts_and_times(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="brimful.memory")
    ContextBuilder(Given(Card("A fact.")), InMemoryAdapter()).build("x" * 100)
    lines = [record.getMessage() for record in caplog.records if record.name == "brimful.memory"]

    assert lines[0] == f"build: query='{'x' * 61}'"
    assert [line.rpartition(": ")[0] for line in lines[1:-1]] == [
        *("retriever.search(top_k=15)", "exploration candidates", "clusters and constraints", "assemble"),
        "record access of 1 cards",
    ]
    assert all(line.endswith(" ms") for line in lines[1:-1])
    assert lines[-1] == "retrieved=1 exploration=0 clusters=0 constraints=0 shown=1 accessed=0 notes=1"


def test_a_context_is_a_list_that_can_be_pickled_and_explained() -> None:
    context = build(Card("A fact.", id="a"), Card("A fact.", id="a"))
    twin = pickle.loads(pickle.dumps(context))  # noqa: S301 - our own

    assert json.loads(json.dumps(context)) == context == twin
    assert (twin.trace, twin.used_cards, twin.notes) == (context.trace, context.used_cards, context.notes)
    assert context.explain().splitlines()[2].endswith("dropped   is the card of item 0")


@settings(max_examples=10)
@given(st.text())
def test_any_text_may_be_a_card(text: str) -> None:
    context = build(Card(text), max_tokens=10_000)

    assert [row.reason for row in context.trace] in (["fits"], ["blank"])
