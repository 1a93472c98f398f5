"""Packets: what cannot be used is refused in one line that names it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from brimful.builders import packets
from brimful.builders.packets import ContextBuilder, ContextPacket, ContextPacketBuilder, Message, PacketConfig
from brimful.errors import ConfigError, EmbeddingError, InputError

NAN, INFINITY = float("nan"), float("inf")
LARGEST = "9,007,199,254,740,992"

OPTIONS: list[tuple[str, Any, str]] = [
    ("max_tokens", -1, f"max_tokens must be a whole number from 0 to {LARGEST}, got -1"),
    ("max_tokens", 8.5, f"max_tokens must be a whole number from 0 to {LARGEST}, got 8.5"),
    ("max_tokens", True, f"max_tokens must be a whole number from 0 to {LARGEST}, got True"),
    ("system_token_budget", "512", f"system_token_budget must be a whole number from 0 to {LARGEST}, got '512'"),
    ("history_token_budget", -5, f"history_token_budget must be a whole number from 0 to {LARGEST}, got -5"),
    ("enable_mmr", 1, "enable_mmr must be True or False, got 1"),
    ("mmr_lambda", 1.5, "mmr_lambda must be between 0 and 1, got 1.5"),
    ("mmr_lambda", NAN, "mmr_lambda must be between 0 and 1, got nan"),
    ("recency_weight", -0.1, "recency_weight must be between 0 and 1, got -0.1"),
    ("min_relevance", INFINITY, "min_relevance must be a finite number, got inf"),
    ("recency_tau", 0, "recency_tau must be a finite number above 0, got 0"),
    ("recency_tau", -1, "recency_tau must be a finite number above 0, got -1"),
    ("recency_tau", NAN, "recency_tau must be a finite number above 0, got nan"),
    ("token_counter", 3, "token_counter must have a method `count(texts)`, got 3"),
    ("token_counter", "text", "token_counter must have a method `count(texts)`, got 'text'"),
    ("embedder", 3, "embedder must be a function of texts, got 3"),
    ("memory_embedder", "text", "memory_embedder must have a method `encode(texts)`, got 'text'"),
    ("memory_embedder", len, "memory_embedder must have a method `encode(texts)`, got <built-in function len>"),
    ("system_overflow", "drop", "system_overflow must be one of `keep`, `truncate`, `raise`, got 'drop'"),
]


@pytest.mark.parametrize(("name", "value", "message"), OPTIONS)
def test_an_option_out_of_range_is_named(name: str, value: Any, message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        PacketConfig(**{name: value})
    with pytest.raises(ConfigError) as again:
        ContextBuilder(config={name: value})

    assert message == str(refusal.value) == str(again.value)


FIELDS = ", ".join(PacketConfig.__dataclass_fields__)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"maxToken": 8}, f"config has no field 'maxToken': the fields are {FIELDS}"),
        ({3: 8}, f"config has no field 3: the fields are {FIELDS}"),
        (
            {"maxTokens": 8, "max_tokens": 8},
            "config.max_tokens is given in both spellings, max_tokens and maxTokens",
        ),
        ([("maxTokens", 8)], "config must be a PacketConfig, a mapping or None, got [('maxTokens', 8)]"),
        (4_096, "config must be a PacketConfig, a mapping or None, got 4096"),
    ],
)
def test_what_is_no_configuration_is_refused(config: Any, message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        ContextBuilder(config=config)

    assert message == str(refusal.value)


def test_an_option_that_is_none_has_its_default() -> None:
    assert ContextBuilder(config=dict.fromkeys(PacketConfig.__dataclass_fields__)).config == PacketConfig()


def test_a_memory_embedder_as_embedder_is_told_from_a_function() -> None:
    with pytest.raises(ConfigError, match="\nhint: pass it as memory_embedder"):
        PacketConfig(embedder=packets.create_default_text_embedder())  # type: ignore[arg-type]


@pytest.mark.parametrize("clock", [3, "now"])
def test_a_clock_is_a_function(clock: Any) -> None:
    with pytest.raises(ConfigError, match="clock must be a function that gives milliseconds, got "):
        ContextBuilder(clock=clock)


@pytest.mark.parametrize("now", [NAN, None, "soon"])
def test_a_clock_gives_a_time(now: Any) -> None:
    with pytest.raises(InputError, match=r"clock\(\) must be a "):
        ContextBuilder(clock=lambda: now).build(user_query="q")


PACKET_FIELDS = "content, metadata, tokens, relevance_score, timestamp, type"
INPUTS: list[tuple[dict[str, Any], str]] = [
    ({"user_query": None}, "user_query must be a str, got None"),
    ({"user_query": b"q"}, "user_query must be a str, got b'q'"),
    ({"system_instructions": ["s"]}, "system_instructions must be a str, got ['s']"),
    ({"conversation_history": "Hi"}, "conversation_history must be items in an order, got 'Hi'"),
    ({"conversation_history": 3}, "conversation_history must be items in an order, got 3"),
    ({"conversation_history": {"a"}}, "conversation_history must be items in an order, got {'a'}"),
    (
        {"conversation_history": ["Hi"]},
        "conversation_history[0] must be a Message or a mapping with the field role, got 'Hi'",
    ),
    ({"conversation_history": [{"role": "user"}]}, "conversation_history[0].content must be a str, got None"),
    ({"conversation_history": [{"content": "Hi"}]}, "conversation_history[0].role must be a str, got None"),
    (
        {"conversation_history": [Message("user", "Hi"), {"role": "user", "text": "Hi"}]},
        "conversation_history[1].content must be a str, got None",
    ),
    (
        {"additional_packets": ContextPacket("a")},
        "additional_packets must be items in an order, got packets.ContextPacket(",
    ),
    (
        {"additional_packets": {"content": "a"}},
        "additional_packets must be items in an order, got {'content': 'a'}",
    ),
    (
        {"additional_packets": ["a"]},
        "additional_packets[0] must be a ContextPacket or a mapping with the field content, got 'a'",
    ),
    ({"additional_packets": [{}]}, "additional_packets[0].content must be a str, got None"),
    ({"additional_packets": [ContextPacket(3)]}, "additional_packets[0].content must be a str, got 3"),  # type: ignore[arg-type]
    (
        {"additional_packets": [{"content": "a", "score": 1}]},
        f"additional_packets[0] has no field 'score': the fields are {PACKET_FIELDS}",
    ),
    (
        {"additional_packets": [{"content": "a", "metadata": [1]}]},
        "additional_packets[0].metadata must be a mapping, got [1]",
    ),
    (
        {"additional_packets": [ContextPacket("a"), ContextPacket("b", relevance_score=NAN)]},
        "additional_packets[1].relevance_score must be a finite number or None, got nan",
    ),
    (
        {"additional_packets": [{"content": "a", "relevanceScore": "high"}]},
        "additional_packets[0].relevance_score must be a finite number or None, got 'high'",
    ),
    (
        {"additional_packets": [{"content": "a", "timestamp": True}]},
        "additional_packets[0].timestamp must be a finite number, a datetime or an ISO 8601 text, got True",
    ),
    (
        {"additional_packets": [{"content": "a", "timestamp": "soon"}]},
        "additional_packets[0].timestamp must be a time in ISO 8601, got 'soon'",
    ),
]


@pytest.mark.parametrize(("change", "message"), INPUTS)
def test_an_input_that_cannot_be_used_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as refusal:
        ContextBuilder().build(**({"user_query": "q"} | change))
    with pytest.raises(InputError) as awaited:
        asyncio.run(ContextBuilder().abuild(**({"user_query": "q"} | change)))

    assert str(refusal.value).startswith(message)
    assert str(refusal.value) == str(awaited.value)


def test_arguments_are_named() -> None:
    with pytest.raises(TypeError):
        ContextBuilder().build("q")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        ContextBuilder().build()  # type: ignore[call-arg]


def test_what_is_no_packet_gets_no_relevance() -> None:
    with pytest.raises(InputError, match="packet must be a ContextPacket or a mapping with the field content, got 'a'"):
        ContextPacketBuilder.with_relevance("a", 0.5)  # type: ignore[arg-type]
    assert ContextPacketBuilder.with_relevance({"content": "a"}, 0.5) == ContextPacket("a", relevance_score=0.5)


VECTORS: list[tuple[Any, str]] = [
    ([], "the embedder must give 3 vectors, one for the query and one a packet, got 0"),
    ([[1.0]] * 4, "the embedder must give 3 vectors, one for the query and one a packet, got 4"),
    (3, "the embedder must give 3 vectors, got 3"),
    ("abc", "the embedder must give 3 vectors, got 'abc'"),
    ({0: [1.0]}, "the embedder must give 3 vectors, got {0: [1.0]}"),
    ([1.0, 2.0, 3.0], "vectors of the embedder must have 2 dimensions (rows, components), got 1"),
    ([[1.0], [1.0, 2.0], [1.0]], "vectors of the embedder must be numbers in rows of one length, got [1.0, 2.0] for "),
    ([["a"], ["b"], ["c"]], "vectors of the embedder must be numbers in rows of one length, got 'a' for "),
    ([None, [1.0], [1.0]], "vectors of the embedder must be numbers in rows of one length, got None for "),
    ([[1.0], [1.0], [INFINITY]], "vectors of the embedder[2][0] must be finite, got inf"),
]


@pytest.mark.parametrize(("vectors", "message"), VECTORS)
def test_d19_what_are_no_vectors_is_an_embedding_error(vectors: Any, message: str) -> None:
    builder = ContextBuilder(config={"enableMmr": True, "embedder": lambda _: vectors})
    request: dict[str, Any] = {"user_query": "q", "additional_packets": [{"content": "a"}, {"content": "b"}]}

    with pytest.raises(EmbeddingError) as refusal:
        builder.build(**request)
    with pytest.raises(EmbeddingError) as awaited:
        asyncio.run(builder.abuild(**request))

    assert str(refusal.value).startswith(message)
    assert str(refusal.value) == str(awaited.value)


def test_vectors_may_be_read_once() -> None:
    builder = ContextBuilder(config={"enableMmr": True, "embedder": lambda texts: ([1.0] for _ in texts)})

    assert len(builder.build(user_query="q", additional_packets=[{"content": "a"}]).included_packets) == 1


def counter_that_fails(text: str) -> int:
    raise OSError(text)


@pytest.mark.parametrize(
    ("counter", "message"),
    [
        (lambda _: 1.5, "must give whole numbers of at least 0, got 1.5 for text 0"),
        (lambda _: -1, "must give whole numbers of at least 0, got -1 for text 0"),
        (lambda _: None, "must give whole numbers of at least 0, got None for text 0"),
        (counter_that_fails, r"failed: OSError\(''\)"),
    ],
)
def test_a_counter_that_counts_what_is_no_count_is_named(counter: Any, message: str) -> None:
    class Counting:
        def count(self, text: str) -> int:
            found: int = counter(text)
            return found

    for given in (counter, Counting()):
        with pytest.raises(InputError, match=f"token counter .* {message}"):
            ContextBuilder(config={"tokenCounter": given}).build(user_query="q")


@pytest.mark.parametrize("ratio", [0, -1, NAN, "4"])
def test_a_ratio_is_above_0(ratio: Any) -> None:
    with pytest.raises(ConfigError, match="chars_per_token must be a finite number above 0, got "):
        packets.create_token_counter(chars_per_token=ratio)
    with pytest.raises(
        ConfigError, match="options has no field 'ratio': the fields are chars_per_token, encoding_name"
    ):
        packets.create_token_counter({"ratio": ratio})


def test_options_of_a_counter_are_a_mapping() -> None:
    with pytest.raises(ConfigError, match="options must be a mapping or None, got 5"):
        packets.create_token_counter(5)  # type: ignore[arg-type]


def test_an_encoding_is_one_that_is_built_in() -> None:
    with pytest.raises(ConfigError, match="encoding must be one of `cl100k_base`, `o200k_base`, got 'p50k_base'"):
        packets.create_token_counter(encoding_name="p50k_base")  # type: ignore[arg-type]


@pytest.mark.parametrize("dim", [0, -1, 2.0, True])
def test_dimensions_are_whole_numbers(dim: Any) -> None:
    with pytest.raises(ConfigError, match="dim must be a whole number from 1 to "):
        packets.create_default_text_embedder(dim)
