"""The promises of the flagship, for any documents and any budget."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brimful import (
    ContextBuilder,
    Document,
    NearDuplicateOptions,
    from_callable,
)
from brimful.builders.flagship.assembly import Assembly, escape_sources, filter_unfit, score
from brimful.builders.flagship.filling import Window
from brimful.builders.flagship.front_door import open_request
from brimful.kernels import active
from brimful.render.escape import unescape
from brimful.render.prompt import render_prompt
from brimful.stages.counting import EstimateCounter
from brimful.stages.ordering import arrange
from strategies import sentences

if TYPE_CHECKING:
    from brimful import Context

documents = st.lists(
    st.builds(
        Document,
        st.one_of(sentences(), st.text(max_size=60)),
        source=st.one_of(st.none(), st.sampled_from(["a.txt", "b.txt", "c\nd"])),
        score=st.one_of(st.none(), st.sampled_from([0.0, 0.5, 1.0])),
    ),
    max_size=8,
)


def count_words(text: str) -> int:
    return len(text.split())


def count_with_ends(text: str) -> int:
    """As tokenizers do that put a token before and behind each text."""
    return len(text) // 3 + 2


counting = st.sampled_from(
    [
        {},
        {},
        {"model": "gpt-4o"},
        {"model": "gpt-4"},
        {"model": "claude-sonnet-4-5"},
        {"token_counter": EstimateCounter("script")},
        {"token_counter": from_callable(count_words)},
        {"token_counter": from_callable(count_with_ends, approximate=True)},
    ]
)
builders = st.builds(
    lambda max_tokens, counting, **options: ContextBuilder(max_tokens, **counting, **options),
    st.integers(10, 150),
    counting,
    min_score=st.sampled_from([None, 0.5]),
    min_tokens=st.sampled_from([0, 1, 4]),
    near_duplicates=st.sampled_from([None, NearDuplicateOptions(), ContextBuilder(1).near_duplicates]),
    mmr_lambda=st.sampled_from([0.3, 0.9, 1.0]),
    order=st.sampled_from(["edges", "score", "input"]),
)


def build_all(context: Context, given_documents: list[Document]) -> list[Document]:
    """The documents that a context shows, read back from its text."""
    assert all(0 <= citation.start <= citation.end <= len(context.text) for citation in context.citations)
    return [
        replace(given_documents[citation.items[0]], text=unescape(context.text[citation.start : citation.end]))
        for citation in context.citations
    ]


def assert_nothing_more_fits(
    builder: ContextBuilder, documents: list[Document], context: Context, query: str | None = None
) -> None:
    fitting = {decision.item for decision in context.trace if decision.fate == "included"}
    unbounded = replace(builder, max_tokens=10_000, min_score=None, min_tokens=0, near_duplicates=None)
    for decision in context.trace:
        if decision.reason == "over_budget":
            more = [document for item, document in enumerate(documents) if item in {*fitting, decision.item}]
            assert unbounded.build(query=query, documents=more).tokens > builder.max_tokens


@given(builder=builders, documents=documents, query=st.one_of(st.none(), st.just("Why?")))
def test_the_budget_holds_for_the_text_as_it_is(
    builder: ContextBuilder, documents: list[Document], query: str | None
) -> None:
    context = builder.build(query=query, documents=documents)

    assert [context.tokens] == list(builder.counter.count([context.text]))
    assert context.tokens <= builder.max_tokens


@settings(max_examples=15)  # each example builds once a budget
@given(documents=documents, counting=counting)
def test_the_promises_hold_from_nothing_to_all(documents: list[Document], counting: dict[str, Any]) -> None:
    builder = ContextBuilder(10_000, **counting)

    nothing, everything = (builder.build(documents=given).tokens for given in ([], documents))
    for budget in range(nothing, everything + 2):
        bounded = replace(builder, max_tokens=budget)
        context = bounded.build(documents=documents)
        assert context.tokens <= budget
        assert_nothing_more_fits(bounded, documents, context)


@given(builder=builders, documents=documents)
def test_nothing_is_left_out_that_would_still_fit(builder: ContextBuilder, documents: list[Document]) -> None:
    assert_nothing_more_fits(builder, documents, builder.build(documents=documents))


@given(builder=builders, documents=documents)
def test_a_copy_is_left_out_only_for_a_document_that_is_shown(
    builder: ContextBuilder, documents: list[Document]
) -> None:
    fates = {decision.item: decision.fate for decision in builder.build(documents=documents).trace}

    for decision in builder.build(documents=documents).trace:
        assert (decision.reason == "near_duplicate") == (decision.duplicate_of is not None)
        if decision.duplicate_of is not None:
            assert fates[decision.duplicate_of] == "included"


def test_a_copy_takes_the_place_of_an_original_that_does_not_fit() -> None:
    words = [f"word{number}" for number in range(100)]
    original, copy = Document(" ".join(words), score=0.9), Document(" ".join(words[:60]), score=0.8)

    context = ContextBuilder(150).build(query="q", documents=[original, copy])

    assert [decision.reason for decision in context.trace] == ["over_budget", "fits"]


def test_a_copy_is_judged_again_when_its_original_had_no_room_left() -> None:
    words = [f"word{number}" for number in range(60)]
    first = Document(" ".join(f"other{number}" for number in range(40)), score=1.0)
    originals = [Document(" ".join(words), score=0.9), Document(" ".join([*words, "more"]), score=0.8)]
    copies = [Document(" ".join(words[:20]), score=0.5), Document(" ".join(words[:19]), score=0.4)]
    room_for_first_and_copy = ContextBuilder(10_000).build(documents=[first, copies[0]]).tokens

    context = ContextBuilder(room_for_first_and_copy).build(documents=[first, *originals, *copies])

    reasons = ["fits", "over_budget", "over_budget", "fits", "near_duplicate"]
    assert reasons == [decision.reason for decision in context.trace]
    assert context.trace[4].duplicate_of == 3
    assert context.tokens == room_for_first_and_copy


@pytest.mark.slow
@pytest.mark.timeout(120)  # quadratic time would take many minutes in the compiled core
@pytest.mark.parametrize("copies", [1, 2])
def test_many_short_documents_take_no_quadratic_time(copies: int) -> None:
    number_of_documents = 40_000 if active().name == "rust" else 5_000  # the twin counts slowly
    short = [f"w{number // copies}" for number in range(number_of_documents)]

    context = ContextBuilder(3 * number_of_documents).build(documents=short)

    assert 0 <= 3 * number_of_documents - context.tokens < 10


@given(builder=builders, documents=documents, query=st.one_of(st.none(), st.just("Why?")))
def test_prices_add_up_to_the_weight_of_the_rendering(
    builder: ContextBuilder, documents: list[Document], query: str | None
) -> None:
    state = Assembly(open_request(query, documents))
    for stage in (score, filter_unfit, escape_sources):
        state = stage(state, builder)
    window = Window.of(state, builder)
    account = window.open_account()
    places = range(len(state.line))
    shown = render_prompt([state.sources[item] for item in arrange(state.line, builder.order)], query)

    for place in places:
        room = account.room_for(place)
        account.take(place)

    assert [window.measure(places)] == builder.counter.count([shown.text])
    if places and window.scale.additive:
        weight = window.room + window.prices.question - room + window.prices.sources[-1]
        assert window.scale.weigh([shown.text]) == [weight]


@given(builder=builders, documents=documents)
def test_every_document_ends_in_the_trace_with_its_reason(builder: ContextBuilder, documents: list[Document]) -> None:
    context = builder.build(documents=documents)

    assert [decision.item for decision in context.trace] == list(range(len(documents)))
    assert all((decision.fate == "included") == (decision.citation is not None) for decision in context.trace)
    assert sorted(decision.citation for decision in context.trace if decision.citation is not None) == [
        citation.number for citation in context.citations
    ]
    assert all(row in context.explain() for row in ("item", context.summary()))


@given(builder=builders, documents=documents)
def test_the_documents_are_had_back_from_the_text(builder: ContextBuilder, documents: list[Document]) -> None:
    context = builder.build(documents=documents)

    assert [documents[citation.items[0]] for citation in context.citations] == build_all(context, documents)


@given(builder=builders, documents=documents)
def test_inputs_are_not_touched_and_results_repeat(builder: ContextBuilder, documents: list[Document]) -> None:
    before = copy.deepcopy(documents)

    assert builder.build(documents=documents) == builder.build(documents=iter(documents))
    assert before == documents


@given(
    texts=st.lists(st.sampled_from(["one", "two words", "four words are here", "x"]), max_size=8),
    room=st.integers(3, 60),
)
def test_a_counter_with_tokens_around_every_text_fills_to_the_brim(texts: list[str], room: int) -> None:
    counter = from_callable(lambda text: len(text.split()) + 2)
    given_documents = [Document(text) for text in texts]
    builder = ContextBuilder(room, token_counter=counter, near_duplicates=None)

    context = builder.build(documents=given_documents)

    assert context.tokens == counter.count([context.text])[0] <= room
    assert_nothing_more_fits(builder, given_documents, context)


@given(builder=builders, documents=documents, data=st.data())
def test_the_promises_hold_with_embeddings(
    builder: ContextBuilder, documents: list[Document], data: st.DataObject
) -> None:
    rows = [data.draw(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=3, max_size=3)) for _ in documents]

    context = builder.build(query="the", documents=documents, embeddings=rows, query_embedding=[1.0, 0.0, 0.5])

    assert [context.tokens] == list(builder.counter.count([context.text]))
    assert context.tokens <= builder.max_tokens
    assert len(context.trace) == len(documents)
    assert_nothing_more_fits(builder, documents, context, query="the")
