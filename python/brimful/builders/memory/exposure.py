"""How much a card was seen of late."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from brimful.config import as_finite, show
from brimful.errors import ConfigError
from brimful.stores.moments import read_moment, utc_now

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from brimful.stores.cards import Card
    from brimful.stores.moments import Clock

WEEK_S: Final = 604_800.0


class ListsCards(Protocol):
    """Anything that has all cards."""

    def list_cards(self) -> Sequence[Card]:
        """Return all cards."""
        ...


@dataclass(frozen=True, slots=True)
class ExposureTracker:
    """Tells how exposed cards are: `frequency_weight * frequency + recency_weight * recency + dwell_weight * dwell`.

    Weights and half-life are the documented ones of the original; it adds, so that a new card does not count as
    nothing. What goes in is ours where the original does not say: frequency is `ln(1 + access_count)`, recency
    `2 ** (-age / half_life_s)` since the last access, or since a card was made that never had one, and dwell at most
    1. An age below 0 counts as 0.

    Raises ConfigError for a weight below 0 and a half-life that is not above 0.

    >>> from datetime import UTC, datetime
    >>> from brimful.stores.cards import Card
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> ExposureTracker().exposure_score(Card("a", created_at=noon), now=noon)
    0.4
    """

    adapter: ListsCards | None = None
    frequency_weight: float = field(default=0.4, kw_only=True)
    recency_weight: float = field(default=0.4, kw_only=True)
    dwell_weight: float = field(default=0.2, kw_only=True)
    half_life_s: float = field(default=WEEK_S, kw_only=True)
    clock: Clock = field(default=utc_now, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        """Check the numbers, and store plain floats."""
        for name in ("frequency_weight", "recency_weight", "dwell_weight", "half_life_s"):
            number = as_finite(getattr(self, name))
            if number is None or number < 0 or (name == "half_life_s" and number == 0):
                rule = "above 0" if name == "half_life_s" else "at least 0"
                message = f"{name} must be a finite number {rule}, got {show(getattr(self, name))}"
                raise ConfigError(message)
            object.__setattr__(self, name, number)

    def exposure_score(self, card: Card, *, now: datetime | None = None) -> float:
        """Return the exposure of a card, now or at that moment."""
        moment = read_moment("now", self.clock() if now is None else now)
        since = card.created_at if card.last_accessed is None else card.last_accessed
        age_s = max(0.0, (moment - since).total_seconds())
        frequency = math.log(1 + card.access_count)
        recency = math.pow(2.0, -age_s / self.half_life_s)
        seen = self.frequency_weight * frequency + self.recency_weight * recency
        return seen + self.dwell_weight * min(card.dwell, 1.0)

    def rank_by_exposure(self, cards: Sequence[Card] | None = None, *, now: datetime | None = None) -> list[Card]:
        """Return the cards, those of the adapter unless others are given, least exposed first, ties by id.

        Raises ConfigError where there is neither.
        """
        moment = self.clock() if now is None else now
        return sorted(self._cards(cards), key=lambda card: (self.exposure_score(card, now=moment), card.id))

    def low_exposure_cards(
        self, threshold: float = 1.0, cards: Sequence[Card] | None = None, *, now: datetime | None = None
    ) -> list[Card]:
        """Return the cards whose exposure is below the threshold, least exposed first."""
        moment = self.clock() if now is None else now
        ranked = self.rank_by_exposure(cards, now=moment)
        return [card for card in ranked if self.exposure_score(card, now=moment) < threshold]

    def _cards(self, cards: Sequence[Card] | None) -> Sequence[Card]:
        if cards is not None:
            return cards
        if self.adapter is None:
            message = "an ExposureTracker without an adapter must be given cards"
            raise ConfigError(message)
        return self.adapter.list_cards()
