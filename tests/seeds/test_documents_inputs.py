"""What a `ContextManager` may be given, what it leaves alone, and what it refuses."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful import ConfigError, ExactCounter, InputError
from brimful.builders.documents import ContextManager, ContextResult, Document, Message, PromptRequest
from strategies import few_words, sentences

some_documents = st.lists(
    st.builds(
        Document,
        st.one_of(sentences(20), few_words(12), st.sampled_from(["\ud800 a b c", "\ud83d\ude00 a b c d"])),
        st.sampled_from(["", "s", "a\nb"]),
        st.one_of(st.sampled_from([0.0, -0.0, 0.5, 1, True]), st.floats(allow_nan=False, allow_infinity=False)),
    ),
    max_size=10,
)
managers = st.builds(
    ContextManager,
    st.sampled_from([0.85, 0.0, 0.5, 1.0, 2.0, float("nan")]),
    st.sampled_from([0, 1, 5]),
    st.booleans(),
    st.booleans(),
    enforce_total=st.booleans(),
    lost_in_middle_first_served=st.booleans(),
    trace=st.booleans(),
)


def request(documents: Any, budget: Any = 60) -> PromptRequest:
    return PromptRequest("what a b", documents, max_context_tokens=budget)


@given(documents=some_documents, manager=managers)
def test_an_iterator_gives_what_a_list_does_and_nothing_is_mutated(
    documents: list[Document], manager: ContextManager
) -> None:
    before = copy.deepcopy(documents)
    result = manager.build(request(documents))

    assert documents == before
    for again in (iter(documents), tuple(documents), (document for document in documents)):
        assert manager.build(request(again)) == result


@given(documents=some_documents, manager=managers)
def test_what_is_shown_is_what_was_given_or_a_copy_that_says_so(
    documents: list[Document], manager: ContextManager
) -> None:
    result = manager.build(request(documents))
    given_ids = {id(document) for document in documents}

    for document in result.included_docs:
        assert (id(document) in given_ids) != bool({"truncated", "summarized"} & document.metadata.keys())
    assert all(id(document) in given_ids for document in result.excluded_docs)
    assert [*result.citation_map] == [*range(1, len(result.included_docs) + 1)]


class Text(str):
    """A text whose methods say something else."""

    __slots__ = ()

    def split(self, *_: object) -> list[str]:
        return ["other"]

    def strip(self, *_: object) -> str:
        return "other"

    def lower(self) -> str:
        return "other"

    def isascii(self) -> bool:
        return True


def test_subclasses_of_str_are_texts() -> None:
    texts = ["Water is wet, they say.", "Fire is hot. " * 40]
    plain = [Document(text, "s", 0.5) for text in texts]
    special = [Document(Text(text), Text("s"), 0.5) for text in texts]

    assert ContextManager().build(request(special)) == ContextManager().build(request(plain))
    assert ContextManager().format_memory([Message(Text("user"), Text(" a "))]) == "User: a"


def test_numbers_of_numpy_are_numbers() -> None:
    given = [Document("a b c d", "s", np.float32(0.5)), Document("e f g h", "t", np.int64(1))]  # type: ignore[arg-type]
    result = ContextManager(np.float64(0.85), np.int64(5)).build(request(given, np.int64(60)))  # type: ignore[arg-type]

    assert [document.source for document in result.included_docs] == ["t", "s"]


def test_a_score_is_shown_as_a_number_whatever_its_type_makes_of_a_format() -> None:
    half = [Document("a b c d", "s", Fraction(1, 2))]  # type: ignore[arg-type]

    assert ContextManager().build(request(half)).context_block == "--- Source [1] s (relevance: 0.50) ---\na b c d"
    assert ContextManager(enforce_total=True).build(request(half)).tokens_used == 14


def test_other_classes_with_the_same_fields_will_do() -> None:
    documents = [SimpleNamespace(content="w " * 100, source="", score=0.9)]
    other = SimpleNamespace(documents=documents, max_context_tokens=60.9)
    result = ContextManager().build(other)  # type: ignore[arg-type]

    assert result.included_docs[0].metadata == {"truncated": True}
    assert result.tokens_budget == 60.9
    assert ContextManager().format_memory([SimpleNamespace(role="user", content="a")]) == "User: a"  # type: ignore[list-item]


def test_a_manager_is_shared_by_threads() -> None:
    manager = ContextManager(summarize_overflow=True, enforce_total=True, counter=ExactCounter())
    requests = [
        request([Document(f"Text {at} of {end}. " * (at % 7 + 3), str(at), at / 50) for at in range(end)], 200)
        for end in range(16)
    ]
    alone = [manager.build(one) for one in requests]
    with ThreadPoolExecutor(16) as pool:
        for _ in range(3):
            assert [*pool.map(manager.build, requests)] == alone


def test_managers_and_results_survive_pickles() -> None:
    result = ContextManager().build(request([Document("a b c d e")]))
    again: ContextResult = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own bytes

    assert (again, again.duplicate_sources) == (result, result.duplicate_sources)
    assert repr(pickle.loads(pickle.dumps(ContextManager(0.5)))) == repr(ContextManager(0.5))  # noqa: S301


OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"dedup_threshold": "0.85"}, "dedup_threshold must be a number, got '0.85'"),
    ({"dedup_threshold": None}, "dedup_threshold must be a number, got None"),
    ({"dedup_threshold": True}, "dedup_threshold must be a number, got True"),
    ({"min_doc_tokens": float("nan")}, "min_doc_tokens must be a finite number, got nan"),
    ({"use_lost_in_middle": "no"}, "use_lost_in_middle must be True or False, got 'no'"),
    ({"summarize_overflow": 1}, "summarize_overflow must be True or False, got 1"),
    (
        {"max_memory_messages": -1},
        "max_memory_messages must be a whole number from 0 to 9,007,199,254,740,992, got -1",
    ),
    ({"enforce_total": None}, "enforce_total must be True or False, got None"),
    ({"counter": len}, f"counter must have a method `count(texts)`, got {len!r}\nhint: pass `from_callable(function)`"),
    ({"counter": None}, "counter must have a method `count(texts)`, got None"),
    ({"lost_in_middle_first_served": 0}, "lost_in_middle_first_served must be True or False, got 0"),
    ({"summarizer": 3, "summarize_overflow": True}, "summarizer must be callable, got 3"),
    ({"summarizer": len}, f"summarizer needs summarize_overflow=True, got {len!r}"),
    ({"trace": "yes"}, "trace must be True or False, got 'yes'"),
]


@pytest.mark.parametrize(
    ("options", "message"), OPTIONS, ids=lambda value: value[:20] if isinstance(value, str) else ""
)
def test_options_are_refused_at_construction(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        ContextManager(**options)

    assert str(refusal.value) == message


REQUESTS: list[tuple[Any, str]] = [
    (None, "request must be a PromptRequest with the field documents, got None"),
    (request("text"), "documents must be items in an order, got 'text'"),
    (request({"a"}), "documents must be items in an order, got {'a'}"),
    (request(7), "documents must be items in an order, got 7"),
    (request(["text"]), "documents[0] must be a Document with the field content, got 'text'"),
    (
        request([SimpleNamespace(content="a", source="s")]),
        "documents[0] must be a Document with the field score, got namespace(content='a', source='s')",
    ),
    (request([Document("a"), Document(b"b")]), "documents[1].content must be a str, got b'b'"),  # type: ignore[arg-type]
    (request([Document("a", score="0.9")]), "documents[0].score must be a finite number, got '0.9'"),  # type: ignore[arg-type]
    (request([Document("a", score=float("nan"))]), "documents[0].score must be a finite number, got nan"),
    (request([], "60"), "max_context_tokens must be a finite number, got '60'"),
    (request([], float("inf")), "max_context_tokens must be a finite number, got inf"),
]


@pytest.mark.parametrize(("given", "message"), REQUESTS, ids=[message[:40] for _, message in REQUESTS])
def test_requests_are_refused_with_the_place(given: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        ContextManager().build(given)

    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("memory", "message"),
    [
        ("text", "memory must be items in an order, got 'text'"),
        ([Message("user", "a"), None], "memory[1] must be a Message with the field role, got None"),
        ([SimpleNamespace(content="a")], "memory[0] must be a Message with the field role, got namespace(content='a')"),
        ([Message("user", None)], "memory[0].content must be a str, got None"),  # type: ignore[arg-type]
    ],
)
def test_messages_are_refused_with_their_index(memory: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        ContextManager().format_memory(memory)

    assert str(refusal.value) == message


def test_messages_come_from_iterators_too() -> None:
    messages = [Message("user", str(at)) for at in range(30)]

    assert ContextManager().format_memory(iter(messages)) == ContextManager().format_memory(messages)


def test_messages_that_are_not_shown_are_not_looked_at() -> None:
    messages: list[Any] = [None, Message("user", "a"), Message("assistant", "b")]

    assert ContextManager().format_memory(messages, max_turns=1) == "User: a\nAssistant: b"
