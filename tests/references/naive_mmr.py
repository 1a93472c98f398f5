"""MMR by the literal formula, with exact fractions for the similarities of integer vectors where that matters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def lanes_dot(left: Sequence[float], right: Sequence[float]) -> float:
    """The dot product as the contract has it, one addition at a time."""
    lanes = [0.0] * 16
    for place, (one, other) in enumerate(zip(left, right, strict=True)):
        lanes[place % 16] += one * other
    for apart in (8, 4, 2, 1):
        for lane in range(apart):
            lanes[lane] += lanes[lane + apart]
    return lanes[0]


def scaled(row: Sequence[float]) -> list[float]:
    largest = max(map(abs, row), default=0.0)
    if largest == 0 or 2.0**-300 <= largest <= 2.0**300:
        return list(row)
    exponent = math.frexp(largest)[1] - 1
    return [component * 2.0 ** -max(-1022, exponent) for component in row]


def cosine(left: Sequence[float], right: Sequence[float]) -> float:
    left, right = scaled(left), scaled(right)
    norms = math.sqrt(lanes_dot(left, left)) * math.sqrt(lanes_dot(right, right))
    return lanes_dot(left, right) / norms if norms > 0 else 0.0


def select(
    similarity: Callable[[int, int], float],
    relevance: Sequence[float],
    *,
    mmr_lambda: float,
    first: str,
    limit: int | None,
    costs: Sequence[int] | None,
    budget: int | None,
) -> tuple[list[int], list[float]]:
    """Score every candidate in every round against every pick."""
    picks: list[int] = []
    scores: list[float] = []
    left = math.inf if budget is None else budget
    while limit is None or len(picks) < limit:
        best: tuple[float, float, int] | None = None
        for index in range(len(relevance)):
            if index in picks or (costs is not None and budget is not None and costs[index] > left):
                continue
            nearest = max((similarity(index, pick) for pick in picks), default=0.0)
            score = mmr_lambda * relevance[index] - (1.0 - mmr_lambda) * nearest
            merit = relevance[index] if not picks and first == "relevance" else score
            if best is None or merit > best[0]:
                best = (merit, score, index)
        if best is None:
            break
        picks.append(best[2])
        scores.append(best[1])
        if costs is not None and budget is not None:
            left -= costs[best[2]]
    return picks, scores
