"""The memory builder with parts that fail or give what cannot be used."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.memory import (
    Card,
    ContextBuilder,
    HybridRetriever,
    InMemoryAdapter,
)
from brimful.errors import EmbeddingError, RetrievalError, StoreError
from memory_parts import TURNS, Failing, Given, Two, build, fates, text_of

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("retriever", "error", "message"),
    [
        (Failing(), RetrievalError, "retriever failed: ZeroDivisionError"),
        (Given("text"), RetrievalError, "retriever must give cards, got 'text' at 0"),
        (Given({"text": "a", "importance": 3}), RetrievalError, "at 0: importance must be between 0 and 1, got 3"),
        (type("R", (), {"search": lambda *_, **__: None})(), RetrievalError, "retriever must give cards in an order"),
    ],
)
def test_a_retriever_that_fails(retriever: Any, error: type[Exception], message: str) -> None:
    builder = ContextBuilder(retriever, InMemoryAdapter())
    with pytest.raises(error, match=message):
        builder.build("q")
    context = replace(builder, on_error="degrade").build("q", TURNS, "P")

    assert context == [{"role": "system", "content": "P"}, *TURNS]
    assert len(context.notes) == 1


def break_off(*given: Any) -> Any:
    """Give what is given one by one, and fail then."""
    yield from given
    raise ZeroDivisionError


class Adapter:
    """An adapter of somebody: methods that give what they were made with."""

    def __init__(self, **given: Callable[[], Any]) -> None:
        for name, give in given.items():
            setattr(self, name, lambda *_, give=give, **__: give())


def near() -> Any:
    return [("near", 0.3)]


@pytest.mark.parametrize(
    ("given_parts", "message"),
    [
        ({"list_cards": lambda: break_off(Card("a"))}, "store failed: ZeroDivisionError"),
        ({"list_cards": lambda: 5}, "list_cards must give cards in an order, got 5"),
        ({"list_cards": lambda: [{"text": 3}]}, "list_cards must give cards, got {'text': 3} at 0: text must be"),
        ({"list_clusters": lambda: [7]}, "list_clusters must give clusters, got 7 at 0"),
        ({"list_clusters": break_off}, "store failed: ZeroDivisionError"),
        ({"vector_search": lambda: 7, "read_card": lambda: None}, "vector_search must give matches in an order, got 7"),
        ({"vector_search": break_off, "read_card": lambda: None}, "store failed: ZeroDivisionError"),
        ({"vector_search": near, "read_cards": lambda: [Card("a", id="far")]}, "read_cards gave 'far', which it was"),
        ({"vector_search": near, "read_cards": lambda: [5]}, "read_cards must give cards, got 5 at 0"),
    ],
)
def test_an_adapter_of_others_that_gives_what_cannot_be_used(given_parts: dict[str, Any], message: str) -> None:
    adapter = Adapter(**given_parts)
    with pytest.raises(StoreError) as caught:
        build(store=adapter, embedder=Two())
    assert message in str(caught.value)

    noted = build(Card("there"), store=adapter, embedder=Two(), on_error="degrade")
    assert text_of(noted) == "YOU REMEMBER:\n- there"
    assert [message in note for note in noted.notes] == [True, False]


def test_what_an_adapter_does_not_have_is_left_out() -> None:
    context = build(Card("a", id="a"), store=Adapter(vector_search=near), embedder=Two())

    assert text_of(context) == "YOU REMEMBER:\n- a"
    assert (context.accessed, context.access_error) == ((), None)
    assert context.notes == ("access was not recorded: the adapter writes no cards",)


def test_mappings_of_an_adapter_are_read_as_cards_and_clusters() -> None:
    adapter = Adapter(
        list_cards=lambda: [{"text": "Never on Fridays.", "type": "constraint"}],
        list_clusters=lambda: [{"summary": "How we deploy.", "card_ids": ["near"]}],
        vector_search=near,
        read_cards=lambda: [{"text": "Near.", "id": "near"}],
    )
    shown = text_of(build(store=adapter, embedder=Two()))
    assert [line for line in shown.split("\n") if line[:1] == "-"] == [
        "- Never on Fridays.",
        "- How we deploy.",
        "- Near.",
    ]


def test_a_retriever_that_breaks_off() -> None:
    class Breaking:
        def search(self, _query: str, *, top_k: int) -> Any:
            return break_off(*[Card("a")] * top_k)

    with pytest.raises(RetrievalError, match="retriever failed: ZeroDivisionError"):
        ContextBuilder(Breaking(), InMemoryAdapter()).build("q")
    context = ContextBuilder(Breaking(), InMemoryAdapter(), on_error="degrade").build("q")
    assert (list(context), len(context.notes)) == ([], 1)


def test_a_retriever_that_raises_stop_iteration_does_not_hang() -> None:
    class Stopping:
        def search(self, _query: str, *, top_k: int) -> Any:
            return next(iter([None][top_k:]))

    builder = ContextBuilder(Stopping(), InMemoryAdapter())

    async def wait() -> None:
        await asyncio.wait_for(builder.abuild("q"), 30)

    for call in (lambda: builder.build("q"), lambda: asyncio.run(wait())):
        with pytest.raises(RetrievalError, match="search raised StopIteration"):
            call()


def test_the_cause_is_chained() -> None:
    with pytest.raises(RetrievalError) as caught:
        ContextBuilder(Failing(), InMemoryAdapter()).build("q")

    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_more_than_was_asked_for_is_left_out_and_told_of() -> None:
    context = build(*(Card(f"Fact {id_}.", id=id_) for id_ in "abc"), retrieval_top_k=2)

    assert fates(context) == [("a", "fits"), ("b", "fits"), ("c", "over_limit")]
    assert context.notes[0] == "retriever gave 3 cards, asked for 2"


def answer(value: Any) -> Any:
    return type("E", (), {"embed": lambda *_: value})()


@pytest.mark.parametrize(
    ("embedder", "message"),
    [
        (Failing(), "embedder failed: ZeroDivisionError"),
        (answer(None), "embedder gave what cannot be used, None"),
        (answer([[1.0], [2.0]]), "embedder must give one row a text, 1, got 2"),
        (answer([[float("nan"), 1.0]]), "must be finite, got nan"),
        (answer([[1.0, 0.0, 0.0]]), "embedding must have 2 components as those of the store have, got 3"),
    ],
)
def test_an_embedder_that_fails(embedder: Any, message: str) -> None:
    store = InMemoryAdapter()
    store.write_card(Card("We deploy.", id="a", embedding=[1, 0]))
    words = ContextBuilder(HybridRetriever(store), store, embedder=embedder)
    both = ContextBuilder(HybridRetriever(store, embedder), store)
    lenient = ContextBuilder(HybridRetriever(store, embedder, on_error="degrade"), store)

    for builder in (words, both):
        with pytest.raises(EmbeddingError, match=message):
            builder.build("deploy")
    for builder in (replace(words, on_error="degrade"), lenient):
        context = builder.build("deploy")
        assert text_of(context) == "YOU REMEMBER:\n- We deploy."
        assert len(context.notes) == 1


def test_a_store_that_cannot_be_read() -> None:
    builder = ContextBuilder(Given(Card("A fact.")), Failing())
    with pytest.raises(StoreError, match="store failed: ZeroDivisionError"):
        builder.build("q")
    context = replace(builder, on_error="degrade").build("q", read_only=True)

    assert text_of(context) == "YOU REMEMBER:\n- A fact."
    assert context.notes == ("store failed: ZeroDivisionError: ",) * 2
