"""What is too weak or too short to compete."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brimful.types import Reason


def why_unfit(score: float | None, tokens: int, *, min_score: float | None, min_tokens: int) -> Reason | None:
    """Return why an item does not compete, or None when it does. An item without a score passes `min_score`.

    >>> why_unfit(0.2, 40, min_score=0.3, min_tokens=1)
    'below_min_score'
    """
    if min_score is not None and score is not None and score < min_score:
        return "below_min_score"
    return "below_min_tokens" if tokens < min_tokens else None
