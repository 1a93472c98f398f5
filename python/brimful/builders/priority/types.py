"""What a context function returns, and what became of it: plain values with the fields of seed 003."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from brimful.builders.qualified import Qualified

if TYPE_CHECKING:
    from datetime import datetime

    from brimful.config import Cut

Fate = Literal["included", "truncated", "dropped"]


@dataclass(repr=False)
class ContextItem(Qualified):
    """A piece of a context. The lower `priority`, the longer it is kept; what is `required` is never dropped.

    `source_id` names where it is from, `last_updated` when that was last true (a datetime or ISO 8601; without a zone
    it is in UTC). With `truncate_strategy` it is cut at the end, the start or the middle before it is dropped, unless
    its priority is 0. Fields are checked when a context is built.

    >>> ContextItem("You are a helpful assistant.", required=True).priority
    0
    """

    content: str
    required: bool = False
    priority: int = 0
    source_id: str | None = None
    last_updated: datetime | str | None = None
    truncate_strategy: Cut | None = field(default=None, kw_only=True, compare=False, repr=False)


@dataclass(repr=False)
class DroppedItem(Qualified):
    """An item that was left out; `token_count` is that of its content alone."""

    source_id: str
    priority: int
    token_count: int
    reason: str = "budget_exceeded"


@dataclass(repr=False)
class ItemDecision(Qualified):
    """What became of the item at `index`: its fate, why, and the tokens of what is shown, or would have been."""

    index: int
    source_id: str | None
    priority: int
    required: bool
    token_count: int
    fate: Fate
    reason: str
