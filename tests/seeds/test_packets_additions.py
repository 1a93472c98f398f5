"""What seed 004 does not have: messages with the packets, warnings, a cap that is one, times, counters, the trace."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.packets import ContextBuilder, ContextPacket, Message, create_token_counter, estimate_tokens
from brimful.errors import BudgetError, ConfigError
from brimful.stages.counters import ExactCounter, from_callable

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = 1_700_000_000_000
LONG = "one two three four five six seven eight"  # 10 tokens


def make(**options: Any) -> ContextBuilder:
    return ContextBuilder(config=options, clock=lambda: NOW)


def test_messages_to_send_have_the_instructions_and_the_packets() -> None:
    result = make().build(
        user_query="Is water wet?",
        system_instructions="Be brief.",
        conversation_history=[Message("user", "Hi."), Message("assistant", "Hello.")],
        additional_packets=[ContextPacket("Water is wet.", {"source": "docs"}), ContextPacket("[1] is a lie.")],
    )

    assert result.to_messages() == [
        {
            "role": "system",
            "content": "Be brief.\n\n# Sources\n\n[1] docs\nWater is wet.\n\n[2]\n\\[1] is a lie.",
        },
        {"role": "user", "content": "Hi."},
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": "Is water wet?"},
    ]


def test_without_instructions_and_packets_there_is_no_system_message() -> None:
    assert make().build(user_query="q").to_messages() == [{"role": "user", "content": "q"}]
    assert make().build(user_query="q", system_instructions="Be brief.").to_messages()[0]["content"] == "Be brief."


def test_d23_instructions_over_their_cap_are_kept_with_a_warning() -> None:
    result = make(systemTokenBudget=4).build(user_query="q", system_instructions=LONG)

    assert (result.system, result.total_tokens, result.truncated) == (LONG, 10, False)
    assert result.warnings == ("system_instructions have 10 tokens, their cap is 4: kept whole",)


def test_d23_instructions_are_cut_at_a_word_where_asked() -> None:
    result = make(systemTokenBudget=4, systemOverflow="truncate").build(user_query="q", system_instructions=LONG)

    assert (result.system, result.total_tokens, result.truncated) == ("one two three", 4, True)
    assert result.warnings == ("system_instructions have 10 tokens, their cap is 4: cut to 4",)


@pytest.mark.parametrize("cap", range(12))
@pytest.mark.parametrize("counter", [None, len, ExactCounter(), create_token_counter(chars_per_token=1.5)])
@pytest.mark.parametrize("text", [LONG, "x" * 40, "👨\u200d👩\u200d👧" * 4, "e\u0301" * 12])
def test_d23_what_is_cut_fits_and_begins_the_text(cap: int, counter: Any, text: str) -> None:
    builder = make(systemTokenBudget=cap, systemOverflow="truncate", tokenCounter=counter)

    system = builder.build(user_query="q", system_instructions=text).system

    assert text.startswith(system)
    assert estimate_tokens(system, counter) <= cap
    assert system == text or not text.startswith("e") or len(system) % 2 == 0


def test_d23_instructions_over_their_cap_are_refused_where_asked() -> None:
    builder = make(systemTokenBudget=4, systemOverflow="raise")

    with pytest.raises(BudgetError, match="system_instructions have 10 tokens, their cap is 4") as refusal:
        builder.build(user_query="q", system_instructions=LONG)
    assert (refusal.value.needed, refusal.value.available) == (10, 4)
    assert builder.build(user_query="q", system_instructions="one two three").warnings == ()


def test_d23_the_cap_is_not_above_the_whole_budget() -> None:
    result = make(maxTokens=5, systemOverflow="truncate").build(user_query="q", system_instructions=LONG)

    assert result.total_tokens <= 5
    assert "their cap is 5" in result.warnings[0]


def test_the_trace_has_a_decision_a_packet_and_a_message() -> None:
    packets = [
        ContextPacket("a" * 4, {"id": "A"}, relevance_score=0.9),
        ContextPacket("b" * 400, {"source": "S", "id": "B"}, relevance_score=0.8),
        ContextPacket("\ud800", relevance_score=0.1),
    ]
    turns = [{"role": "user", "content": text} for text in ("first", "x" * 400, "last")]

    result = make(maxTokens=20, minRelevance=0.5).build(
        user_query="q", conversation_history=turns, additional_packets=packets
    )

    assert [(row.item, row.label, row.fate, row.reason, row.tokens, row.repaired) for row in result.trace] == [
        (0, "A", "included", "fits", 1, False),
        (1, "S", "dropped", "over_budget", 100, False),
        (2, "additional_packets[2]", "dropped", "below_min_score", 1, True),
    ]
    assert [row.score for row in result.trace] == [0.9, 0.8, 0.1]
    assert [row.relevance for row in result.trace] == [pytest.approx(0.93), pytest.approx(0.86), None]
    assert [(row.label, row.fate, row.reason, row.tokens) for row in result.history_trace] == [
        ("conversation_history[0]", "dropped", "before_a_dropped_turn", 2),
        ("conversation_history[1]", "dropped", "over_budget", 100),
        ("conversation_history[2]", "included", "fits", 1),
    ]


def test_additions_are_in_neither_equality_nor_repr() -> None:
    packets = [{"content": "a"}]
    one = make().build(user_query="q", additional_packets=packets)
    other = make(systemTokenBudget=511, recencyTau=1.0, recencyWeight=0.4).build(
        user_query="q", additional_packets=packets
    )

    assert one == other
    assert one.trace != other.trace
    assert repr(one) == (
        "packets.BuiltContext(system='', messages=[packets.Message(role='user', content='q')], total_tokens=1, "
        "included_packets=[packets.ContextPacket(content='a', metadata={}, tokens=1, relevance_score=None, "
        "timestamp=None, type=None)], truncated=False)"
    )


def test_a_packet_keeps_its_type_and_the_place_of_its_fields() -> None:
    [found] = (
        make()
        .build(user_query="q", additional_packets=[ContextPacket("a", {}, 9, 0.5, NOW, "memory")])
        .included_packets
    )

    assert found == ContextPacket("a", {}, tokens=1, relevance_score=0.5, timestamp=NOW, type="memory")


@pytest.mark.parametrize(
    "moment",
    [
        NOW - 3_600_000,
        "2023-11-14T21:13:20Z",
        "2023-11-14T22:13:20+01:00",
        datetime(2023, 11, 14, 21, 13, 20),  # noqa: DTZ001 - naive, on purpose
        datetime(2023, 11, 14, 21, 13, 20, tzinfo=UTC),
    ],
)
def test_a_timestamp_is_milliseconds_or_a_time(moment: Any) -> None:
    result = make(recencyWeight=1).build(user_query="q", additional_packets=[{"content": "a", "timestamp": moment}])

    assert result.trace[0].relevance == pytest.approx(0.36787944117144233)
    assert result.included_packets[0].timestamp == moment


def test_the_clock_is_read_once_a_build_and_is_ours_where_none_is_given() -> None:
    ticks = iter([NOW, NOW + 3_600_000])
    builder = ContextBuilder(clock=lambda: next(ticks))
    packets = [{"content": text, "timestamp": NOW} for text in "ab"]

    seen = [builder.build(user_query="q", additional_packets=packets).trace for _ in range(2)]

    assert [row.relevance for trace in seen for row in trace] == pytest.approx([0.65, 0.65, 0.4603638, 0.4603638])
    assert ContextBuilder(config={"recencyWeight": 1}).build(
        user_query="q", additional_packets=[{"content": "a", "timestamp": 0}]
    ).trace[0].relevance == pytest.approx(0.0)


class Batches:
    """A counter of the package's kind, which says nothing of itself."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def count(self, texts: Any, /) -> list[int]:
        self.asked.append(texts)
        return [7 for _ in texts]


