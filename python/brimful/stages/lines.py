"""Lines: texts with a newline between them, counted as some are taken out and put back."""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import TYPE_CHECKING, Final, TypeAlias

from brimful.stages.counters import ExactCounter, count_with
from brimful.stages.exact_lines import ExactLines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brimful.protocols import TokenCounter

_NEWLINE: Final = "\n"


class MeasuredLines:
    r"""Lines by any counter: what is in is counted as a whole, whenever that is asked for.

    >>> from brimful.stages.counting import RuleCounter
    >>> lines = MeasuredLines(["one", "two three", "four"], RuleCounter("chars_div_4"))
    >>> lines.drop([2, 1, 0], 3), lines.text(), lines.total
    (1, 'one\ntwo three', 3)
    """

    __slots__ = ("_counter", "_kept", "_known", "_texts", "counts")

    def __init__(self, texts: Sequence[str], counter: TokenCounter) -> None:
        self._texts = list(texts)
        self._counter = counter
        self._kept = list(range(len(texts)))
        self._known: int | None = None
        self.counts = count_with(counter, self._texts)

    @property
    def total(self) -> int:
        """The tokens of the lines that are in."""
        if self._known is None:
            self._known = self._measure(self._kept)
        return self._known

    def remove(self, place: int) -> None:
        """Take a line out."""
        del self._kept[bisect_left(self._kept, place)]
        self._known = None

    def insert(self, place: int, text: str | None = None) -> None:
        """Put a line back that was taken out, or another text in its place."""
        if text is not None:
            self._texts[place] = text
            [self.counts[place]] = count_with(self._counter, [text])
        insort(self._kept, place)
        self._known = None

    def drop(self, order: Sequence[int], budget: int) -> int:
        """Take lines out in this order until the rest is within the budget, and return how many were.

        How many is found by halving: fewer lines must not count more.
        """
        if self.total <= budget:
            return 0
        fewest, most = 1, len(order)
        while fewest < most:
            middle = (fewest + most) // 2
            gone = set(order[:middle])
            fits = self._measure([place for place in self._kept if place not in gone]) <= budget
            fewest, most = (fewest, middle) if fits else (middle + 1, most)
        gone = set(order[:most])
        self._kept = [place for place in self._kept if place not in gone]
        self._known = None
        return most

    def places(self) -> list[int]:
        """Return the places of the lines that are in."""
        return list(self._kept)

    def text(self) -> str:
        """Return the lines that are in, joined."""
        return _NEWLINE.join([self._texts[place] for place in self._kept])

    def _measure(self, places: Iterable[int]) -> int:
        [tokens] = count_with(self._counter, [_NEWLINE.join([self._texts[place] for place in places])])
        return tokens


Lines: TypeAlias = ExactLines | MeasuredLines


def count_lines(texts: Sequence[str], counter: TokenCounter) -> Lines:
    """Return the texts as lines, by the rules of an encoding where the counter has one, else by measuring.

    >>> from brimful.stages.counters import from_callable
    >>> count_lines(["a", "b"], from_callable(len)).total
    3
    """
    if type(counter) is ExactCounter:
        return ExactLines(texts, counter.encoding)
    return MeasuredLines(texts, counter)
