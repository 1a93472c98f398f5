"""Why a stored context is as it is: budget, freshness, what it was made from, and the fate of each item."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from brimful.records.difference import is_hidden
from brimful.records.record import check_record
from brimful.render.records import ITEM_COLUMNS, item_row, say_budget, say_documents, say_feature, say_freshness
from brimful.render.table import table

if TYPE_CHECKING:
    from brimful.records.record import ContextRecord


@dataclass(frozen=True, slots=True)
class ItemExplanation:
    """What became of an item; `index` is its place in what was given, None where the record does not say."""

    index: int | None
    source_id: str | None
    priority: int
    required: bool
    token_count: int
    fate: str
    reason: str

    def row(self) -> tuple[str, ...]:
        """Return it in words, a cell a column of `brimful.render.records.ITEM_COLUMNS`."""
        return item_row(
            self.index,
            self.source_id,
            priority=self.priority,
            required=self.required,
            tokens=self.token_count,
            fate=self.fate,
            reason=self.reason,
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """A stored context, explained. `facts` are its budget, freshness, features and retrievers, a line each."""

    context_id: str
    context_function: str
    created_at: str
    hidden: bool
    budget_exceeded: bool
    facts: tuple[str, ...]
    items: tuple[ItemExplanation, ...]

    def lines(self) -> tuple[str, ...]:
        """Return all of it in words: the heading, the facts, and a table of the items."""
        hidden = "; content and inputs are hidden" if self.hidden else ""
        heading = f"{self.context_id}: {self.context_function}, {self.created_at}{hidden}"
        if not self.items:
            return heading, *self.facts
        return heading, *self.facts, *table([ITEM_COLUMNS, *(item.row() for item in self.items)])

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON."""
        return {**asdict(self), "facts": list(self.facts), "items": [asdict(item) for item in self.items]}


def explain(record: ContextRecord) -> Explanation:
    """Explain a record, item by item; one of schema 1.0.0 says only which items were dropped.

    >>> from brimful.records import new_record
    >>> record = new_record(
    ...     context_id="ctx_1", created_at="2026-01-02T03:04:05Z", environment="development", inputs={},
    ...     context_function="chat", content="hello", token_count=1, assembly={"max_tokens": 10, "tokens_used": 1})
    >>> explain(record).facts[0]
    '1 of 10 tokens; 0 of 0 items shown'
    """
    assembly = check_record("record", record).assembly
    facts = [
        say_budget(
            assembly.tokens_used, assembly.max_tokens, given=assembly.items_provided, shown=assembly.items_included
        ),
        say_freshness(
            assembly.freshness_status, limit_ms=assembly.freshness_sla_ms, violations=assembly.freshness_violations
        ),
        *(
            say_feature(feature.name, feature.entity_id, source=feature.source, age_ms=feature.freshness_ms)
            for feature in record.features
        ),
        *_explain_retrievers(record),
    ]
    return Explanation(
        context_id=record.context_id,
        context_function=record.context_function,
        created_at=str(record.created_at),
        hidden=is_hidden(record),
        budget_exceeded=assembly.max_tokens is not None and assembly.tokens_used > assembly.max_tokens,
        facts=tuple(facts),
        items=_explain_items(record),
    )


def _explain_retrievers(record: ContextRecord) -> list[str]:
    counts = Counter(item.retriever for item in record.retrieved_items)
    stale = Counter(item.retriever for item in record.retrieved_items if item.is_stale)
    names = dict.fromkeys((*record.lineage.retrievers_used, *counts))
    return [say_documents(name, counts[name], stale[name]) for name in names]


def _explain_items(record: ContextRecord) -> tuple[ItemExplanation, ...]:
    if record.items is None:
        return tuple(
            ItemExplanation(
                index=None,
                source_id=drop.source_id,
                priority=drop.priority,
                required=False,
                token_count=drop.token_count,
                fate="dropped",
                reason=drop.reason,
            )
            for drop in record.assembly.dropped_items
        )
    return tuple(
        ItemExplanation(index, item.source_id, item.priority, item.required, item.token_count, item.fate, item.reason)
        for index, item in enumerate(record.items)
    )