@pytest.mark.parametrize(
    "counter",
    [
        lambda _: 7,  # D19: a bare function
        SimpleNamespace(count=lambda _: 7),
        from_callable(lambda _: 7),
        Batches(),
        SimpleNamespace(count=lambda texts: [7 for _ in texts], approximate=False),
    ],
)
def test_d19_a_counter_is_a_function_or_counts_one_text_or_many(counter: Any) -> None:
    result = make(tokenCounter=counter).build(user_query="q", additional_packets=[{"content": "a"}, {"content": "b"}])

    assert [row.tokens for row in result.trace] == [7, 7]
    assert estimate_tokens("some text", counter) == 7


def test_a_counter_of_many_texts_gets_them_at_once() -> None:
    counter = Batches()

    make(tokenCounter=counter).build(user_query="q", system_instructions="s", additional_packets=[{"content": "a"}])

    assert counter.asked[-1] == ["s", "a"]


def test_a_counter_that_is_made_takes_one_text_or_many() -> None:
    for counter in (create_token_counter(), create_token_counter(encoding_name="o200k_base")):
        assert counter.count("hello world") == counter.count(["hello world"])[0]
    assert create_token_counter({"encodingName": "o200k_base"}) == create_token_counter(encoding_name="o200k_base")
    assert create_token_counter({"chars_per_token": 2}) == create_token_counter(chars_per_token=2)
    assert create_token_counter().approximate
    assert not create_token_counter(encoding_name="cl100k_base").approximate
    assert create_token_counter(encoding_name="cl100k_base").count("internationa") == 3


