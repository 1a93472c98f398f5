"""Counters as other systems have them: functions, and objects that count one text a call."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from brimful.stages.counters import CallableCounter, ExactCounter, check_counter
from brimful.stages.counting import EstimateCounter, RuleCounter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.protocols import TokenCounter


class TextCounter(Protocol):
    """Counts the tokens of one text a call, as those of many systems do."""

    def count(self, text: str, /) -> int:
        """Return the tokens of a text."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class AskedCounter:
    """Somebody's counter: asked text by text, as other systems do.

    One that answers with a list, or says whether it is `approximate`, is a `TokenCounter`: it is asked for all texts at
    once.
    """

    counter: Any

    def __repr__(self) -> str:
        """Show the counter, which is what a message is about."""
        return repr(self.counter)

    def count(self, texts: Sequence[str], /) -> object:
        """Return what the counter says, unchecked."""
        if hasattr(self.counter, "approximate"):
            return self.counter.count(texts)
        if not texts:
            return []
        first = self.counter.count(texts[0])
        if isinstance(first, numbers.Number) or not hasattr(first, "__len__"):
            return [first, *(self.counter.count(text) for text in texts[1:])]
        return self.counter.count(texts)


OURS: Final = (RuleCounter, EstimateCounter, ExactCounter, CallableCounter)
"""They count many texts at a time."""


def take_counter(given: object) -> TokenCounter:
    """Return a counter of many texts: a function's, or an object's with `count`, which may take one text or many.

    Raises ConfigError for anything else.

    >>> take_counter(len).count(["abc", ""])
    [3, 0]
    """
    if callable(given) and not hasattr(given, "count"):
        return CallableCounter(given)
    checked = check_counter(given)
    return checked if isinstance(checked, OURS) else cast("TokenCounter", AskedCounter(checked))
