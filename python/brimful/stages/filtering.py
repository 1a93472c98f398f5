"""What is blank, too weak or too short to compete."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from brimful.characters import INVISIBLE, LINE_SEPARATORS, SPACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.types import Reason

_BLANK: Final = re.compile(f"[{SPACES}{LINE_SEPARATORS}{INVISIBLE}]*+")


def why_unfit(
    text: str, score: float | None, tokens: int, *, min_score: float | None, min_tokens: int
) -> Reason | None:
    """Return why an item does not compete, or None when it does.

    A text with nothing visible in it never competes: a citation of it would lead nowhere. An item without a score
    passes `min_score`.

    >>> why_unfit("Water is wet.", 0.2, 40, min_score=0.3, min_tokens=1)
    'below_min_score'
    """
    if _BLANK.fullmatch(text):
        return "blank"
    if min_score is not None and score is not None and score < min_score:
        return "below_min_score"
    return "below_min_tokens" if tokens < min_tokens else None


def at_least(values: Sequence[float], minimum: float) -> list[int]:
    """Return the indices of the values that reach a minimum.

    >>> at_least([5, 3, 5.5], 5)
    [0, 2]
    """
    return [index for index, value in enumerate(values) if value >= minimum]