async def aembed(texts: list[str]) -> list[list[float]]:
    await asyncio.sleep(0)
    return [[1.0, float(len(text))] for text in texts]


class AsyncMemory:
    async def encode(self, texts: list[str]) -> list[list[float]]:
        return await aembed(texts)


class AsyncCallable:
    async def __call__(self, texts: list[str]) -> list[list[float]]:
        return await aembed(texts)


ASYNC: list[dict[str, Any]] = [
    {"embedder": aembed},
    {"embedder": lambda texts: aembed(texts)},  # noqa: PLW0108 - a plain function that gives something to await
    {"embedder": AsyncCallable()},
    {"memory_embedder": AsyncMemory()},
]
PACKETS = [{"content": "long " * 20}, {"content": "qq"}]


@pytest.mark.parametrize("options", ASYNC)
def test_an_async_embedder_is_awaited(options: dict[str, Any]) -> None:
    builder = make(enable_mmr=True, mmr_lambda=1.0, **options)

    result = asyncio.run(builder.abuild(user_query="qq", additional_packets=PACKETS))

    assert [packet.content for packet in result.included_packets] == ["qq", "long " * 20]
    assert result.warnings == ()


@pytest.mark.parametrize("options", ASYNC)
def test_build_refuses_an_async_embedder(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"embedder is async, .* use `await builder.abuild\(...\)`, got "):
        make(enable_mmr=True, **options).build(user_query="q", additional_packets=PACKETS)


def test_build_asks_no_embedder_where_it_has_no_say() -> None:
    for options, packets in (({"enable_mmr": False}, PACKETS), ({"enable_mmr": True}, [])):
        assert make(embedder=aembed, **options).build(user_query="q", additional_packets=packets).warnings == ()


async def fail(_: list[str]) -> None:
    await asyncio.sleep(0)
    message = "no service"
    raise OSError(message)


def fail_while_read(texts: list[str]) -> Iterator[list[float]]:
    yield [float(len(texts))]
    message = "no service"
    raise OSError(message)


@pytest.mark.parametrize("embedder", [fail, fail_while_read, lambda _: 1 / 0, lambda _: None])
def test_an_embedder_that_fails_is_a_warning_when_awaited_too(embedder: Any) -> None:
    result = asyncio.run(make(enable_mmr=True, embedder=embedder).abuild(user_query="q", additional_packets=PACKETS))

    [warning] = result.warnings
    assert warning.startswith("the embedder failed, so words (TF-IDF) say what is similar: ")


def test_an_embedder_that_fails_while_it_is_read_is_a_warning() -> None:
    result = make(enable_mmr=True, embedder=fail_while_read).build(user_query="q", additional_packets=PACKETS)

    assert result.warnings == ("the embedder failed, so words (TF-IDF) say what is similar: OSError('no service')",)
    assert len(result.included_packets) == len(PACKETS)


@pytest.mark.parametrize("size", [3, 400])
@pytest.mark.parametrize("mmr", [True, False])
def test_the_async_build_is_the_build(size: int, *, mmr: bool) -> None:
    packets = [{"content": f"word{place % 7} other{place % 5} " * 20} for place in range(size)]
    builder = make(enableMmr=mmr, maxTokens=2_000)

    awaited = asyncio.run(builder.abuild(user_query="word1 other2", additional_packets=packets))

    assert awaited == builder.build(user_query="word1 other2", additional_packets=packets)


def test_what_else_a_message_has_is_passed_over_as_in_the_original() -> None:
    turn = {"role": "user", "content": "one", "name": "ada", "id": 3}

    result = ContextBuilder().build(user_query="q", conversation_history=[turn])

    assert [(message.role, message.content) for message in result.messages] == [("user", "one"), ("user", "q")]
