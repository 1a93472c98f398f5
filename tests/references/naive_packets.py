"""The rules of seed 004 in plain Python, nothing shared with the package: what the vectors and the bench are held by.

Inputs and options are spelt as the seed spells them. `words` says what a word is: runs of ASCII in the original.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    Vector: TypeAlias = dict[Any, float]
    Words: TypeAlias = Callable[[str], list[str]]

DEFAULTS = {
    "maxTokens": 4096,
    "minRelevance": 0,
    "enableMmr": False,
    "mmrLambda": 0.5,
    "historyTokenBudget": 1024,
    "recencyWeight": 0.3,
    "recencyTau": 3_600_000,
}


@dataclass
class Built:
    """`chosen` and `filtered` are indices of packets, `worth` what each of the filtered is worth, `scores` of picks."""

    history: list[dict[str, str]]
    chosen: list[int]
    total: int
    filtered: list[int]
    worth: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)


def ascii_words(text: str) -> list[str]:
    return [word for word in re.split(r"[^A-Za-z0-9_]+", text.lower()) if word]


def count_tokens(text: str) -> int:
    return math.ceil(len(text.encode("utf-16-le", "surrogatepass")) // 2 / 4)


def build(
    given: dict[str, Any],
    options: dict[str, Any],
    now: float,
    *,
    count: Callable[[str], int] = count_tokens,
    vectors: Sequence[Sequence[float]] | None = None,
    words: Words = ascii_words,
) -> Built:
    config = DEFAULTS | {name: value for name, value in options.items() if value is not None}
    system = count(given.get("systemInstructions") or "")
    budget = config["maxTokens"] - system
    history = keep_newest(
        given.get("conversationHistory") or [], min(config["historyTokenBudget"], math.floor(0.6 * budget)), count
    )
    talked = total(count(turn["content"]) for turn in history)
    packets = given.get("additionalPackets") or []
    filtered = [
        index for index, packet in enumerate(packets) if default(packet, "relevanceScore", 1) >= config["minRelevance"]
    ]
    kept = [packets[index] for index in filtered]
    costs = [count(packet["content"]) for packet in kept]
    if config["enableMmr"]:
        texts = [given["userQuery"], *(packet["content"] for packet in kept)]
        rows = weigh(texts, words) if vectors is None else [dict(enumerate(vector)) for vector in vectors]
        worth = [
            composite(packet, cosine(rows[0], row), config, now) for packet, row in zip(kept, rows[1:], strict=True)
        ]
        places, scores = pick(rows[1:], worth, costs, budget - talked, config["mmrLambda"])
    else:
        worth = [composite(packet, default(packet, "relevanceScore", 0.5), config, now) for packet in kept]
        places = first_fit(worth, costs, budget - talked)
        scores = [worth[place] for place in places]
    spent = system + talked + total(costs[place] for place in places)
    return Built(history, [filtered[place] for place in places], spent, filtered, worth, scores)


def default(packet: dict[str, Any], name: str, value: float) -> float:
    found: float | None = packet.get(name)
    return value if found is None else found


def total(numbers: Any) -> int:
    added = 0
    for number in numbers:
        added += number
    return added


def keep_newest(turns: list[dict[str, str]], budget: int, count: Callable[[str], int]) -> list[dict[str, str]]:
    kept: list[dict[str, str]] = []
    for turn in reversed(turns):
        budget -= count(turn["content"])
        if budget < 0:
            break
        kept.insert(0, turn)
    return kept


def composite(packet: dict[str, Any], relevance: float, config: dict[str, Any], now: float) -> float:
    age = max(now - default(packet, "timestamp", now), 0)
    weight = config["recencyWeight"]
    return float((1 - weight) * relevance + weight * math.exp(-age / config["recencyTau"]))


def first_fit(worth: Sequence[float], costs: Sequence[int], budget: int) -> list[int]:
    taken = []
    for place in sorted(range(len(worth)), key=lambda place: -worth[place]):
        if costs[place] <= budget:
            budget -= costs[place]
            taken.append(place)
    return taken


def pick(
    rows: Sequence[Vector], worth: Sequence[float], costs: Sequence[int], budget: int, share: float
) -> tuple[list[int], list[float]]:
    left = list(range(len(rows)))
    nearest: list[float | None] = [None] * len(rows)
    picks: list[int] = []
    scores: list[float] = []
    while budget > 0:
        fitting = [place for place in left if costs[place] <= budget]
        if not fitting:
            break
        marks = {place: share * worth[place] - (1 - share) * (nearest[place] or 0.0) for place in fitting}
        best = max(fitting, key=lambda place: (marks[place], -place))
        picks.append(best)
        scores.append(marks[best])
        left.remove(best)
        budget -= costs[best]
        for place in left:
            alike = cosine(rows[place], rows[best])
            before = nearest[place]
            nearest[place] = alike if before is None else max(before, alike)
    return picks, scores


def weigh(texts: Sequence[str], words: Words) -> list[Vector]:
    rows = [words(text) for text in texts]
    having = Counter(word for row in rows for word in dict.fromkeys(row))
    idfs = {word: math.log((len(rows) + 1) / (number + 1)) + 1 for word, number in having.items()}
    return [{word: number / len(row) * idfs[word] for word, number in Counter(row).items()} for row in rows]


def cosine(left: Vector, right: Vector) -> float:
    dot = 0.0
    for key, value in left.items():
        if key in right:
            dot += value * right[key]
    norms = norm(left) * norm(right)
    return dot / norms if norms > 0 else 0.0


def norm(vector: Vector) -> float:
    squares = 0.0
    for value in vector.values():
        squares += value * value
    return math.sqrt(squares)
