"""Packets of any kind: the budget, iterators, mutation, threads, subclasses of str, both spellings."""

from __future__ import annotations

import copy
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.builders.packets import ContextBuilder, ContextPacket, Message, PacketConfig, create_default_text_embedder
from references import naive_packets, naive_tfidf
from references.naive_tfidf import agreed
from strategies import few_words, sentences

NOW = 1_700_000_000_000.0

texts = st.one_of(few_words(), sentences(), st.text(max_size=24)).map(agreed)
scores = st.one_of(st.none(), st.sampled_from([0.0, 0.3, 0.5, 1.0, -0.5]), st.floats(-2, 2))
times = st.one_of(st.none(), st.integers(0, 10**7).map(lambda age: NOW - age), st.just(NOW + 1e9))
packets = st.lists(st.builds(ContextPacket, texts, relevance_score=scores, timestamp=times), max_size=8)
turns = st.lists(st.builds(Message, st.sampled_from(["user", "assistant"]), texts), max_size=6)
options = st.fixed_dictionaries(
    {
        "max_tokens": st.one_of(st.integers(0, 40), st.just(4_096)),
        "enable_mmr": st.booleans(),
        "mmr_lambda": st.sampled_from([0.0, 0.3, 0.5, 1.0]),
        "min_relevance": st.sampled_from([-1.0, 0.0, 0.3]),
        "recency_weight": st.sampled_from([0.0, 0.3, 1.0]),
        "history_token_budget": st.integers(0, 30),
    }
)
requests = st.fixed_dictionaries(
    {
        "user_query": texts,
        "system_instructions": texts,
        "conversation_history": turns,
        "additional_packets": packets,
    }
)


def make(given: dict[str, Any]) -> ContextBuilder:
    return ContextBuilder(config=given, clock=lambda: NOW)


@given(config=options, request=requests)
def test_the_budget_holds_and_every_input_has_a_decision(config: dict[str, Any], request: dict[str, Any]) -> None:
    result = make(config).build(**request)

    system = naive_packets.count_tokens(request["system_instructions"])
    assert result.total_tokens <= max(config["max_tokens"], system)
    shown = [turn.content for turn in result.messages[:-1]] + [packet.content for packet in result.included_packets]
    assert result.total_tokens == system + sum(map(naive_packets.count_tokens, shown))
    for trace, given_items, kept in (
        (result.trace, request["additional_packets"], result.included_packets),
        (result.history_trace, request["conversation_history"], result.messages[:-1]),
    ):
        assert [row.item for row in trace] == list(range(len(given_items)))
        assert [row.fate for row in trace].count("included") == len(kept)
    assert result.truncated == any(row.fate == "dropped" for row in (*result.trace, *result.history_trace))
    assert make(config).build(**request) == result


@given(config=options, request=requests)
def test_a_build_is_the_plain_reading_with_unicode_words(config: dict[str, Any], request: dict[str, Any]) -> None:
    camel = {
        "maxTokens": config["max_tokens"],
        "enableMmr": config["enable_mmr"],
        "mmrLambda": config["mmr_lambda"],
        "minRelevance": config["min_relevance"],
        "recencyWeight": config["recency_weight"],
        "historyTokenBudget": config["history_token_budget"],
    }
    asked = {
        "userQuery": request["user_query"],
        "systemInstructions": request["system_instructions"],
        "conversationHistory": [asdict(turn) for turn in request["conversation_history"]],
        "additionalPackets": [
            {"content": packet.content, "relevanceScore": packet.relevance_score, "timestamp": packet.timestamp}
            for packet in request["additional_packets"]
        ],
    }
    read = naive_packets.build(asked, camel, NOW, words=naive_tfidf.terms)

    result = make(config).build(**request)

    candidates = [row.relevance for row in result.trace if row.relevance is not None]
    assert read.worth == pytest.approx(candidates, rel=0, abs=1e-9)
    if not config["enable_mmr"]:  # with MMR equal similarities may differ in the last bit, and so the order
        assert [packet.content for packet in result.included_packets] == [
            request["additional_packets"][item].content for item in read.chosen
        ]


@given(config=options, request=requests)
def test_nothing_is_mutated(config: dict[str, Any], request: dict[str, Any]) -> None:
    before = copy.deepcopy((config, request))

    result = make(config).build(**request)
    for packet in result.included_packets:
        packet.content = "changed"
    for turn in result.messages:
        turn.content = "changed"
    result.messages.clear()
    result.included_packets.clear()

    assert before == (config, request)


