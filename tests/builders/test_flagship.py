"""What the flagship makes of its options and inputs, case by case."""

from __future__ import annotations

import pickle
from dataclasses import fields, replace
from typing import Any

import pytest

from brimful import (
    BudgetError,
    ContextBuilder,
    Document,
    InputError,
    NearDuplicateOptions,
    from_callable,
)


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


@pytest.mark.parametrize("max_tokens", [2**43, 2**44, 2**53])
def test_every_budget_that_may_be_given_can_be_filled(max_tokens: int) -> None:
    assert ContextBuilder(max_tokens).build(documents=["a b", "c d"]).tokens < 100


def test_no_documents_may_have_no_embeddings() -> None:
    assert ContextBuilder(100).build(documents=[], embeddings=[], query_embedding=[]).citations == ()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"embeddings": [[1.0]]}, "embeddings must have one row a document, 2, got 1"),
        ({"embeddings": [[1.0], [float("nan")]]}, "embeddings[1][0] must be finite, got nan"),
        ({"query_embedding": [1.0]}, "query_embedding needs embeddings, one row a document"),
        (
            {"embeddings": [[1.0], [2.0]], "query_embedding": [1.0, 2.0]},
            "query_embedding must have 1 components as the embeddings have, got shape (2,)",
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
