"""What the parts of the rendering weigh, so that filling is adding up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from brimful.render.prompt import BLANK_LINE, HEADING_BLOCK, render_block, render_question
from brimful.stages.ordering import arrange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.config import Order
    from brimful.render.prompt import Source
    from brimful.stages.weighing import Scale


@dataclass(frozen=True, slots=True)
class Prices:
    """Weights in parts of a token; where the scale is additive they add up to the weight of the whole exactly.

    `question` and `heading` are those of their blocks, `numerals[n]` what a number of n + 1 digits weighs more than one
    of a single digit, `sources` each source with the number 1 and the blank line behind it. `ends` is what a source
    weighs less where it ends the text, without that blank line; empty where a question follows, or nothing is known.
    """

    question: int
    heading: int
    numerals: tuple[int, ...]
    sources: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, sources: Sequence[Source], query: str | None, scale: Scale) -> Prices:
        """Weigh the sources and what stands around them."""
        blocks = [render_block(1, source) for source in sources]
        lengths = range(1, len(str(len(sources))) + 1)
        numerals = [f"[{'1' * length}]\n" for length in lengths]
        weighed = scale.weigh_behind(HEADING_BLOCK, [*numerals, *blocks])
        costs = weighed[len(numerals) :]
        ends: list[int] = []
        if query is None and scale.additive:
            bare = scale.weigh([block.removesuffix(BLANK_LINE) for block in blocks])
            ends = [cost - without for cost, without in zip(costs, bare, strict=True)]
        question, heading = scale.weigh([render_question(query), HEADING_BLOCK])
        digits = tuple(weight - weighed[0] for weight in weighed[: len(numerals)])
        return cls(question, heading, digits, tuple(costs), tuple(ends))

    def of_place(self, place: int) -> int:
        """Weigh what the source at a place, from 1, adds: the heading of the first, the digits of later numbers."""
        return self.heading if place == 1 else self.numerals[len(str(place)) - 1]


@dataclass(slots=True)
class WindowAccount:
    """The room of a window, in parts of a token, as sources are taken for it.

    Places are those of the line: `line[place]` is the index of the document. Of the source that ends the text the blank
    line behind it is not weighed; which one that is, the order decides.
    """

    prices: Prices
    line: Sequence[int]
    order: Order
    room: int
    taken: int = field(default=0, init=False)
    outermost: list[int] = field(default_factory=list, init=False)

    def cost_of(self, place: int, /) -> int:
        """Return what a source weighs with a number of one digit and a blank line behind it."""
        return self.prices.sources[place]

    def room_for(self, place: int, /) -> int:
        """Return what the source may weigh beside those taken."""
        return self.room - self.prices.of_place(self.taken + 1) + self._saved([*self.outermost, place])

    def take(self, place: int, /) -> None:
        """Take a source."""
        self.taken += 1
        self.room -= self.prices.of_place(self.taken) + self.prices.sources[place]
        self.outermost = find_outermost([*self.outermost, place], self.line)

    def _saved(self, places: Sequence[int]) -> int:
        if not self.prices.ends:
            return 0
        return self.prices.ends[find_last(places, self.line, self.order)]


def find_last(places: Sequence[int], line: Sequence[int], order: Order) -> int:
    """Return which of the places ends the text."""
    by_item = {line[place]: place for place in sorted(places)}
    return by_item[arrange(list(by_item), order)[-1]]


def find_outermost(places: Sequence[int], line: Sequence[int]) -> list[int]:
    """Return the few of the places that decide which one ends the text, also beside others.

    In every order that is the first, the second or the last of the ranking, or the last of the input.
    """
    ranked = sorted(places)
    return sorted({*ranked[:2], *ranked[-1:], *sorted(ranked, key=line.__getitem__)[-1:]})
