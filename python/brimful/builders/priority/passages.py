"""What a retriever found, as a lineage tells it: texts, mappings or objects of any kind, read and never changed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from brimful.builders.priority.lineage import DocumentLineage
from brimful.config import as_finite
from brimful.errors import InputError
from brimful.kernels.texts import repair_surrogates
from brimful.stages.instants import MILLISECOND
from brimful.stores.moments import read_moment

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

NAMES: Final = {
    "content": ("content", "text"),
    "chunk_id": ("chunk_id", "id"),
    "document_id": ("document_id",),
    "score": ("similarity_score", "score"),
    "source_url": ("source_url",),
    "as_of": ("as_of", "last_updated"),
}
"""Where a field is looked for: the first that is there and not None."""


def read_passages(found: Iterable[object], now: datetime, stale_ms: int | None) -> tuple[DocumentLineage, ...]:
    """Return a lineage a passage, in their order. One that is older than `stale_ms` is stale.

    A field that a passage lacks, or that cannot be read, is None; a missing id is the hash of the content.
    """
    return tuple(_read(passage, rank, now, stale_ms) for rank, passage in enumerate(found))


def _read(passage: object, rank: int, now: datetime, stale_ms: int | None) -> DocumentLineage:
    content = passage if isinstance(passage, str) else _look_up(passage, "content")
    text = repair_surrogates(content) if isinstance(content, str) else ""
    digest = f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    as_of = _moment(_look_up(passage, "as_of"))
    age_ms = None if as_of is None else max(0, (now - as_of) // MILLISECOND)
    return DocumentLineage(
        chunk_id=_name(_look_up(passage, "chunk_id")) or digest,
        document_id=_name(_look_up(passage, "document_id")),
        content_hash=digest,
        content=text,
        similarity_score=as_finite(_look_up(passage, "score")),
        rank=rank,
        source_url=_name(_look_up(passage, "source_url")),
        as_of=as_of,
        freshness_ms=age_ms,
        is_stale=stale_ms is not None and age_ms is not None and age_ms > stale_ms,
    )


def _look_up(passage: object, field: str) -> object:
    """Return a field of a mapping or an object; a text has none."""
    if isinstance(passage, str):
        return None
    for name in NAMES[field]:
        value = passage.get(name) if isinstance(passage, Mapping) else getattr(passage, name, None)
        if value is not None:
            return value
    return None


def _name(value: object) -> str | None:
    """Return an id or an address: a text, or a number that a database counts."""
    if isinstance(value, str):
        return repair_surrogates(value)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _moment(value: object) -> datetime | None:
    try:
        return None if value is None else read_moment("as_of", value)
    except InputError:
        return None
