"""What seed 000 says of `ContextBuilder`, statement by statement; the recorded cases are beside."""

from __future__ import annotations

import inspect
from dataclasses import fields
from typing import Any

import pytest

from brimful.builders.sections import BuiltContext, ContextBuilder, Document, MemoryEntry, MemoryType


def words(prefix: str, count: int) -> str:
    return " ".join(f"{prefix}{number}" for number in range(count))


def memory(content: object) -> MemoryEntry:
    return MemoryEntry(content=content, timestamp=0.0, memory_type=MemoryType.SEMANTIC)


def section(name: str, **given: Any) -> str:
    return ContextBuilder().build(**given).sections[name]


# Document


@pytest.mark.parametrize(("count", "tokens"), [(0, 1), (3, 1), (4, 1), (8, 2), (11, 2), (12, 3)])
def test_token_estimate_is_a_quarter_of_the_words_and_at_least_1(count: int, tokens: int) -> None:
    assert Document(words("w", count)).token_estimate() == tokens


def test_token_estimate_is_not_called_by_build() -> None:
    class Silent(Document):
        def token_estimate(self) -> int:
            raise AssertionError

    assert ContextBuilder().build(documents=[Silent("a b c")]).document_count == 1


def test_document_is_a_plain_dataclass() -> None:
    document = Document("a", {"source": "s"}, "id")
    document.metadata["source"] = "t"

    assert document == Document(page_content="a", metadata={"source": "t"}, doc_id="id")
    assert repr(Document("a")) == "sections.Document(page_content='a', metadata={}, doc_id=None)"


# BuiltContext


def test_built_context_has_the_documented_fields_in_order_and_defaults() -> None:
    plain = BuiltContext("text", 3, {})

    assert [field.name for field in fields(BuiltContext) if not field.kw_only] == [
        *("full_text", "token_estimate", "sections", "truncated", "document_count", "memory_count")
    ]
    assert (plain.truncated, plain.document_count, plain.memory_count) == (False, 0, 0)
    assert plain == BuiltContext("text", 3, {}, truncated_sections=("history",), warnings=("w",))
    assert repr(plain) == (
        "sections.BuiltContext(full_text='text', token_estimate=3, sections={}, truncated=False, document_count=0, "
        "memory_count=0)"
    )


def test_sections_lead_from_names_to_texts_with_headers() -> None:
    built = ContextBuilder().build(
        user_profile_text="Likes tea.",
        memories=[memory("x")],
        documents=[Document("a")],
        history=[{"input": "Hi", "output": "Hello"}],
    )

    assert built.sections == {
        "user_profile": "=== User Profile ===\nLikes tea.\n",
        "memories": "=== Relevant Memories ===\n[Memory 1] x\n",
        "documents": "=== Retrieved Documents ===\n[Doc 1]\na\n",
        "history": "=== Recent Conversation ===\nUser: Hi\nAssistant: Hello\n",
    }
    assert built.full_text == "\n".join(built.sections.values())


# Constructor


def test_the_constructor_has_the_documented_parameters() -> None:
    parameters = [*inspect.signature(ContextBuilder).parameters.values()]

    assert [(one.name, one.default) for one in parameters[:5]] == [
        ("total_token_budget", 4_000),
        ("profile_budget_fraction", 0.05),
        ("memory_budget_fraction", 0.30),
        ("document_budget_fraction", 0.45),
        ("history_budget_fraction", 0.20),
    ]
    assert all(one.kind is one.KEYWORD_ONLY for one in parameters[1:])


def test_fractions_need_not_add_up_to_1() -> None:
    fractions = dict.fromkeys((f"{part}_budget_fraction" for part in ("profile", "memory", "document", "history")), 0.5)
    builder = ContextBuilder(100, **fractions)  # type: ignore[arg-type]

    assert builder.budgets == {"user_profile": 50, "memories": 50, "documents": 50, "history": 50}
    assert builder.build().warnings == ("the fractions of the budget add up to 2, not to 1",)
    assert ContextBuilder().build().warnings == ()


def test_budgets_are_whole_parts_of_the_total() -> None:
    assert ContextBuilder(100, memory_budget_fraction=0.29).budgets["memories"] == 28  # 100 * 0.29 is below 29


def test_there_is_no_rebalancing_between_sections() -> None:
    built = ContextBuilder(100).build(user_profile_text=words("w", 24))

    assert built.truncated


# What is built


def test_sections_come_in_a_fixed_order_and_only_where_there_is_something() -> None:
    built = ContextBuilder().build(history=[{"input": "a"}], documents=[Document("b")], user_profile_text="c")

    assert [*built.sections] == ["user_profile", "documents", "history"]
    assert ContextBuilder().build(documents=[], memories=None, history=[], user_profile_text="").sections == {}


