"""What seed 001 says of `ContextManager`, statement by statement; the recorded cases are beside."""

from __future__ import annotations

import inspect
from dataclasses import fields
from itertools import pairwise

import pytest

from brimful.builders.documents import ContextManager, ContextResult, Document, Message, PromptRequest


def words(prefix: str, count: int) -> str:
    return " ".join(f"{prefix}{number}" for number in range(count))


def build(documents: list[Document], budget: int = 3000, **options: object) -> ContextResult:
    request = PromptRequest("q", documents, max_context_tokens=budget)
    return ContextManager(**options).build(request)  # type: ignore[arg-type]


def sources(result: ContextResult) -> list[str]:
    return [document.source for document in result.included_docs]


# Constructor and types


def test_the_constructor_has_the_documented_parameters_in_order() -> None:
    parameters = [*inspect.signature(ContextManager).parameters.values()]

    assert [(one.name, one.default) for one in parameters[:5]] == [
        ("dedup_threshold", 0.85),
        ("min_doc_tokens", 5),
        ("use_lost_in_middle", True),
        ("summarize_overflow", False),
        ("max_memory_messages", 10),
    ]
    assert all(one.kind is one.KEYWORD_ONLY for one in parameters[5:])


def test_context_result_has_the_documented_fields_in_order() -> None:
    names = [field.name for field in fields(ContextResult) if not field.kw_only]

    assert names == [
        *("context_block", "included_docs", "excluded_docs", "citation_map"),
        *("tokens_used", "tokens_budget", "duplicates_removed", "truncated"),
    ]


def test_additions_are_outside_of_equality_and_repr() -> None:
    plain = ContextResult("", [], [], {}, 0, 0, 0, truncated=False)
    more = ContextResult("", [], [], {}, 0, 0, 0, truncated=False, duplicate_sources={1: ["a"]})

    assert plain == more
    assert repr(plain) == repr(more)
    assert repr(plain).startswith("documents.ContextResult(context_block='', included_docs=[], ")


def test_types_are_mutable_and_compare_by_value() -> None:
    document = Document("a", "s", 0.5, {"k": 1}, "c", "fr")
    document.metadata["k"] = 2
    document.score = 0.7

    assert document == Document("a", source="s", score=0.7, metadata={"k": 2}, chunk_id="c", language="fr")
    assert repr(Message("user", "hi")) == "documents.Message(role='user', content='hi')"
    assert PromptRequest("q").documents is not PromptRequest("q").documents
    assert PromptRequest("q").max_context_tokens == 3000


def test_a_repr_of_what_holds_itself_ends() -> None:
    document = Document("a")
    document.metadata["self"] = document

    assert repr(document).count("...") == 1


# build(), step by step


def test_documents_below_min_doc_tokens_are_dropped() -> None:
    result = build([Document("one two three", score=0.9), Document("one two three four", score=0.8)])

    assert [document.content for document in result.included_docs] == ["one two three four"]
    assert result.excluded_docs == []
    assert result.duplicates_removed == 0


def test_documents_are_sorted_by_score_descending_and_ties_keep_their_order() -> None:
    scores = (0.2, 0.9, 0.5)
    given = [Document(words(source, 6), source, score) for source, score in zip("abc", scores, strict=True)]

    assert sources(build(given)) == ["b", "c", "a"]
    assert sources(build([Document(words(source, 6), source, 0.5) for source in "abc"])) == ["a", "b", "c"]


def test_exact_duplicates_are_equal_but_for_case_and_white_space() -> None:
    result = build([Document("A  b C d e", "worse", 0.8), Document("a b\tc D e", "better", 0.9)])

    assert sources(result) == ["better"]
    assert result.duplicates_removed == 1


def test_near_duplicates_share_five_word_shingles_up_to_the_threshold() -> None:
    first, second = words("w", 24), f"{words('w', 21)} x y z"  # 17 of 23 shingles

    assert build([Document(first), Document(second)], dedup_threshold=17 / 23).duplicates_removed == 1
    assert build([Document(first), Document(second)], dedup_threshold=18 / 23).duplicates_removed == 0


def test_documents_are_compared_with_kept_ones_only() -> None:
    chain = [Document(" ".join(f"w{number}" for number in range(start, start + 24))) for start in (0, 2, 4)]

    assert build(chain[:2], dedup_threshold=0.8).duplicates_removed == 1
    assert build(chain[1:], dedup_threshold=0.8).duplicates_removed == 1
    assert build(chain, dedup_threshold=0.8).included_docs == [chain[0], chain[2]]


@pytest.mark.parametrize(
    ("count", "order"), [(3, "abc"), (4, "acdb"), (5, "acedb"), (6, "acefdb"), (7, "acegfdb")], ids=str
)
def test_the_most_relevant_documents_are_placed_at_both_ends(count: int, order: str) -> None:
    given = [Document(words(source, 6), source, 0.9 - at / 10) for at, source in enumerate("abcdefg"[:count])]

    assert sources(build(given)) == [*order]
    assert sources(build(given, use_lost_in_middle=False)) == [*"abcdefg"[:count]]


def test_documents_are_included_in_order_until_the_budget_is_exceeded() -> None:
    given = [Document(words(source, 10), source, 0.9) for source in "abc"]

    assert sources(build(given, 26)) == ["a", "b"]
    assert sources(build(given, 25)) == ["a"]
    assert sources(build(given, 12)) == []


