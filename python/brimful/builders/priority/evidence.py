"""Evidence: the record of a context, made from what the context says of itself, and stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimful.errors import ConfigError, InputError
from brimful.records import (
    Assembly,
    Lineage,
    RecordedDrop,
    RecordedFeature,
    RecordedItem,
    RetrievedItem,
    as_json,
    content_hash,
    hide,
    new_record,
    sign,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brimful.builders.priority.feature_store import FeatureStore
    from brimful.builders.priority.lineage import ContextLineage
    from brimful.builders.priority.options import EvidenceMode
    from brimful.builders.priority.result import Context
    from brimful.records import ContextRecord


def make_record(context: Context) -> ContextRecord:
    """Return the record of a context, unsigned and with its content. Raises InputError for one without lineage."""
    lineage = context.recorded or context.lineage
    if lineage is None:
        message = f"context {context.id} has no lineage, so there is nothing to record"
        raise InputError(message)
    return new_record(
        context_id=context.id,
        created_at=lineage.timestamp,
        environment=context.environment,
        inputs=lineage.context_args,
        context_function=lineage.context_name,
        content=context.content,
        token_count=lineage.token_usage,
        features=_features(lineage),
        retrieved_items=_retrieved(lineage),
        assembly=_assembly(context, lineage),
        lineage=_origins(lineage),
        items=_items(context, lineage),
    )


def persist(context: Context, store: FeatureStore, mode: EvidenceMode) -> None:
    """Store the record of a context, and say in its `meta` how that went.

    A failure is noted there, and raised where evidence is required.
    """
    if store.records is None:
        if mode == "required":
            message = "evidence is required, and the store has no records any more"
            raise ConfigError(message)
        return
    meta = context.meta
    try:
        record = make_record(context)
        if store.private:
            record = hide(record, store.signing_key)
        if store.signing_key is not None:
            record = sign(record, store.signing_key, at=record.created_at)
        meta["record_hash"] = record.integrity.record_hash
        store.records.write(record)
    except Exception as error:
        if mode == "required":
            raise
        meta["evidence_error"] = f"{type(error).__name__}: {error}"
    else:
        meta["evidence_persisted"] = True


def _features(lineage: ContextLineage) -> Iterator[RecordedFeature]:
    for feature in lineage.features_used:
        yield RecordedFeature(
            name=feature.feature_name,
            entity_id=feature.entity_id,
            value=as_json(feature.value),
            source=feature.source,
            as_of=feature.timestamp,
            freshness_ms=feature.freshness_ms,
        )


def _retrieved(lineage: ContextLineage) -> Iterator[RetrievedItem]:
    for retriever in lineage.retrievers_used:
        for document in retriever.chunks_returned:
            yield RetrievedItem(
                retriever=retriever.retriever_name,
                chunk_id=document.chunk_id,
                document_id=document.document_id,
                content_hash=document.content_hash,
                priority=document.rank,
                similarity_score=document.similarity_score,
                source_url=document.source_url,
                as_of=document.as_of,
                freshness_ms=document.freshness_ms,
                is_stale=document.is_stale,
            )


def _assembly(context: Context, lineage: ContextLineage) -> Assembly:
    return Assembly(
        max_tokens=lineage.max_tokens,
        tokens_used=lineage.token_usage,
        items_provided=lineage.items_provided,
        items_included=lineage.items_included,
        dropped_items=tuple(
            RecordedDrop(item.source_id, item.priority, item.token_count, item.reason)
            for item in lineage.dropped_items_detail
        ),
        required_items_included=not context.meta.get("budget_exceeded", False),
        freshness_sla_ms=context.meta.get("freshness_sla_ms"),
        freshness_status=lineage.freshness_status,
        freshness_violations=tuple(str(violation["feature"]) for violation in lineage.freshness_violations),
    )


def _origins(lineage: ContextLineage) -> Lineage:
    return Lineage(
        features_used=tuple(dict.fromkeys(feature.feature_name for feature in lineage.features_used)),
        retrievers_used=tuple(dict.fromkeys(retriever.retriever_name for retriever in lineage.retrievers_used)),
        estimated_cost_usd=lineage.estimated_cost_usd,
    )


def _items(context: Context, lineage: ContextLineage) -> Iterator[RecordedItem]:
    for decision, text in zip(lineage.items, context.given, strict=True):
        yield RecordedItem(
            source_id=decision.source_id,
            priority=decision.priority,
            required=decision.required,
            token_count=decision.token_count,
            fate=decision.fate,
            reason=decision.reason,
            content_hash=content_hash(text),
        )
