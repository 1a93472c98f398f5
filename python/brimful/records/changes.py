"""What was added, removed, modified and left as it was, between the lists of two records."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from brimful.records.canonical import write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from brimful.records.parts import RecordedItem
    from brimful.records.plain_data import Json
    from brimful.records.record import ContextRecord

ChangeType = Literal["added", "removed", "modified", "unchanged"]


class Change(Protocol):
    """Anything that says how it changed."""

    @property
    def change_type(self) -> ChangeType:
        """How it changed."""


class Tally(NamedTuple):
    """How many were added, removed and modified."""

    added: int
    removed: int
    modified: int


@dataclass(frozen=True, slots=True)
class InputDiff:
    """An argument of the call on either side."""

    key: str
    old_value: Json
    new_value: Json
    change_type: ChangeType


@dataclass(frozen=True, slots=True)
class FeatureDiff:
    """A feature on either side; a freshness is None where nobody knows it."""

    feature_name: str
    entity_id: str
    old_value: Json
    new_value: Json
    change_type: ChangeType
    old_freshness_ms: int | None
    new_freshness_ms: int | None


@dataclass(frozen=True, slots=True)
class RetrieverDiff:
    """A retriever on either side: the ids of the passages that only one side has."""

    retriever_name: str
    old_results_count: int
    new_results_count: int
    chunks_added: tuple[str, ...]
    chunks_removed: tuple[str, ...]
    change_type: ChangeType


@dataclass(frozen=True, slots=True)
class DocumentDiff:
    """A passage on either side. It is modified where its text or its document is another; ranks and scores may move."""

    retriever: str
    chunk_id: str
    change_type: ChangeType
    old_content_hash: str | None
    new_content_hash: str | None
    old_rank: int | None
    new_rank: int | None
    old_score: float | None
    new_score: float | None


@dataclass(frozen=True, slots=True)
class ItemDiff:
    """An item on either side. It is modified where its text is another, or another thing became of it."""

    source_id: str | None
    change_type: ChangeType
    content_changed: bool
    old_fate: str | None
    new_fate: str | None
    old_token_count: int | None
    new_token_count: int | None


def tally(changes: Iterable[Change]) -> Tally:
    """Count changes by their kind."""
    counts = Counter(change.change_type for change in changes)
    return Tally(counts["added"], counts["removed"], counts["modified"])


def compare_inputs(base: ContextRecord, comparison: ContextRecord) -> tuple[InputDiff, ...]:
    """Compare arguments by name. Values are equal when their canonical JSON is: 1, 1.0 and True are three."""
    pairs = _paired(base.inputs.items(), comparison.inputs.items(), itemgetter(0))
    return tuple(
        InputDiff(
            key,
            None if old is None else old[1],
            None if new is None else new[1],
            _change_type(old, new, lambda pair: write_json(pair[1])),
        )
        for key, old, new in pairs
    )


def compare_features(base: ContextRecord, comparison: ContextRecord) -> tuple[FeatureDiff, ...]:
    """Compare features by name and entity; values as in `compare_inputs`."""
    pairs = _paired(base.features, comparison.features, attrgetter("name", "entity_id"))
    return tuple(
        FeatureDiff(
            name,
            entity_id,
            *_both(old, new, "value"),
            _change_type(old, new, lambda feature: write_json(feature.value)),
            *_both(old, new, "freshness_ms"),
        )
        for (name, entity_id), old, new in pairs
    )


def compare_documents(base: ContextRecord, comparison: ContextRecord) -> tuple[DocumentDiff, ...]:
    """Compare passages by retriever and id."""
    pairs = _paired(base.retrieved_items, comparison.retrieved_items, attrgetter("retriever", "chunk_id"))
    return tuple(
        DocumentDiff(
            retriever,
            chunk_id,
            _change_type(old, new, attrgetter("content_hash", "document_id")),
            *_both(old, new, "content_hash"),
            *_both(old, new, "priority"),
            *_both(old, new, "similarity_score"),
        )
        for (retriever, chunk_id), old, new in pairs
    )


def compare_retrievers(
    base: ContextRecord, comparison: ContextRecord, documents: Iterable[DocumentDiff]
) -> tuple[RetrieverDiff, ...]:
    """Compare retrievers by name, by the passages that they gave."""
    ours, theirs = _results(base), _results(comparison)
    chunks: dict[tuple[str, ChangeType], list[str]] = {}
    for document in documents:
        chunks.setdefault((document.retriever, document.change_type), []).append(document.chunk_id)
    diffs = []
    for name in sorted({*ours, *theirs}):
        kept = _change_type(ours.get(name), theirs.get(name), lambda _: None)
        differs = any((name, change) in chunks for change in ("added", "removed", "modified"))
        diffs.append(
            RetrieverDiff(
                name,
                ours[name],
                theirs[name],
                tuple(chunks.get((name, "added"), ())),
                tuple(chunks.get((name, "removed"), ())),
                "modified" if differs and kept == "unchanged" else kept,
            )
        )
    return tuple(diffs)


def compare_items(base: ContextRecord, comparison: ContextRecord) -> tuple[ItemDiff, ...]:
    """Compare items by source, those without one by their text; records of schema 1.0.0 have none."""
    pairs = _paired(base.items or (), comparison.items or (), _item_key)
    return tuple(
        ItemDiff(
            (old or new).source_id,
            _change_type(old, new, attrgetter("content_hash", "fate")),
            old is not None and new is not None and old.content_hash != new.content_hash,
            *_both(old, new, "fate"),
            *_both(old, new, "token_count"),
        )
        for _, old, new in pairs
    )


def _item_key(item: RecordedItem) -> tuple[bool, str]:
    return (True, item.content_hash) if item.source_id is None else (False, item.source_id)


def _results(record: ContextRecord) -> Counter[str]:
    """Return how many passages each retriever gave; also those that gave none."""
    counts = Counter(item.retriever for item in record.retrieved_items)
    counts.update(dict.fromkeys(record.lineage.retrievers_used, 0))
    return counts


def _paired(ours: Iterable[Any], theirs: Iterable[Any], key: Callable[[Any], Any]) -> list[tuple[Any, Any, Any]]:
    """Return what both sides have of each key, in their order, None where a side has it not or not as often."""
    places: dict[Any, tuple[list[Any], list[Any]]] = {}
    for side, parts in enumerate((ours, theirs)):
        for part in parts:
            places.setdefault(key(part), ([], []))[side].append(part)
    return [(name, *pair) for name in sorted(places) for pair in zip_longest(*places[name])]


def _change_type(old: Any, new: Any, what: Callable[[Any], object]) -> ChangeType:  # noqa: ANN401 - parts of any kind
    if old is None or new is None:
        return "removed" if new is None else "added"
    return "unchanged" if what(old) == what(new) else "modified"


def _both(old: object, new: object, name: str) -> tuple[Any, Any]:
    return getattr(old, name, None), getattr(new, name, None)
