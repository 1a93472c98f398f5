"""What `ContextManager` has beyond its original: each off by default, and without effect on what is not asked for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful import ExactCounter, InputError, count_tokens, from_callable
from brimful.builders.documents import ContextManager, ContextResult, Document, PromptRequest
from brimful.stages.counting import RuleCounter


def words(prefix: str, count: int) -> str:
    return " ".join(f"{prefix}{number}" for number in range(count))


def build(documents: list[Document], budget: int = 3000, query: str = "q", **options: Any) -> ContextResult:
    return ContextManager(**options).build(PromptRequest(query, documents, max_context_tokens=budget))


def sources(result: ContextResult) -> list[str]:
    return [document.source for document in result.included_docs]


some_documents = st.lists(
    st.builds(
        Document,
        st.tuples(st.sampled_from("abcdefgh"), st.integers(4, 90)).map(lambda pair: f"{words(*pair)}. Short {pair}."),
        st.sampled_from(["", "wiki", "a long name of a source"]),
        st.sampled_from([0.1, 0.5, 0.9, 1.0]),
    ),
    max_size=8,
)
counters = st.sampled_from([RuleCounter("words_times_1_3"), ExactCounter(), from_callable(len)])


# enforce_total


@given(
    documents=some_documents,
    budget=st.integers(0, 400),
    counter=counters,
    summarize=st.booleans(),
    first_served=st.booleans(),
)
def test_enforce_total_keeps_the_whole_block_within_the_budget(
    documents: list[Document], budget: int, counter: Any, *, summarize: bool, first_served: bool
) -> None:
    result = build(
        documents,
        budget,
        counter=counter,
        enforce_total=True,
        summarize_overflow=summarize,
        lost_in_middle_first_served=first_served,
    )

    assert result.tokens_used == counter.count([result.context_block])[0] <= budget
    assert result.utilization_pct <= 100


def test_enforce_total_charges_the_headers_of_what_follows_too() -> None:
    given_two = [Document(words(source, 10), source, 0.9) for source in "ab"]
    whole = build(given_two).tokens_used

    assert sources(build(given_two, whole, enforce_total=True)) == ["a", "b"]
    assert sources(build(given_two, whole - 1, enforce_total=True)) == ["a"]
    assert sources(build(given_two, 26)) == ["a", "b"]


def test_enforce_total_counts_the_marker_of_a_cut_document() -> None:
    result = build([Document(words("w", 100), "s", 0.5)], 75, enforce_total=True)

    assert result.truncated
    assert result.tokens_used == 75  # 58 words: 7 in the header, 50 of the document, and the marker
    assert len(result.included_docs[0].content.split()) == 51


# counter


def test_a_counter_counts_in_place_of_words() -> None:
    documents = [Document("Water is wet, they say.", "a", 0.9), Document("Fire is hot, they say.", "b", 0.8)]
    result = build(documents, 12, counter=ExactCounter())

    assert sources(result) == ["a"]
    assert result.tokens_used == count_tokens(result.context_block)
    assert build([Document("日本語のテキストは空白がない")], counter=ExactCounter()).included_docs
    assert not build([Document("日本語のテキストは空白がない")]).included_docs


def test_a_counter_cuts_to_the_longest_beginning_of_whole_words_with_the_marker() -> None:
    document = Document(words("w", 100), "s", 0.5)
    counter = ExactCounter()
    [cut] = build([document], 100, counter=counter).included_docs
    kept = len(cut.content.split()) - 1
    longer = f"{' '.join(document.content.split()[: kept + 1])} [...]"

    assert counter.count([cut.content])[0] <= 100 < counter.count([longer])[0]


def test_a_counter_that_fails_is_named() -> None:
    with pytest.raises(InputError, match=r"token counter .* must give whole numbers of at least 0, got -1"):
        build([Document("a b c d")], counter=from_callable(lambda _: -1))


# lost_in_middle_first_served


def test_first_served_are_the_most_relevant_and_the_order_for_reading_comes_after() -> None:
    documents = [Document(words(source, 10), source, 0.9 - at / 10) for at, source in enumerate("abcdef")]

    assert sources(build(documents, 52)) == ["a", "c", "e", "f"]
    assert sources(build(documents, 52, lost_in_middle_first_served=True)) == ["a", "c", "d", "b"]
    assert sources(build(documents, 39, lost_in_middle_first_served=True)) == ["a", "b", "c"]
    assert sources(build(documents, lost_in_middle_first_served=True)) == sources(build(documents))


# duplicate_sources


def test_duplicate_sources_lead_from_numbers_to_the_sources_of_dropped_duplicates() -> None:
    texts = (words("a", 6), words("b", 6), words("a", 6).upper(), f" {words('a', 6)}", words("b", 6))
    documents = [
        Document(text, source, score)
        for text, source, score in zip(texts, ("s0", "s1", "s2", "s2", ""), (0.5, 0.9, 0.4, 0.3, 0.2), strict=True)
    ]
    result = build(documents)

    assert result.citation_map == {1: "s1", 2: "s0"}
    assert result.duplicate_sources == {2: ["s2"]}
    assert result.duplicates_removed == 3
    assert build(documents, 0).duplicate_sources == {}


def test_a_source_that_is_no_text_is_printed() -> None:
    parts: Any = ["a", 1]
    result = build([Document(words("a", 6), parts, 0.9), Document(words("a", 6), parts, 0.8)], trace=True)

    assert result.context_block.startswith("--- Source [1] ['a', 1] (relevance: 0.90) ---")
    assert result.duplicate_sources == {1: ["['a', 1]"]}
    assert result.trace[0].label == "['a', 1]"


# Synopses, D7


LONG = f"{words('x', 30)}. Water is wet. {words('y', 30)}."


def test_a_document_that_does_not_fit_leaves_the_sentence_nearest_to_the_query() -> None:
    documents = [Document(words("a", 40), "a", 0.9), Document(LONG, "b", 0.8, {"k": 1}, "c1", "fr")]
    result = build(documents, 60, "What is wet?", summarize_overflow=True)

    assert result.included_docs[0] is documents[0]
    assert result.included_docs[1] == Document("Water is wet.", "b", 0.8, {"k": 1, "summarized": True}, "c1", "fr")
    assert result.excluded_docs == documents[1:]
    assert result.truncated
    assert documents[1].metadata == {"k": 1}


def test_synopses_are_charged_and_documents_that_fit_come_first() -> None:
    long = [Document(f"{words(source, 50)}. Water is {source}.", source, 0.9) for source in "abc"]
    small = Document(words("s", 40), "small", 0.1)
    result = build([*long, small], 52 + 6, "water", summarize_overflow=True, use_lost_in_middle=False)

    assert sources(result) == ["a", "b", "small"]
    assert [document.content for document in result.included_docs][:2] == ["Water is a.", "Water is b."]


def test_a_summarizer_is_asked_with_content_and_query() -> None:
    asked: list[tuple[str, str]] = []

    def summarize(content: str, query: str) -> str:
        asked.append((content, query))
        return "In short."

    result = build([Document(LONG, "b", 0.8)], 10, "why", summarize_overflow=True, summarizer=summarize)

    assert asked == [(LONG, "why")]
    assert result.context_block == "--- Source [1] b (relevance: 0.80) ---\nIn short."


def test_a_synopsis_that_does_not_fit_leaves_the_document_to_be_cut() -> None:
    documents = [Document(words("w", 100), "s", 0.9)]

    assert build(documents, 60, summarize_overflow=True) == build(documents, 60)
    assert build(documents, 40, summarize_overflow=True).included_docs == []


def test_without_a_query_the_synopsis_is_the_first_sentence() -> None:
    [shown] = build([Document(f"First one. {LONG}")], 10, "", summarize_overflow=True).included_docs

    assert shown.content == "First one."


@pytest.mark.parametrize(
    ("summarizer", "message"),
    [
        (lambda _content, _query: None, "must give a str, got None for documents\\[0\\]"),
        (lambda content, _query: content.missing, "failed for documents\\[0\\]: AttributeError"),
    ],
)
def test_a_summarizer_that_fails_is_named_with_its_document(summarizer: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"summarizer .*{message}"):
        build([Document(LONG)], 10, summarize_overflow=True, summarizer=summarizer)


# trace


def test_the_trace_has_a_decision_for_each_document_in_the_order_given() -> None:
    documents = [
        Document("too short", "short", 0.95),
        Document(words("b", 6), "", 0.5),
        Document(words("a", 6), "a", 0.9),
        Document(words("a", 6), "again", 0.6),
        Document(words("c", 100), "c", 0.4),
        Document(words("d", 100), "d", 0.3),
    ]
    rows = [
        (row.item, row.label, row.fate, row.reason, row.tokens, row.citation, row.duplicate_of)
        for row in build(documents, 100, trace=True, use_lost_in_middle=False).trace
    ]

    assert rows == [
        (0, "short", "dropped", "below_min_tokens", 2, None, None),
        (1, "documents[1]", "included", "fits", 7, 2, None),
        (2, "a", "included", "fits", 7, 1, None),
        (3, "again", "dropped", "near_duplicate", 7, None, 2),
        (4, "c", "truncated", "over_budget", 130, 3, None),
        (5, "d", "dropped", "over_budget", 130, None, None),
    ]
    assert build(documents).trace == ()
    summarised = build([Document(LONG)], 10, "wet", summarize_overflow=True, trace=True)
    assert summarised.trace[0].fate == "summarised"


@given(documents=some_documents, budget=st.integers(-5, 300), counter=counters)
def test_every_document_is_shown_excluded_short_or_a_duplicate(
    documents: list[Document], budget: int, counter: Any
) -> None:
    result = build(documents, budget, counter=counter, trace=True)
    fates = [row.fate for row in result.trace]
    dropped = [row.reason for row in result.trace if row.fate == "dropped"]

    assert len(fates) == len(documents)
    assert fates.count("included") + fates.count("truncated") == len(result.included_docs)
    assert dropped.count("near_duplicate") == result.duplicates_removed
    assert dropped.count("over_budget") + fates.count("truncated") == len(result.excluded_docs)
