"""The parts of a record: plain values that are checked when they are made, and say themselves as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from brimful.records.part import (
    Part,
    read_flag,
    read_integer,
    read_names,
    read_number,
    read_parts,
    read_time,
    read_value,
    read_whole,
)
from brimful.stores.fields import optional, read_choice, read_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from brimful.records.plain_data import Json
    from brimful.stores.fields import Read

FreshnessStatus = Literal["guaranteed", "degraded", "unknown"]


def _own_version() -> str:
    from brimful.version import __version__  # noqa: PLC0415 - it reads the metadata of the package

    return f"brimful-{__version__}"


@dataclass(frozen=True)
class RecordedFeature(Part):
    """A feature that was read. `as_of` is the time its value is of, None where nobody knows."""

    READ: ClassVar[Mapping[str, Read]] = {
        "name": read_text,
        "entity_id": read_text,
        "value": read_value,
        "source": read_text,
        "as_of": optional(read_time),
        "freshness_ms": optional(read_integer),
    }

    name: str
    entity_id: str
    value: Json
    source: str
    as_of: str | datetime | None
    freshness_ms: int | None


@dataclass(frozen=True)
class RetrievedItem(Part):
    """A passage that a retriever found; `priority` is its rank."""

    READ: ClassVar[Mapping[str, Read]] = {
        "retriever": read_text,
        "chunk_id": read_text,
        "document_id": optional(read_text),
        "content_hash": read_text,
        "content": optional(read_text),
        "token_count": read_whole,
        "priority": read_integer,
        "similarity_score": optional(read_number),
        "source_url": optional(read_text),
        "as_of": optional(read_time),
        "freshness_ms": optional(read_integer),
        "is_stale": read_flag,
    }

    retriever: str
    chunk_id: str
    document_id: str | None
    content_hash: str
    content: str | None = None
    token_count: int = 0
    priority: int = 0
    similarity_score: float | None = 0.0
    source_url: str | None = None
    as_of: str | datetime | None = None
    freshness_ms: int | None = 0
    is_stale: bool = False


@dataclass(frozen=True)
class RecordedDrop(Part):
    """An item that was left out; `token_count` is that of its content alone."""

    READ: ClassVar[Mapping[str, Read]] = {
        "source_id": read_text,
        "priority": read_integer,
        "token_count": read_whole,
        "reason": read_text,
    }

    source_id: str
    priority: int
    token_count: int
    reason: str


@dataclass(frozen=True)
class RecordedItem(Part):
    """What became of an item that was given: `fate` is included, truncated or dropped. Only schema 1.1.0 has these."""

    READ: ClassVar[Mapping[str, Read]] = {
        "source_id": optional(read_text),
        "priority": read_integer,
        "required": read_flag,
        "token_count": read_whole,
        "fate": read_choice("included", "truncated", "dropped"),
        "reason": read_text,
        "content_hash": read_text,
    }

    source_id: str | None
    priority: int
    required: bool
    token_count: int
    fate: str
    reason: str
    content_hash: str


@dataclass(frozen=True)
class Assembly(Part):
    """How the context was assembled under its budget; `freshness_violations` are names of features."""

    READ: ClassVar[Mapping[str, Read]] = {
        "max_tokens": optional(read_integer),
        "tokens_used": read_whole,
        "items_provided": read_whole,
        "items_included": read_whole,
        "dropped_items": read_parts(RecordedDrop),
        "required_items_included": read_flag,
        "freshness_sla_ms": optional(read_whole),
        "freshness_status": read_choice(*get_args(FreshnessStatus)),
        "freshness_violations": read_names,
    }

    max_tokens: int | None = None
    tokens_used: int = 0
    items_provided: int = 0
    items_included: int = 0
    dropped_items: tuple[RecordedDrop, ...] = ()
    required_items_included: bool = True
    freshness_sla_ms: int | None = None
    freshness_status: str = "unknown"
    freshness_violations: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lineage(Part):
    """What the context was made from and by; `fabra_version` is the format's name for the version of the program."""

    READ: ClassVar[Mapping[str, Read]] = {
        "features_used": read_names,
        "retrievers_used": read_names,
        "indexes_used": read_names,
        "code_version": optional(read_text),
        "fabra_version": read_text,
        "assembly_latency_ms": read_number,
        "estimated_cost_usd": read_number,
    }

    features_used: tuple[str, ...] = ()
    retrievers_used: tuple[str, ...] = ()
    indexes_used: tuple[str, ...] = ()
    code_version: str | None = None
    fabra_version: str = field(default_factory=_own_version)
    assembly_latency_ms: float = 0.0
    estimated_cost_usd: float = 0.0


@dataclass(frozen=True)
class Integrity(Part):
    """The hashes of a record and of its content, and the signature where it is signed."""

    READ: ClassVar[Mapping[str, Read]] = {
        "record_hash": read_text,
        "content_hash": read_text,
        "previous_context_id": optional(read_text),
        "signed_at": optional(read_time),
        "signing_key_id": optional(read_text),
        "signature": optional(read_text),
    }

    record_hash: str
    content_hash: str
    previous_context_id: str | None = None
    signed_at: str | datetime | None = None
    signing_key_id: str | None = None
    signature: str | None = None
