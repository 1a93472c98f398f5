"""The promises of the flagship, for any documents and any budget."""

from __future__ import annotations

import copy
import pickle
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brimful import (
    BudgetError,
    ContextBuilder,
    Document,
    InputError,
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
@pytest.mark.timeout(120)  # quadratic time would take an hour in the compiled core
@pytest.mark.parametrize("copies", [1, 2])
def test_many_short_documents_take_no_quadratic_time(copies: int) -> None:
    number_of_documents = 100_000 if active().name == "rust" else 10_000  # the twin counts slowly
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


def test_the_best_copy_stays_and_inherits_every_source() -> None:
    text = "To declare War, grant Letters of Marque and Reprisal"
    copies = [
        Document(text.upper(), source="web", score=0.2),
        Document(text, source="original", score=0.9),
        Document(text, source="mirror", score=0.9),
        Document(text, source="web", score=0.1),
    ]

    context = ContextBuilder(100).build(documents=copies)

    assert [(citation.items, citation.sources) for citation in context.citations] == [
        ((1, 0, 2, 3), ("original", "web", "mirror"))
    ]
    assert [decision.duplicate_of for decision in context.trace] == [1, None, 1, 1]


def test_texts_that_contradict_each_other_both_stay() -> None:
    told = [
        f"The term of the office of a Senator of the {name} is {years} Years."
        for name, years in [("States", 6), ("Union", 4)]
    ]

    assert len(ContextBuilder(200).build(documents=told).citations) == 2


def test_weak_short_and_empty_documents_say_why_they_went() -> None:
    given_documents = [Document("a long enough text", score=0.1), Document("a", score=0.9), Document("", score=0.9)]

    context = ContextBuilder(100, min_score=0.5, min_tokens=2).build(documents=given_documents)

    assert [decision.reason for decision in context.trace] == [
        "below_min_score",
        "below_min_tokens",
        "blank",
    ]


def test_documents_may_be_strings_and_mappings() -> None:
    context = ContextBuilder(100).build(
        documents=["plain", {"text": "mapped", "source": "m", "score": 1, "metadata": None}]
    )

    assert context.text == "# Sources\n\n[1] m\nmapped\n\n[2]\nplain"


def test_nothing_to_say_gives_an_empty_context() -> None:
    assert ContextBuilder(0).build().text == ""


def test_a_query_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(BudgetError, match="max_tokens is 3"):
        ContextBuilder(3).build(query="Who has the power to declare war?")


def test_lone_surrogates_are_repaired_and_the_repair_is_noted() -> None:
    context = ContextBuilder(100).build(query="\ud800", documents=["\ud83d\ude00 joined", "lone \ud800 one", "sound"])

    assert "😀 joined" in context.text
    assert "lone \ufffd one" in context.text
    assert [decision.repaired for decision in context.trace] == [True, True, False]
    assert context.query_repaired
    assert "lone surrogates in the query were replaced" in context.explain()
    assert "lone surrogates replaced" in context.explain()


# Every configuration field changes some output.
VARIANTS: dict[str, tuple[Any, Any]] = {
    "max_tokens": (10, 100),
    "model": ("gpt-4o", "claude-sonnet-4-5"),
    "token_counter": (None, from_callable(len)),
    "min_score": (None, 0.88),
    "min_tokens": (0, 3),
    "near_duplicates": (None, NearDuplicateOptions()),
    "order": ("score", "input"),
    "mmr_lambda": (0.1, 1.0),
}


@pytest.mark.parametrize("name", [field.name for field in fields(ContextBuilder)])
def test_every_option_changes_some_output(name: str) -> None:
    given_documents = [
        Document("one two three", score=0.85, source="a"),
        Document("one two three", score=0.9, source="b"),
        Document("x", score=0.2),
    ]
    room_for_two = ContextBuilder(100, near_duplicates=None).build(documents=given_documents[:2]).tokens
    room = room_for_two if name in {"mmr_lambda", "model", "token_counter"} else 100
    texts = set()
    for value in VARIANTS[name]:
        builder = replace(ContextBuilder(room, near_duplicates=None), **{name: value})
        texts.add(builder.build(documents=given_documents).text)

    assert len(texts) == 2


def test_documents_without_scores_are_ranked_by_their_words_and_embeddings() -> None:
    texts = ["a text about nothing", "who may declare war", "the power to tax"]
    builder = ContextBuilder(100, order="score", mmr_lambda=1.0)
    vectors = [[1.0, 0.0], [0.0, 1.0], [0.9, 0.1]]

    def first(**given: Any) -> int:
        return builder.build(documents=texts, **given).citations[0].items[0]

    assert first() == 0
    assert first(query="declare war") == 1
    assert first(embeddings=vectors, query_embedding=[0.9, 0.1]) == 2
    assert first(query="declare war", embeddings=vectors, query_embedding=[0.0, 1.0]) == 1


def test_scores_win_over_words_and_the_trace_says_what_counted() -> None:
    given_documents = [Document("declare war", score=0.1), Document("nothing", score=0.9), Document("unscored")]

    context = ContextBuilder(100, order="score").build(query="declare war", documents=given_documents)

    assert [citation.items[0] for citation in context.citations] == [1, 0, 2]
    assert [decision.relevance for decision in context.trace] == [0.1, 0.9, None]


def test_documents_unlike_each_other_are_chosen_when_there_is_no_room_for_all() -> None:
    given_documents = [
        Document("the army of the states", score=0.9),
        Document("the army of these states", score=0.89),
        Document("a navy", score=0.7),
    ]
    room = ContextBuilder(100).build(documents=given_documents[:2]).tokens

    chosen = {
        mmr_lambda: [
            decision.fate == "included"
            for decision in ContextBuilder(room, mmr_lambda=mmr_lambda).build(documents=given_documents).trace
        ]
        for mmr_lambda in (1.0, 0.3)
    }

    assert chosen == {1.0: [True, True, False], 0.3: [True, False, True]}


def test_documents_without_a_score_stand_behind_those_with_one() -> None:
    words = "the army of the states was raised"
    given_documents = [Document(words, score=0.95), Document(f"{words} again", score=0.94), Document("a navy")]
    room = ContextBuilder(200, near_duplicates=None).build(documents=given_documents[:2]).tokens

    context = ContextBuilder(room, near_duplicates=None).build(documents=given_documents)

    assert [decision.fate for decision in context.trace] == ["included", "included", "dropped"]


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


@pytest.mark.parametrize("max_tokens", [2**43, 2**44, 2**53])
def test_every_budget_that_may_be_given_can_be_filled(max_tokens: int) -> None:
    assert ContextBuilder(max_tokens).build(documents=["a b", "c d"]).tokens < 100


def test_no_documents_may_have_no_embeddings() -> None:
    assert ContextBuilder(100).build(documents=[], embeddings=[], query_embedding=[]).citations == ()


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


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"embeddings": [[1.0]]}, "embeddings must have one row a document, 2, got 1"),
        ({"embeddings": [[1.0], [float("nan")]]}, "embeddings[1][0] must be finite, got nan"),
        ({"query_embedding": [1.0]}, "query_embedding needs embeddings, one row a document"),
        (
            {"embeddings": [[1.0], [2.0]], "query_embedding": [1.0, 2.0]},
            "query_embedding must have 1 components as the candidates have, got shape (2,)",
        ),
    ],
)
def test_embeddings_that_cannot_be_used_are_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as refusal:
        ContextBuilder(100).build(documents=["a", "b"], **given)

    assert message == str(refusal.value)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_results_and_builders_pickle(protocol: int) -> None:
    builder = ContextBuilder(100)
    context = builder.build(query="q", documents=[Document("a text", source="s", metadata={"k": 1})])

    for value in (builder, context, context.trace[0], context.citations[0]):
        assert value == pickle.loads(pickle.dumps(value, protocol))  # noqa: S301 - our own bytes
