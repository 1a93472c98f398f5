"""Every statement of seed 004, in its order; the examples are its own, in Python."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.packets import (
    ContextBuilder,
    ContextPacketBuilder,
    PacketConfig,
    create_default_text_embedder,
    from_memory_embedder,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from brimful.builders.packets import BuiltContext

NOW = 1_700_000_000_000
HISTORY = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]


def make(**options: Any) -> ContextBuilder:
    return ContextBuilder(config=options, clock=lambda: NOW)


def contents(result: BuiltContext) -> list[str]:
    return [packet.content for packet in result.included_packets]


def packet(content: str, score: float | None = None, age: float | None = None) -> dict[str, Any]:
    return {"content": content, "relevanceScore": score, "timestamp": None if age is None else NOW - age}


def test_basic_usage() -> None:
    builder = ContextBuilder()

    result = builder.build(
        system_instructions="You are a professional code assistant.",
        user_query="Refactor this function for readability.",
        conversation_history=HISTORY,
    )

    assert result.system == "You are a professional code assistant."
    assert [(turn.role, turn.content) for turn in result.messages] == [
        ("user", "Hi."),
        ("assistant", "Hello."),
        ("user", "Refactor this function for readability."),
    ]
    assert result.total_tokens == 10 + 1 + 2
    assert result.included_packets == []


def test_adding_context_packets() -> None:
    vector = ContextPacketBuilder.with_relevance(
        ContextPacketBuilder.create(
            "Vector search finds semantically similar documents using embeddings.", {"source": "docs"}
        ),
        0.92,
    )
    graph = ContextPacketBuilder.with_relevance(
        ContextPacketBuilder.create(
            "HNSW is a graph-based approximate nearest neighbour algorithm.", {"source": "docs"}
        ),
        0.78,
    )

    result = ContextBuilder().build(user_query="How does vector search work?", additional_packets=[graph, vector])

    assert [(found.content, found.relevance_score) for found in result.included_packets] == [
        (vector.content, 0.92),
        (graph.content, 0.78),
    ]
    assert all(found.metadata == {"source": "docs"} for found in result.included_packets)


def test_mmr_reduces_redundant_packets() -> None:
    packets = [packet("red fox runs"), packet("red fox runs"), packet("the fox and the sea")]
    options = {"mmrLambda": 0.6, "maxTokens": 8, "recencyWeight": 0}

    plain = make(enableMmr=False, **options).build(user_query="red fox", additional_packets=packets)
    diverse = make(enableMmr=True, **options).build(user_query="red fox", additional_packets=packets)

    assert contents(plain) == ["red fox runs", "red fox runs"]
    assert contents(diverse) == ["red fox runs", "the fox and the sea"]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 1.0])
def test_mmr_score_is_share_times_composite_less_the_rest_times_the_largest_similarity(share: float) -> None:
    vectors = {"q": [1.0, 0.0], "a": [1.0, 0.1], "b": [1.0, 0.2], "c": [0.2, 1.0]}
    builder = make(enableMmr=True, mmrLambda=share, embedder=lambda texts: [vectors[text] for text in texts])
    result = builder.build(user_query="q", additional_packets=[packet(text, age=9e5) for text in "abc"])

    def cosine(one: str, other: str) -> float:
        (a, b), (c, d) = vectors[one], vectors[other]
        return (a * c + b * d) / math.hypot(a, b) / math.hypot(c, d)

    picked: list[str] = []
    while len(picked) < 3:
        marks = {}
        for text in sorted(set("abc") - set(picked)):
            composite = 0.7 * cosine("q", text) + 0.3 * math.exp(-9e5 / 3.6e6)
            nearest = max((cosine(text, other) for other in picked), default=0.0)
            marks[text] = share * composite - (1 - share) * nearest
        picked.append(max(marks, key=lambda text: marks[text]))
    assert picked == contents(result)


def test_lambda_0_is_pure_diversity_and_1_pure_relevance() -> None:
    packets = [packet("red fox"), packet("red fox"), packet("blue sea")]

    def build(share: float) -> list[str]:
        return contents(make(enableMmr=True, mmrLambda=share).build(user_query="red fox", additional_packets=packets))

    assert build(0.0) == ["red fox", "blue sea", "red fox"]
    assert build(1.0) == ["red fox", "red fox", "blue sea"]


def test_packets_with_a_timestamp_are_scored_by_how_recent_they_are() -> None:
    done, started = packet("Task completed successfully.", 0.85, 30_000), packet("Started.", 0.80, 7_200_000)
    builder = make(enableMmr=True, recencyWeight=0.3, recencyTau=1_800_000)

    result = builder.build(user_query="Latest status?", additional_packets=[started, done])

    assert contents(result) == ["Task completed successfully.", "Started."]


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_composite_is_relevance_and_recency_by_their_weights(weight: float) -> None:
    builder = make(recencyWeight=weight, recencyTau=1_800_000)
    result = builder.build(
        user_query="q", additional_packets=[packet("a", 0.85, 30_000), packet("b", 0.8, 7_200_000), packet("c", 0.6)]
    )

    expected = [(0.85, 30_000), (0.8, 7_200_000), (0.6, 0)]
    assert [decision.relevance for decision in result.trace] == pytest.approx(
        [(1 - weight) * relevance + weight * math.exp(-age / 1_800_000) for relevance, age in expected]
    )


def test_the_memory_embedder_is_adapted() -> None:
    builder = make(enableMmr=True, mmrLambda=1, memoryEmbedder=create_default_text_embedder())

    result = builder.build(user_query="Alpha beta", additional_packets=[packet("gamma"), packet("ALPHA delta")])

    assert contents(result) == ["ALPHA delta", "gamma"]


def test_the_default_embedder_hashes_without_environment_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EMBEDDING_MODEL_ID", "EMBEDDING_API_KEY", "LLM_API_KEY", "EMBEDDING_BASE_URL", "LLM_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    assert len(create_default_text_embedder().encode("some words")) == 384


def test_a_custom_embedder_is_async_and_gets_all_texts_at_once() -> None:
    asked: list[list[str]] = []

    async def embed(texts: list[str]) -> list[list[float]]:
        asked.append(texts)
        await asyncio.sleep(0)
        return [[1.0, float("sea" in text)] for text in texts]

    builder = make(enableMmr=True, mmrLambda=1, embedder=embed)

    result = asyncio.run(builder.abuild(user_query="sea", additional_packets=[packet("fox"), packet("the sea")]))

    assert contents(result) == ["the sea", "fox"]
    assert asked == [["sea", "fox", "the sea"]]


def prefer(wanted: str) -> Callable[[list[str]], list[list[float]]]:
    return lambda texts: [[1.0, 0.0] if text in ("q", wanted) else [0.0, 1.0] for text in texts]


class Memory:
    def encode(self, texts: list[str]) -> list[list[float]]:
        return prefer("memory")(texts)


class Broken:
    def encode(self, texts: list[str]) -> list[list[float]]:
        raise OSError(texts[0])


@pytest.mark.parametrize(
    ("options", "first"),
    [
        ({"embedder": prefer("explicit"), "memoryEmbedder": Memory()}, "explicit"),
        ({"memoryEmbedder": Memory()}, "memory"),
        ({"embedder": from_memory_embedder(Memory())}, "memory"),
        ({}, "q is in words"),
        ({"memoryEmbedder": Broken()}, "q is in words"),
        ({"embedder": Broken().encode, "memoryEmbedder": Memory()}, "q is in words"),
    ],
)
def test_similarity_goes_by_the_first_of_the_chain(options: dict[str, Any], first: str) -> None:
    packets = [packet("other"), packet("q is in words"), packet("memory"), packet("explicit")]

    result = make(enableMmr=True, mmrLambda=1, **options).build(user_query="q", additional_packets=packets)

    assert contents(result)[0] == first


def test_an_embedder_that_fails_falls_back_to_words() -> None:
    result = make(enableMmr=True, memoryEmbedder=Broken()).build(user_query="q", additional_packets=[packet("a")])

    assert contents(result) == ["a"]
    assert result.warnings == ("the embedder failed, so words (TF-IDF) say what is similar: OSError('q')",)


def test_history_is_filled_from_newest_to_oldest() -> None:
    turns = [{"role": "user", "content": text} for text in ("tiny", "x" * 400, "four and", "last one")]

    result = make(maxTokens=1_000, historyTokenBudget=50).build(user_query="q", conversation_history=turns)

    assert [turn.content for turn in result.messages] == ["four and", "last one", "q"]


def test_packets_are_ranked_and_filled_until_the_budget_is_exhausted() -> None:
    packets = [packet("a" * 40, 0.2), packet("b" * 40, 0.9), packet("c" * 80, 0.8), packet("d" * 20, 0.1)]

    result = make(maxTokens=25).build(user_query="q", additional_packets=packets)

    assert [(text[0], len(text)) for text in contents(result)] == [("b", 40), ("a", 40), ("d", 20)]
    assert result.total_tokens == 25


def test_packets_below_the_least_relevance_are_filtered() -> None:
    result = make(minRelevance=0.3).build(user_query="q", additional_packets=[packet("a", 0.29), packet("b", 0.3)])

    assert contents(result) == ["b"]


DEFAULTS = {
    "max_tokens": 4096,
    "enable_mmr": False,
    "mmr_lambda": 0.5,
    "min_relevance": 0,
    "recency_weight": 0.3,
    "recency_tau": 3_600_000,
    "embedder": None,
    "memory_embedder": None,
    "system_token_budget": 512,
    "history_token_budget": 1024,
    "token_counter": None,
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_configuration_reference(name: str) -> None:
    assert DEFAULTS[name] == getattr(PacketConfig(), name)


CHANGES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {"max_tokens": 10}),
    ({"recency_weight": 0.0}, {"enable_mmr": True}),
    ({"enable_mmr": True, "mmr_lambda": 0.0}, {"mmr_lambda": 1.0}),
    ({}, {"min_relevance": 0.55}),
    ({"recency_weight": 0.0}, {"recency_weight": 1.0}),
    ({"recency_weight": 0.5}, {"recency_tau": 1.0}),
    ({"enable_mmr": True, "mmr_lambda": 1.0}, {"embedder": prefer("the sea")}),
    ({"enable_mmr": True, "mmr_lambda": 1.0}, {"memory_embedder": create_default_text_embedder(2)}),
    ({}, {"system_token_budget": 1}),
    ({}, {"history_token_budget": 0}),
    ({}, {"token_counter": len}),
    ({"system_token_budget": 1}, {"system_overflow": "truncate"}),
]


@pytest.mark.parametrize(("options", "change"), CHANGES)
def test_every_option_changes_what_comes_out(options: dict[str, Any], change: dict[str, Any]) -> None:
    packets = [packet("red fox", 0.6, 4e6), packet("red", 0.5, 1e5), packet("the sea", 0.59, 2e6), packet("q", 0.4)]

    def build(**given: Any) -> str:
        result = ContextBuilder(config=PacketConfig(**given), clock=lambda: NOW).build(
            user_query="q red fox",
            conversation_history=HISTORY,
            system_instructions="Be brief.",
            additional_packets=packets,
        )
        return f"{result} {result.warnings}"

    assert build(**options) != build(**{**options, **change})


def test_no_option_is_without_a_change() -> None:
    assert {name for _, change in CHANGES for name in change} == set(PacketConfig.__dataclass_fields__)