def test_documents_show_a_source_where_there_is_one() -> None:
    given = [Document("a", {"source": "wiki"}), Document("b"), Document("c", {"source": ""})]

    assert section("documents", documents=given) == (
        "=== Retrieved Documents ===\n[Doc 1 (source: wiki)]\na\n\n[Doc 2]\nb\n\n[Doc 3]\nc\n"
    )


def test_history_shows_only_what_is_truthy() -> None:
    given = [{"input": "a", "output": ""}, {"output": "b"}, {}]

    assert section("history", history=given) == "=== Recent Conversation ===\nUser: a\nAssistant: b\n"


def test_a_section_over_its_budget_is_cut_to_four_characters_a_token() -> None:
    text = words("w", 24)
    built = ContextBuilder(100).build(user_profile_text=text)

    assert built.sections["user_profile"] == f"=== User Profile ===\n{text[:20]}\n[...truncated]\n"
    assert built.truncated
    assert built.truncated_sections == ("user_profile",)


def test_a_section_at_its_budget_is_not_cut() -> None:
    built = ContextBuilder(100).build(user_profile_text=words("w", 23))

    assert not built.truncated
    assert built.truncated_sections == ()


def test_a_cut_may_be_within_a_word() -> None:
    built = ContextBuilder(100).build(user_profile_text="international " * 24)

    assert built.sections["user_profile"] == "=== User Profile ===\ninternational intern\n[...truncated]\n"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"summary": "S", "merged": "M", "input": "i"}, "S"),
        ({"merged": "M", "input": "i"}, "M"),
        ({"input": "i", "output": "o"}, "User: i\nAssistant: o"),
        ({"output": "o"}, "Assistant: o"),
        ({"input": None}, "User: None"),
        ({"other": 1}, "{'other': 1}"),
        ("plain", "plain"),
    ],
)
def test_memories_show_summaries_merged_texts_or_turns(content: object, text: str) -> None:
    assert section("memories", memories=[memory(content)]) == f"=== Relevant Memories ===\n[Memory 1] {text}\n"


def test_a_query_puts_a_line_above_the_sections() -> None:
    built = ContextBuilder().build(query="Why?", documents=[Document("a")])

    assert built.full_text == "# Context for: Why?\n\n=== Retrieved Documents ===\n[Doc 1]\na\n"
    assert built.token_estimate == 2


def test_inputs_keep_their_order() -> None:
    assert section("documents", documents=[Document(text) for text in "cab"]) == (
        "=== Retrieved Documents ===\n[Doc 1]\nc\n\n[Doc 2]\na\n\n[Doc 3]\nb\n"
    )


# The prompt


def test_build_prompt_wraps_the_context() -> None:  # D1
    prompt = ContextBuilder().build_prompt("One?\nTwo?", documents=[Document("a\n  b")], system_instruction="Be\nkind.")

    assert prompt == (
        "Be\nkind.\n\n# Context for: One?\nTwo?\n\n=== Retrieved Documents ===\n[Doc 1]\na\n  b\n\n\n"
        "=== Current Query ===\nOne?\nTwo?"
    )
    assert ContextBuilder().build_prompt("q").startswith("You are a helpful, knowledgeable assistant.\n\n")


# Raises


def test_nothing_is_raised_for_malformed_history_or_metadata() -> None:  # D2
    document = Document("a")
    document.metadata = None  # type: ignore[assignment]
    built = ContextBuilder().build(documents=[document], history=["no turn", None, 3, {"input": "Hi"}])  # type: ignore[list-item]

    assert built.full_text == ("=== Retrieved Documents ===\n[Doc 1]\na\n\n=== Recent Conversation ===\nUser: Hi\n")


# The examples of the document


def test_the_examples_of_the_document() -> None:
    cb = ContextBuilder(total_token_budget=2000)
    paris = Document(page_content="Paris is the capital of France.", metadata={"source": "wiki"})
    ctx = cb.build(documents=[paris], query="What's the capital of France?")
    assert ctx.full_text == (
        "# Context for: What's the capital of France?\n\n"
        "=== Retrieved Documents ===\n[Doc 1 (source: wiki)]\nParis is the capital of France.\n"
    )

    mem = memory({"input": "I live in Paris", "output": "Noted!"})
    ctx2 = cb.build(memories=[mem], history=[{"input": "Hi", "output": "Hello!"}])
    assert [*ctx2.sections] == ["memories", "history"]
    assert not ctx2.truncated

    ctx3 = cb.build(history=[{"input": None, "output": "reply with no input"}])
    assert ctx3.full_text == "=== Recent Conversation ===\nAssistant: reply with no input\n"

    query = "Summarize what we know about the user"
    prompt = cb.build_prompt(query=query, memories=[mem], system_instruction="You are a CRM assistant.")
    assert prompt == (
        f"You are a CRM assistant.\n\n# Context for: {query}\n\n"
        "=== Relevant Memories ===\n[Memory 1] User: I live in Paris\nAssistant: Noted!\n\n\n"
        f"=== Current Query ===\n{query}"
    )
