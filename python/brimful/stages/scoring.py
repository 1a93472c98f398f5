"""The order of merit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def rank(scores: Sequence[float | None]) -> list[int]:
    """Return the indices from the highest score to the lowest; ties, and then those without one, in input order.

    >>> rank([0.1, None, 0.9, 0.1])
    [2, 0, 3, 1]
    """
    return sorted(range(len(scores)), key=lambda index: _merit(scores[index]))


def _merit(score: float | None) -> tuple[bool, float]:
    return (True, 0.0) if score is None else (False, -score)