def test_the_first_document_that_does_not_fit_is_cut_where_more_than_50_tokens_are_left() -> None:
    [document] = given = [Document(words("w", 100), "s", 0.5, {"k": 1})]
    result = build(given, 51)

    assert result.included_docs == [Document(f"{words('w', 39)} [...]", "s", 0.5, {"k": 1, "truncated": True})]
    assert result.excluded_docs == [document]
    assert result.truncated
    assert document.metadata == {"k": 1}
    assert build(given, 50).included_docs == []
    assert not build(given, 50).truncated


def test_what_follows_a_cut_document_is_excluded_outright() -> None:
    given = [Document(words(source, 100), source, 0.9) for source in "ab"] + [Document(words("c", 5), "c", 0.9)]
    result = build(given, 200)

    assert sources(result) == ["a", "b"]
    assert result.excluded_docs == given[1:]


def test_a_smaller_document_is_included_after_one_that_was_excluded_without_a_cut() -> None:
    given = [Document(words("a", 100), "a", 0.9), Document(words("b", 10), "b", 0.8)]

    assert sources(build(given, 40)) == ["b"]


def test_a_cut_document_keeps_chunk_id_and_language() -> None:  # D5
    result = build([Document(words("w", 100), chunk_id="c", language="fr")], 60)

    assert (result.included_docs[0].chunk_id, result.included_docs[0].language) == ("c", "fr")


def test_the_header_names_the_source_and_a_score_below_1() -> None:
    given = [Document("one two three four", "wiki", 0.876), Document("five six seven eight", score=1.0)]
    result = build(given, use_lost_in_middle=False)

    assert result.context_block == (
        "--- Source [1] ---\nfive six seven eight\n\n--- Source [2] wiki (relevance: 0.88) ---\none two three four"
    )
    assert result.citation_map == {1: "doc_1", 2: "wiki"}


def test_tokens_used_counts_the_headers() -> None:
    result = build([Document(words("w", 10), "s", 0.5)], 13)

    assert result.tokens_used == int(len(result.context_block.split()) * 1.3) == 22
    assert result.tokens_budget == 13


def test_utilization_pct_is_rounded_and_never_divides_by_zero() -> None:
    results = [ContextResult("", [], [], {}, used, of, 0, truncated=False) for used, of in ((1, 3), (5, 0), (0, 0))]

    assert [result.utilization_pct for result in results] == [33.3, 500.0, 0.0]


def test_no_documents_give_an_empty_block() -> None:
    result = build([])

    assert (result.context_block, result.citation_map, result.tokens_used) == ("", {}, 0)
    assert (result.included_docs, result.excluded_docs, result.truncated) == ([], [], False)


def test_summarize_overflow_is_off_and_cuts_instead() -> None:
    given = [Document(f"{words('w', 60)}. Short one.", score=0.9)]

    assert build(given, 60).context_block.endswith(" [...]")


# The tail of a conversation


CHAT = [Message("user" if number % 2 == 0 else "assistant", f"m{number}") for number in range(30)]


def test_format_memory_shows_twice_max_turns_messages() -> None:
    assert ContextManager(max_memory_messages=5).format_memory(CHAT).splitlines() == [
        f"{'User' if number % 2 == 0 else 'Assistant'}: m{number}" for number in range(20, 30)
    ]
    assert ContextManager().format_memory(CHAT, max_turns=1) == "User: m28\nAssistant: m29"


def test_format_memory_of_nothing_is_empty() -> None:
    assert ContextManager().format_memory([]) == ""


def test_format_memory_calls_every_role_but_user_the_assistant() -> None:
    given = [Message("system", "be kind"), Message("user", " hi "), Message("User", "again")]

    assert ContextManager().format_memory(given) == "Assistant: be kind\nUser: hi\nAssistant: again"


# The examples of the document


def test_the_examples_of_the_document() -> None:
    cm = ContextManager()
    req = PromptRequest(query="q", documents=[Document(content="Paris is the capital of France.", score=0.9)])
    result = cm.build(req)
    assert result.context_block == "--- Source [1] (relevance: 0.90) ---\nParis is the capital of France."
    assert not result.truncated
    assert result.utilization_pct == 0.5

    strict = ContextManager(dedup_threshold=0.6, min_doc_tokens=10)
    assert strict.build(req).context_block == ""

    req = PromptRequest(query="q", documents=[])
    assert cm.build(req).context_block == ""

    request = PromptRequest("q", memory=CHAT)
    assert len(cm.format_memory(request.memory, max_turns=8).splitlines()) == 16


def test_final_sigma_counts_as_sigma() -> None:  # D24
    for threshold in (0.85, 2.0):
        result = build([Document("ΟΔΟΣ οδος a b c"), Document("οδοσ ΟΔΟΣ a b c")], dedup_threshold=threshold)
        assert result.duplicates_removed == 1


def test_a_threshold_above_1_or_nan_leaves_exact_duplicates_only() -> None:
    given = [Document(text) for text in ("a b c d", "A b  c D", " a b c d", "a b c d\n", "a b c d a b c d a b c d")]
    for threshold in (1.1, float("inf"), float("nan")):
        kept = build(given, dedup_threshold=threshold).included_docs
        assert sorted(given.index(document) for document in kept) == [0, 2, 3, 4]


def test_the_seed_orders_documents_by_where_attention_is_best() -> None:
    given = [Document(words(f"d{rank}x", 6), str(rank), 0.99 - rank / 100) for rank in range(40)]
    ranks = [int(source) for source in sources(build(given, 10**6))]

    assert all(one < other for one, other in pairwise(ranks[:20]))
    assert all(one > other for one, other in pairwise(ranks[20:]))
