"""What became of every packet and of every message: put down in columns, written out when asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from brimful.types import Decision

if TYPE_CHECKING:
    from brimful.types import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """Columns, one item a packet or a message, in the order given.

    `merits` are those of the packets that passed the filter, `chosen` the packets included; history is kept from its
    `oldest` message on; `repaired` are those in which lone surrogates were replaced.
    """

    labels: tuple[str, ...] = ()
    tokens: tuple[int, ...] = ()
    scores: tuple[float | None, ...] = ()
    merits: dict[int, float] = field(default_factory=dict)
    chosen: frozenset[int] = frozenset()
    repaired: frozenset[int] = frozenset()
    oldest: int = 0
    history_tokens: tuple[int, ...] = ()
    history_repaired: frozenset[int] = frozenset()

    def decide_packets(self) -> tuple[Decision, ...]:
        """Return a decision a packet."""
        return tuple(
            Decision(
                item=item,
                label=label or f"additional_packets[{item}]",
                fate="included" if item in self.chosen else "dropped",
                reason=self._why(item),
                tokens=self.tokens[item],
                score=self.scores[item],
                relevance=self.merits.get(item),
                repaired=item in self.repaired,
            )
            for item, label in enumerate(self.labels)
        )

    def _why(self, item: int) -> Reason:
        if item in self.chosen:
            return "fits"
        return "over_budget" if item in self.merits else "below_min_score"

    def decide_history(self) -> tuple[Decision, ...]:
        """Return a decision a message."""
        reasons: dict[int, Reason] = {-1: "over_budget"}
        return tuple(
            Decision(
                item=item,
                label=f"conversation_history[{item}]",
                fate="included" if item >= self.oldest else "dropped",
                reason="fits" if item >= self.oldest else reasons.get(item - self.oldest, "before_a_dropped_turn"),
                tokens=tokens,
                repaired=item in self.history_repaired,
            )
            for item, tokens in enumerate(self.history_tokens)
        )


EMPTY: Final = Ledger()
