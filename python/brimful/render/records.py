"""A stored context in words: its budget, its freshness, and what became of each item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

ITEM_COLUMNS: Final = ("item", "source", "priority", "tokens", "fate", "reason")


def say_budget(used: int, available: int | None, *, given: int, shown: int) -> str:
    """Return how full the window is, and how many items are in it.

    >>> say_budget(120, 100, given=5, shown=3)
    '120 of 100 tokens, 20 over; 3 of 5 items shown'
    """
    over = f", {used - available:,} over" if available is not None and used > available else ""
    limit = f"{used:,} tokens, no budget" if available is None else f"{used:,} of {available:,} tokens{over}"
    return f"{limit}; {shown:,} of {given:,} items shown"


def say_freshness(status: str, *, limit_ms: int | None, violations: Sequence[str]) -> str:
    """Return whether the data was fresh, by which limit, and what was not.

    >>> say_freshness("degraded", limit_ms=60_000, violations=["tier"])
    'freshness: degraded, at most 60,000 ms; older or of unknown age: tier'
    """
    limit = "no limit" if limit_ms is None else f"at most {limit_ms:,} ms"
    late = f"; older or of unknown age: {', '.join(violations)}" if violations else ""
    return f"freshness: {status}, {limit}{late}"


def say_feature(name: str, entity_id: str, *, source: str, age_ms: int | None) -> str:
    """Return where the value of a feature was from, and how old it was.

    >>> say_feature("tier", "u1", source="cache", age_ms=1_221)
    'feature tier of u1: from cache, 1,221 ms old'
    """
    age = "of unknown age" if age_ms is None else f"{age_ms:,} ms old"
    return f"feature {name} of {entity_id}: from {source}, {age}"


def say_documents(retriever: str, count: int, stale: int) -> str:
    """Return what a retriever gave.

    >>> say_documents("faq", 3, 1)
    'retriever faq: 3 passages, 1 stale'
    """
    return f"retriever {retriever}: {count:,} passages" + (f", {stale:,} stale" if stale else "")


def item_row(
    index: int | None, source: str | None, *, priority: int, required: bool, tokens: int, fate: str, reason: str
) -> tuple[str, ...]:
    """Return what became of an item, in the order of `ITEM_COLUMNS`.

    >>> item_row(2, None, priority=9, required=False, tokens=50, fate="dropped", reason="budget_exceeded")
    ('2', '-', '9', '50', 'dropped', 'budget exceeded')
    """
    rank = "required" if required else str(priority)
    return "-" if index is None else str(index), source or "-", rank, f"{tokens:,}", fate, reason.replace("_", " ")
