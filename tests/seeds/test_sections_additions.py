"""What `ContextBuilder` of sections has beyond its original: each off by default."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful import ExactCounter, InputError, for_model, from_callable
from brimful.builders.sections import BuiltContext, ContextBuilder, Document, MemoryEntry, MemoryType
from brimful.stages.counting import RuleCounter

MARKER = "\n[...truncated]"


def words(prefix: str, count: int) -> str:
    return " ".join(f"{prefix}{number}" for number in range(count))


def body(built: BuiltContext, name: str) -> str:
    """A section without its heading."""
    return built.sections[name].partition("\n")[2].removesuffix("\n")


counters = st.sampled_from([RuleCounter("words_div_4"), ExactCounter(), for_model("claude"), from_callable(len)])
prose = st.lists(
    st.sampled_from(["Water is wet. ", "日本語。東京！", "word ", "e\u0301 ", "👩\u200d👧 ", "\n", "3.5 "]), max_size=80
).map("".join)


# rebalance


def test_spare_budget_flows_to_sections_that_need_it() -> None:
    documents = [Document(words("w", 300))]
    plain = ContextBuilder(100).build(documents=documents)
    moved = ContextBuilder(100, rebalance=True).build(documents=documents)

    assert plain.truncated_sections == ("documents",)
    assert not moved.truncated
    assert body(moved, "documents") == f"[Doc 1]\n{words('w', 300)}"


def test_the_first_sections_in_need_are_served_first_and_no_more_than_the_sum_is_given() -> None:
    given = {"user_profile_text": words("p", 200), "documents": [Document(words("d", 500))]}
    moved = ContextBuilder(100, rebalance=True).build(**given)  # type: ignore[arg-type]

    assert moved.truncated_sections == ("documents",)
    assert body(moved, "user_profile") == words("p", 200)  # 50 tokens, so that 50 are left
    assert body(moved, "documents") == f"[Doc 1]\n{words('d', 500)}"[:200] + MARKER


@given(sizes=st.lists(st.integers(0, 400), min_size=3, max_size=3), total=st.integers(4, 300))
def test_nothing_is_cut_where_everything_fits_together(sizes: list[int], total: int) -> None:
    profile, documents, history = (words("w", size) for size in sizes)
    builder = ContextBuilder(total, rebalance=True)
    built = builder.build(
        user_profile_text=profile, documents=[Document(documents)], history=[{"input": history or "x"}]
    )
    needs = RuleCounter("words_div_4").count(
        [*([profile] if profile else []), f"[Doc 1]\n{documents}", f"User: {history or 'x'}"]
    )

    assert built.truncated == (sum(needs) > sum(builder.budgets.values()))


# truncate


def test_words_are_left_whole_and_the_budget_is_used() -> None:
    built = ContextBuilder(100, truncate="word").build(user_profile_text=words("w", 40))

    assert body(built, "user_profile") == f"{words('w', 22)}{MARKER}"  # with the marker 23 words are 5 tokens


def test_sentences_are_left_whole() -> None:
    text = "Water is wet. " * 10
    built = ContextBuilder(100, truncate="sentence").build(user_profile_text=text)

    assert body(built, "user_profile") == f"{('Water is wet. ' * 7).strip()}{MARKER}"
    assert built.truncated_sections == ("user_profile",)


@given(
    text=prose,
    total=st.integers(0, 200),
    counter=counters,
    truncate=st.sampled_from(["char", "word", "sentence"]),
)
def test_a_cut_section_is_within_its_budget(text: str, total: int, counter: Any, truncate: Any) -> None:
    builder = ContextBuilder(total, counter=counter, truncate=truncate)
    built = builder.build(documents=[Document(text)])
    kept = body(built, "documents")

    if built.truncated and not builder.cuts_characters:
        least = counter.count([""])[0]
        assert counter.count([kept])[0] <= max(builder.budgets["documents"], least)
        assert f"[Doc 1]\n{text}".startswith(kept.removesuffix(MARKER).removesuffix("[...truncated]"))
    assert built.token_estimate == sum(counter.count([*built.sections.values(), ""]))


# counter


def test_a_counter_counts_what_has_no_spaces() -> None:
    text = "東京は日本の首都です。" * 30

    assert not ContextBuilder(100).build(documents=[Document(text)]).truncated
    built = ContextBuilder(100, counter=ExactCounter()).build(documents=[Document(text)])
    assert built.truncated
    assert 40 <= ExactCounter().count([body(built, "documents")])[0] <= 45


def test_a_counter_that_fails_is_named() -> None:
    with pytest.raises(InputError, match=r"token counter .* must give whole numbers of at least 0, got 'x'"):
        ContextBuilder(counter=from_callable(lambda _: "x")).build(user_profile_text="a")  # type: ignore[arg-type]


# trace


def test_the_trace_has_a_decision_for_each_input_section_by_section() -> None:
    built = ContextBuilder(100, trace=True).build(
        user_profile_text="Likes tea.",
        memories=[MemoryEntry("m", 0.0, MemoryType.WORKING)],
        documents=[Document(text) for text in ("a " * 50, "b " * 200, "c")],
        history=[{"input": "Hi"}, "no turn", {"output": "Hello"}],  # type: ignore[list-item]
    )

    assert [(row.item, row.label, row.fate, row.reason, row.tokens) for row in built.trace] == [
        (0, "user_profile_text", "included", "fits", 1),
        (0, "memories[0]", "included", "fits", 1),
        (0, "documents[0]", "included", "fits", 13),
        (1, "documents[1]", "truncated", "over_budget", 50),
        (2, "documents[2]", "dropped", "over_budget", 1),
        (0, "history[0]", "included", "fits", 1),
        (1, "history[1]", "dropped", "blank", 0),
        (2, "history[2]", "included", "fits", 1),
    ]
    assert ContextBuilder(100).build(user_profile_text="a").trace == ()
