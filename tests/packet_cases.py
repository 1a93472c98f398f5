"""The recorded cases of seed 004: read, and put to a builder of packets."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from brimful.builders.packets import ContextBuilder, create_token_counter
from brimful.builders.packets.assembly import Window, fill_window
from brimful.builders.packets.embedders import HashEmbedder
from brimful.builders.packets.front_door import Request, open_request
from brimful.builders.packets.similarity import choose_embedder, embed
from references import naive_packets, naive_tfidf

if TYPE_CHECKING:
    from collections.abc import Callable

    from brimful.builders.packets import BuiltContext

VECTORS = Path(__file__).parent / "seeds" / "vectors"
NUMBERS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def load(name: str) -> dict[str, Any]:
    """Numbers that JSON does not have are texts in the file."""
    read: dict[str, Any] = json.loads((VECTORS / name).read_text(encoding="utf-8"))
    return read


def number(value: Any) -> Any:
    if isinstance(value, list):
        return [number(item) for item in value]
    return NUMBERS.get(value, value) if isinstance(value, str) else value


def named(cases: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {case["id"]: case for case in cases}


VECTOR_FILE = load("packets.json")
UNITS: dict[str, list[dict[str, Any]]] = VECTOR_FILE["unit"]
HAND_MADE = named(VECTOR_FILE["cases"])
RANDOM = named(load("packets_random.json")["cases"])
CASES = HAND_MADE | RANDOM


def packets_of(case: dict[str, Any]) -> list[dict[str, Any]]:
    given = case["input"].get("additionalPackets") or []
    return [
        {name: number(value) if name in ("relevanceScore", "timestamp") else value for name, value in packet.items()}
        for packet in given
    ]


def fail(_: object) -> Any:
    message = "no service"
    raise RuntimeError(message)


def embedders_of(case: dict[str, Any]) -> dict[str, Any]:
    """The options that the embedder of a case is given by."""
    given = case["embedder"]
    if given is None:
        return {}

    def by_text(vectors: dict[str, Any]) -> Callable[[list[str]], list[Any]]:
        return lambda texts: [vectors[text] for text in texts]

    def memory(encode: Callable[[list[str]], Any]) -> SimpleNamespace:
        return SimpleNamespace(encode=encode)

    made: dict[str, Callable[[], dict[str, Any]]] = {
        "map": lambda: {"embedder": by_text(given["vectors"])},
        "both": lambda: {
            "embedder": by_text(given["vectors"]),
            "memoryEmbedder": memory(by_text(given["memoryVectors"])),
        },
        "returns": lambda: {"embedder": lambda _: number(given["value"])},
        "throws": lambda: {"embedder": fail},
        "throws_sync": lambda: {"embedder": fail},
        "memory_map": lambda: {"memoryEmbedder": memory(by_text(given["vectors"]))},
        "memory_returns": lambda: {"memoryEmbedder": memory(lambda _: number(given["value"]))},
        "memory_hash": lambda: {"memoryEmbedder": HashEmbedder(given["dimension"])},
    }
    return made[given["kind"]]()


def count_words(text: str) -> int:
    return len(text.split())


def counter_of(case: dict[str, Any]) -> Any:
    given = case["tokenCounter"]
    if given is None:
        return None
    counters: dict[str, Callable[[], Any]] = {
        "chars_per_token": lambda: create_token_counter(chars_per_token=given["value"]),
        "words": lambda: SimpleNamespace(count=count_words),
        "plain_function": lambda: count_words,
    }
    return counters[given["kind"]]()


def options_of(case: dict[str, Any]) -> dict[str, Any]:
    return {**case["config"], **embedders_of(case), "tokenCounter": counter_of(case)}


def builder_of(case: dict[str, Any]) -> ContextBuilder:
    return ContextBuilder(config=options_of(case), clock=lambda: float(case["now"]))


def arguments_of(case: dict[str, Any]) -> dict[str, Any]:
    given = case["input"]
    return {
        "user_query": given["userQuery"],
        "conversation_history": given.get("conversationHistory"),
        "system_instructions": given.get("systemInstructions"),
        "additional_packets": packets_of(case),
    }


def build(case: dict[str, Any]) -> BuiltContext:
    return builder_of(case).build(**arguments_of(case))


def look_inside(case: dict[str, Any]) -> tuple[Request, Window]:
    """What is decided, with the scores that a context does not show."""
    config = builder_of(case).config
    request = open_request(*arguments_of(case).values(), config=config, now=float(case["now"]))
    embedded = embed(choose_embedder(request, config), request)
    return request, fill_window(request, embedded, config)


@cache
def reference(identifier: str, *, unicode: bool) -> naive_packets.Built:
    """What the plain reading gives: with the words of the original, or with Unicode ones (D18)."""
    case = CASES[identifier]
    counters = {"words": count_words, "plain_function": count_words, "chars_per_token": lambda text: -(-len(text) // 2)}
    count = counters[case["tokenCounter"]["kind"]] if case["tokenCounter"] else naive_packets.count_tokens
    return naive_packets.build(
        case["input"] | {"additionalPackets": packets_of(case)},
        case["config"],
        case["now"],
        count=count,
        vectors=vectors_of(case),
        words=naive_tfidf.terms if unicode else naive_packets.ascii_words,
    )


def vectors_of(case: dict[str, Any]) -> list[Any] | None:
    """The vectors of the query and of the packets left; None where the embedder fails or there is none."""
    options = embedders_of(case)
    memory = options.get("memoryEmbedder")
    embedder = options.get("embedder") or (memory.encode if memory else None)
    if embedder is None or embedder is fail or not case["config"].get("enableMmr"):
        return None
    minimum = case["config"].get("minRelevance") or 0
    kept = [packet for packet in packets_of(case) if naive_packets.default(packet, "relevanceScore", 1) >= minimum]
    found: list[Any] | None = embedder([case["input"]["userQuery"], *(packet["content"] for packet in kept)])
    return found
