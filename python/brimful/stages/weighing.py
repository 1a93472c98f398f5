"""Weights of texts that are joined: what a counter says, in a unit that adds up where it can."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from brimful.stages.counters import ExactCounter, count_with
from brimful.stages.counting import PARTS_A_TOKEN, EstimateCounter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.protocols import TokenCounter


@dataclass(frozen=True, slots=True)
class Scale:
    r"""A counter as a scale: `parts` of a token are its unit.

    `additive`: the weights of blocks add up to that of the whole, where a block ends in a line break and the next
    begins with a character that is neither white space nor `/`. Estimates weigh bytes, so theirs always do. Those of
    the built-in encodings do because no piece reaches from one such block into the next. Of other counters nothing is
    known.

    >>> scale = Scale.of(ExactCounter())
    >>> scale.weigh(["[1]\none\n\n", "[2]\ntwo", "[1]\none\n\n[2]\ntwo"])
    [5, 4, 9]
    """

    counter: TokenCounter
    parts: int
    additive: bool

    @classmethod
    def of(cls, counter: TokenCounter) -> Scale:
        """Return the scale of a counter."""
        if type(counter) is EstimateCounter:
            return cls(counter, PARTS_A_TOKEN, additive=True)
        return cls(counter, 1, additive=type(counter) is ExactCounter)

    def weigh(self, texts: Sequence[str]) -> list[int]:
        """Return the weight of each text in parts of a token.

        Raises InputError for a counter that fails or counts what is no count.
        """
        if type(self.counter) is EstimateCounter:
            return self.counter.weigh(texts)
        return count_with(self.counter, texts)

    def weigh_behind(self, opening: str, texts: Sequence[str]) -> list[int]:
        """Return what each text adds behind an opening that ends in a line break.

        So what a counter adds to every text it counts, as the tokens for its beginning and end, falls out.
        """
        if self.additive:
            return self.weigh(texts)
        alone, *together = self.weigh([opening, *(f"{opening}{text}" for text in texts)])
        return [max(0, weight - alone) for weight in together]

    def count(self, text: str) -> int:
        """Return the tokens of a text."""
        return count_with(self.counter, [text])[0]
