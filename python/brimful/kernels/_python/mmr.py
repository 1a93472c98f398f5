"""Maximal marginal relevance: each pick is the most relevant of what repeats the earlier picks least."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from brimful.config import First


class Similarity(Protocol):
    """What the candidates are compared by."""

    def to(self, pick: int) -> NDArray[np.float64]:
        """Return the similarity of every candidate to one of them."""
        ...


def select(
    similarity: Similarity,
    relevance: NDArray[np.float64],
    *,
    mmr_lambda: float,
    first: First,
    limit: int | None,
    costs: NDArray[np.int64] | None,
    budget: int | None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Select candidates; `contract.Kernels.mmr_select_dense` specifies it. Every score is computed in every round."""
    free = list(range(len(relevance)))
    left = budget
    picks: list[int] = []
    scores: list[float] = []
    # Nothing is similar to nothing: before the first pick a score is lambda times the relevance.
    nearest = np.zeros(len(relevance))
    while limit is None or len(picks) < limit:
        if costs is not None and left is not None:
            free = [index for index in free if costs[index] <= left]
        if not free:
            break
        now = mmr_lambda * relevance - (1.0 - mmr_lambda) * nearest
        merit = relevance if not picks and first == "relevance" else now
        pick = max(free, key=lambda index: (merit[index], -index))
        if mmr_lambda < 1:  # at 1 similarity is not looked at
            found = similarity.to(pick)
            # Not `np.maximum`, which may take 0.0 for -0.0: of equals the earlier one stays, as in the core.
            nearest = np.where(found > nearest, found, nearest) if picks else found
        picks.append(pick)
        scores.append(float(now[pick]))
        free.remove(pick)
        if costs is not None and left is not None:
            left -= costs[pick]
    return np.array(picks, dtype=np.int64), np.array(scores, dtype=np.float64)
