"""What a `ContextBuilder` of sections may be given, what it leaves alone, and what it refuses."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful import ConfigError, ExactCounter, InputError
from brimful.builders.sections import BuiltContext, ContextBuilder, Document, MemoryEntry, MemoryType
from strategies import sentences

texts = st.one_of(sentences(12), st.sampled_from(["\ud800 a", "\ud83d\ude00", "{content}", "%s"]))
requests = st.fixed_dictionaries(
    {},
    optional={
        "user_profile_text": st.one_of(st.none(), texts),
        "documents": st.lists(st.builds(Document, texts, st.sampled_from([{}, {"source": "s"}]))),
        "memories": st.lists(
            st.builds(
                MemoryEntry,
                st.one_of(texts, st.none(), st.dictionaries(st.sampled_from(["input", "output", "merged"]), texts)),
                st.just(0.0),
                st.just(MemoryType.WORKING),
            )
        ),
        "history": st.lists(
            st.one_of(st.none(), st.dictionaries(st.sampled_from(["input", "output"]), st.one_of(st.none(), texts)))
        ),
        "query": st.one_of(st.none(), texts),
    },
)
builders = st.builds(
    ContextBuilder,
    st.sampled_from([4_000, 60, 10, 0, -20, 30.5]),
    rebalance=st.booleans(),
    truncate=st.sampled_from(["char", "word", "sentence"]),
    trace=st.booleans(),
)


@given(request=requests, builder=builders)
def test_an_iterator_gives_what_a_list_does_and_nothing_is_mutated(
    request: dict[str, Any], builder: ContextBuilder
) -> None:
    before = copy.deepcopy(request)
    built = builder.build(**request)

    assert request == before
    streamed: dict[str, Any] = {
        key: iter(value) if isinstance(value, list) else value for key, value in request.items()
    }
    assert builder.build(**streamed) == built
    assert built.full_text.endswith("\n".join(built.sections.values()))


@given(request=requests, builder=builders)
def test_every_input_is_in_the_trace(request: dict[str, Any], builder: ContextBuilder) -> None:
    built = builder.build(**request)
    lists = sum(len(request.get(name) or ()) for name in ("documents", "memories", "history"))

    assert len(built.trace) == (lists + bool(request.get("user_profile_text")) if builder.trace else 0)
    if not built.truncated:
        assert {row.fate for row in built.trace if row.reason != "blank"} <= {"included"}


class Text(str):
    __slots__ = ()


def test_subclasses_of_str_are_texts() -> None:
    def build(kind: type[str]) -> BuiltContext:
        return ContextBuilder(40).build(
            user_profile_text=kind("Likes tea. " * 20),
            documents=[Document(kind("Water. " * 40), {"source": kind("s")})],
            memories=[MemoryEntry({"summary": kind("S")}, 0.0, MemoryType.WORKING)],
            history=[{"input": kind("Hi")}],
            query=kind("Why?"),
        )

    assert build(Text) == build(str)


def test_other_classes_with_the_same_fields_will_do() -> None:
    built = ContextBuilder().build(
        documents=[SimpleNamespace(page_content="a", metadata=MappingProxyType({"source": "s"}))],  # type: ignore[list-item]
        memories=[SimpleNamespace(content="m")],  # type: ignore[list-item]
        history=[MappingProxyType({"input": "Hi"})],
    )

    assert built.sections["documents"] == "=== Retrieved Documents ===\n[Doc 1 (source: s)]\na\n"
    assert (built.document_count, built.memory_count) == (1, 1)


def test_a_builder_is_shared_by_threads() -> None:
    builder = ContextBuilder(100, truncate="sentence", counter=ExactCounter(), rebalance=True, trace=True)
    requests = [
        {"documents": [Document(f"Text {at}. " * end) for at in range(end)], "query": str(end)} for end in range(16)
    ]

    def build(request: dict[str, Any]) -> BuiltContext:
        return builder.build(**request)

    alone = [build(request) for request in requests]
    with ThreadPoolExecutor(16) as pool:
        for _ in range(3):
            assert [*pool.map(build, requests)] == alone


def test_builders_and_contexts_survive_pickles() -> None:
    built = ContextBuilder(10, trace=True).build(user_profile_text="w " * 90)
    again: BuiltContext = pickle.loads(pickle.dumps(built))  # noqa: S301 - our own bytes

    assert (again, again.trace, again.truncated_sections) == (built, built.trace, ("user_profile",))
    assert pickle.loads(pickle.dumps(ContextBuilder(10))).budgets == ContextBuilder(10).budgets  # noqa: S301


OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"total_token_budget": None}, "total_token_budget must be a finite number, got None"),
    ({"total_token_budget": "4000"}, "total_token_budget must be a finite number, got '4000'"),
    ({"total_token_budget": float("inf")}, "total_token_budget must be a finite number, got inf"),
    ({"memory_budget_fraction": float("nan")}, "memory_budget_fraction must be a finite number, got nan"),
    (
        {"total_token_budget": 1e300, "history_budget_fraction": 1e300},
        "history_budget_fraction must give a finite budget, got 1e+300 of 1e+300",
    ),
    ({"rebalance": 1}, "rebalance must be True or False, got 1"),
    ({"truncate": "line"}, "truncate must be one of `char`, `word`, `sentence`, got 'line'"),
    ({"counter": "o200k_base"}, "counter must have a method `count(texts)`, got 'o200k_base'"),
    ({"trace": None}, "trace must be True or False, got None"),
]


@pytest.mark.parametrize(("options", "message"), OPTIONS, ids=[message[:30] for _, message in OPTIONS])
def test_options_are_refused_at_construction(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        ContextBuilder(**options)

    assert str(refusal.value) == message


REQUESTS: list[tuple[dict[str, Any], str]] = [
    ({"documents": "text"}, "documents must be items in an order, got 'text'"),
    ({"documents": ["text"]}, "documents[0] must be a Document with the field page_content, got 'text'"),
    ({"memories": [Document("a")]}, "memories[0] must be a MemoryEntry with the field content, got sections.Document("),
    ({"memories": {"a"}}, "memories must be items in an order, got {'a'}"),
    ({"history": {"input": "Hi"}}, "history must be items in an order, got {'input': 'Hi'}"),
    ({"user_profile_text": ["Likes tea."]}, "user_profile_text must be a str or None, got ['Likes tea.']"),
]


@pytest.mark.parametrize(("given", "message"), REQUESTS, ids=[message[:30] for _, message in REQUESTS])
def test_requests_are_refused_with_the_place(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as refusal:
        ContextBuilder().build(**given)

    assert str(refusal.value).startswith(message)