@given(config=options, request=requests)
def test_iterators_are_read_once(config: dict[str, Any], request: dict[str, Any]) -> None:
    once = request | {name: iter(request[name]) for name in ("conversation_history", "additional_packets")}

    assert make(config).build(**once) == make(config).build(**request)


class Text(str):
    """A text of somebody's own, which shows itself in another way."""

    __slots__ = ()

    def __str__(self) -> str:
        return "shown"

    def split(self, *_: object) -> list[str]:
        return ["other"]

    def lower(self) -> str:
        return "other"

    def __getitem__(self, _: object) -> str:
        return "other"


@given(config=options, request=requests)
def test_subclasses_of_str_are_texts(config: dict[str, Any], request: dict[str, Any]) -> None:
    own: dict[str, Any] = {
        "user_query": Text(request["user_query"]),
        "system_instructions": Text(request["system_instructions"]),
        "conversation_history": [
            Message(Text(turn.role), Text(turn.content)) for turn in request["conversation_history"]
        ],
        "additional_packets": [
            ContextPacket(Text(packet.content), relevance_score=packet.relevance_score, timestamp=packet.timestamp)
            for packet in request["additional_packets"]
        ],
    }

    assert make(config).build(**own) == make(config).build(**request)


@given(config=options, request=requests)
def test_mappings_in_either_spelling_are_packets_and_messages(config: dict[str, Any], request: dict[str, Any]) -> None:
    snake = [asdict(packet) for packet in request["additional_packets"]]
    camel = [{"relevanceScore": packet.pop("relevance_score"), **packet} for packet in copy.deepcopy(snake)]
    turns_read = [asdict(turn) for turn in request["conversation_history"]]
    expected = make(config).build(**request)

    for given_packets in (snake, camel):
        asked = request | {"additional_packets": given_packets, "conversation_history": turns_read}
        assert make(config).build(**asked) == expected


def crowd() -> list[ContextPacket]:
    words = ["red", "fox", "sea", "hen", "moon"]
    return [
        ContextPacket(" ".join(words[place * step % 5] for step in range(1, 12)), timestamp=NOW - 1e5 * place)
        for place in range(60)
    ]


@pytest.mark.parametrize("mmr", [True, False])
@pytest.mark.parametrize("embedder", [None, create_default_text_embedder(16)])
def test_sixteen_threads_share_a_builder(embedder: Any, *, mmr: bool) -> None:
    builder = make({"enable_mmr": mmr, "max_tokens": 300, "memory_embedder": embedder})
    shared = crowd()
    expected = builder.build(user_query="red moon", additional_packets=shared)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(16) as pool:
            found = list(
                pool.map(lambda _: builder.build(user_query="red moon", additional_packets=shared), range(160))
            )
    finally:
        sys.setswitchinterval(interval)

    assert all(result == expected and result.trace == expected.trace for result in found)


def test_packets_and_contexts_are_copied_pickled_and_compared() -> None:
    result = make({"max_tokens": 300}).build(user_query="q", additional_packets=crowd())

    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):  # noqa: S301 - our own
        assert again == result
        assert again.trace == result.trace
    again = pickle.loads(pickle.dumps(ContextBuilder(config={"max_tokens": 7})))  # noqa: S301 - our own
    assert again.config == PacketConfig(max_tokens=7)
    assert pickle.loads(pickle.dumps(PacketConfig(max_tokens=7))) == PacketConfig(max_tokens=7)  # noqa: S301 - our own


class Labelled(ContextPacket):
    """A packet of somebody's own, with a field more."""

    def __init__(self, content: str, label: str) -> None:
        super().__init__(content)
        self.label = label


def test_a_packet_of_a_subclass_stays_one() -> None:
    [found] = make({}).build(user_query="q", additional_packets=[Labelled("a", "b")]).included_packets

    assert isinstance(found, Labelled)
    assert (found.label, found.tokens) == ("b", 1)


def test_metadata_are_shared_and_not_looked_into() -> None:
    metadata = {"id": object(), "source": 3, "list": [1]}

    [found] = make({}).build(user_query="q", additional_packets=[ContextPacket("a", metadata)]).included_packets

    assert found.metadata is metadata


def test_other_classes_with_the_same_fields_will_do() -> None:
    turn: Any = SimpleNamespace(role="user", content="Hi.", name="somebody")
    item: Any = SimpleNamespace(content="a", relevance_score=0.5)

    result = make({}).build(user_query="q", conversation_history=[turn], additional_packets=[item])

    assert result.messages[0] == Message("user", "Hi.")
    assert result.included_packets == [ContextPacket("a", tokens=1, relevance_score=0.5)]
