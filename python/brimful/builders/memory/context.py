"""What a build gives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from brimful.render.explanation import explain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from brimful.errors import StoreError
    from brimful.stores.cards import Card
    from brimful.types import Decision


class MemoryContext(list[dict[str, Any]]):
    """The messages, a list of dicts as the original gives, with what is known about them beside.

    `used_cards` are the cards that the text shows, in the order of the tiers: retrieved, explored, constraints;
    `accessed` the ids of those whose access was recorded. `trace` has a decision for each card and cluster that
    competed. `notes` say what failed, or was not as it should be, and was gone on without; `access_error` is the error
    of a store that did not record the accesses. `tokens` counts all messages with their frames and the reply's
    beginning, where there is a budget (else it is None): `tokens_exact` says whether texts were counted exactly.
    """

    def __init__(
        self,
        messages: Iterable[dict[str, Any]],
        *,
        used_cards: tuple[Card, ...],
        trace: tuple[Decision, ...],
        tokens: int | None,
        max_tokens: int | None,
        tokens_exact: bool,
    ) -> None:
        super().__init__(messages)
        self.used_cards = used_cards
        self.trace = trace
        self.tokens = tokens
        self.max_tokens = max_tokens
        self.tokens_exact = tokens_exact
        self.accessed: tuple[str, ...] = ()
        self.notes: tuple[str, ...] = ()
        self.access_error: StoreError | None = None

    def explain(self) -> str:
        """Return the trace as a table, a line an item, with its tier before its id."""
        return explain([replace(row, label=f"{row.tier} {row.label}") for row in self.trace])
