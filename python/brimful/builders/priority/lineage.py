"""What a context was made from: features that were read, what retrievers found, items that were kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from brimful.builders.qualified import Qualified

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from brimful.builders.priority.types import DroppedItem, ItemDecision

FeatureSource = Literal["cache", "compute", "fallback"]


@dataclass(frozen=True, repr=False)
class FeatureLineage(Qualified):
    """A feature that was read. `timestamp` is the time its value is of, None where nobody knows.

    `source` says whether the value was stored (`"cache"`), worked out (`"compute"`) or a default (`"fallback"`);
    `freshness_ms` is its age when it was read, at least 0.
    """

    feature_name: str
    entity_id: str
    value: Any
    timestamp: datetime | None
    freshness_ms: int | None
    source: FeatureSource


@dataclass(frozen=True, repr=False)
class DocumentLineage(Qualified):
    """A passage that a retriever found; `rank` begins at 0. A field is None where the passage does not have it."""

    chunk_id: str
    document_id: str | None
    content_hash: str
    content: str
    similarity_score: float | None
    rank: int
    source_url: str | None = None
    as_of: datetime | None = None
    freshness_ms: int | None = None
    is_stale: bool = False


@dataclass(frozen=True, repr=False)
class RetrieverLineage(Qualified):
    """A call of a retriever: what was asked, what came back, how long it took."""

    retriever_name: str
    query: str
    results_count: int
    latency_ms: float
    timestamp: datetime
    chunks_returned: tuple[DocumentLineage, ...] = ()
    stale_chunks_count: int = 0
    oldest_chunk_ms: int | None = None
    served_from_cache: bool = False


@dataclass(frozen=True, repr=False)
class ContextLineage(Qualified):
    """Everything a context was made from, and what was done with it.

    `context_args` are the arguments of the call by the names of the parameters, as JSON; `items` has one decision a
    given item, in their order; `dropped_items_detail` those dropped, in the order of dropping.
    """

    context_id: str
    timestamp: datetime
    context_name: str
    context_args: Mapping[str, Any]
    features_used: tuple[FeatureLineage, ...] = ()
    retrievers_used: tuple[RetrieverLineage, ...] = ()
    items_provided: int = 0
    items_included: int = 0
    items_dropped: int = 0
    dropped_items_detail: tuple[DroppedItem, ...] = ()
    items: tuple[ItemDecision, ...] = ()
    freshness_status: str = "guaranteed"
    freshness_violations: tuple[Mapping[str, Any], ...] = ()
    stalest_feature_ms: int = 0
    token_usage: int = 0
    max_tokens: int | None = None
    estimated_cost_usd: float = field(default=0.0)
