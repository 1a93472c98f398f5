"""What items are worth, and the order of merit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from brimful.config import as_finite, check_share, show
from brimful.errors import ConfigError, InputError
from brimful.kernels import active
from brimful.kernels.candidates import read_scores

if TYPE_CHECKING:
    from collections.abc import Sequence


def rank(scores: Sequence[float | None]) -> list[int]:
    """Return the indices from the highest score to the lowest; ties, and then those without one, in input order.

    >>> rank([0.1, None, 0.9, 0.1])
    [2, 0, 3, 1]
    """
    merits = [0.0 if score is None else -score for score in scores]
    known = [index for index, score in enumerate(scores) if score is not None]
    unknown = [index for index, score in enumerate(scores) if score is None]
    return sorted(known, key=merits.__getitem__) + unknown


def min_max(scores: Sequence[float]) -> list[float]:
    """Return scores between 0 (the lowest) and 1 (the highest); all 1 where all are equal, or too near to part.

    >>> min_max([2.0, 4.0, 3.0])
    [0.0, 1.0, 0.5]
    """
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    # Halves, so that the distance of two finite scores is finite.
    width = high / 2 - low / 2
    return [(score / 2 - low / 2) / width if width > 0 else 1.0 for score in scores]


def by_rank(scores: Sequence[float]) -> list[float]:
    """Return scores between 0 (the lowest) and 1 (the highest) at even distances; equal scores get equal ones.

    >>> by_rank([10.0, 30.0, 10.0, 20.0])
    [0.0, 1.0, 0.0, 0.5]
    """
    places = {score: place for place, score in enumerate(sorted(set(scores)))}
    highest = max(1, len(places) - 1)
    return [places[score] / highest if len(places) > 1 else 1.0 for score in scores]


def recency(ages: Sequence[float], tau: float) -> list[float]:
    """Return `exp(-age / tau)`, an age below 0 counting as 0; ages and tau in one unit of time.

    Raises ConfigError for a tau that is no finite number above 0, InputError for an age that is no finite number.

    >>> recency([0.0, -5.0], 3600.0)
    [1.0, 1.0]
    """
    unit = as_finite(tau)
    if unit is None or unit <= 0:
        message = f"tau must be a finite number above 0, got {show(tau)}"
        raise ConfigError(message)
    return [math.exp(-max(age, 0.0) / unit) for age in read_scores("ages", ages, len(ages)).tolist()]


def halved(ages: Sequence[float], half_life: float) -> list[float]:
    """Return `exp(-ln 2 / half_life * age)`: 1 at age 0, a half after each half-life, more than 1 before.

    Raises InputError with the index of an age too far below 0 for a float.

    >>> halved([0.0, 24.0, -24.0], 24.0)
    [1.0, 0.5, 2.0]
    """
    rate = math.log(2) / half_life
    factors = []
    for index, age in enumerate(ages):
        try:
            factors.append(math.exp(-rate * age))
        except OverflowError:
            message = f"ages[{index}] must not be that far below 0, got {show(age)} at a half-life of {show(half_life)}"
            raise InputError(message) from None
    return factors


def weighted_sums(columns: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """Return the weighted sum of each row of some columns, added up from left to right.

    >>> weighted_sums([[1.0, 0.0], [0.5, 0.5]], [0.75, 0.5])
    [1.0, 0.25]
    """
    totals = []
    for row in zip(*columns, strict=True):
        total = weights[0] * row[0]
        for weight, value in zip(weights[1:], row[1:], strict=True):
            total += weight * value
        totals.append(total)
    return totals


def composite(relevance: Sequence[float], recencies: Sequence[float], weight: float) -> list[float]:
    """Return `(1 - weight) * relevance + weight * recency` of each item.

    Raises ConfigError for a weight outside 0 to 1, InputError where there is not one recency an item.

    >>> composite([0.5], [1.0], 0.5)
    [0.75]
    """
    weight = check_share("weight", weight)
    pairs = zip(relevance, read_scores("recencies", recencies, len(relevance)).tolist(), strict=True)
    return [(1.0 - weight) * relevant + weight * recent for relevant, recent in pairs]


def text_relevance(query: str, texts: Sequence[str]) -> list[float]:
    """Return the BM25 score of each text for the query, between 0 and 1 by `min_max`."""
    return min_max(active().bm25_scores(query, texts).tolist())
