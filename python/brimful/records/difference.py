"""The difference between two records: inputs, features, documents, items, text, tokens."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from brimful.records.canonical import content_hash
from brimful.records.changes import (
    Change,
    DocumentDiff,
    FeatureDiff,
    InputDiff,
    ItemDiff,
    RetrieverDiff,
    compare_documents,
    compare_features,
    compare_inputs,
    compare_items,
    compare_retrievers,
    tally,
)
from brimful.records.record import check_record
from brimful.records.text_difference import ContentDiff, compare_content
from brimful.render.changes import summarize_changes
from brimful.stores.moments import read_moment

if TYPE_CHECKING:
    from brimful.records.record import ContextRecord


FRESH: Final = "guaranteed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextDiff:
    """What changed from a base to a comparison. `content_diff` is None where a content that differs is hidden.

    Every input, feature, retriever, document and item of either side is there, also those that are `"unchanged"`, in
    the order of their names. Documents and items count by place where several have one name.
    """

    base_context_id: str
    comparison_context_id: str
    time_delta_ms: int
    feature_diffs: tuple[FeatureDiff, ...]
    features_added: int
    features_removed: int
    features_modified: int
    retriever_diffs: tuple[RetrieverDiff, ...]
    retrievers_added: int
    retrievers_removed: int
    retrievers_modified: int
    content_diff: ContentDiff | None
    input_diffs: tuple[InputDiff, ...]
    inputs_added: int
    inputs_removed: int
    inputs_modified: int
    token_delta: int
    cost_delta_usd: float
    base_freshness_status: str
    comparison_freshness_status: str
    freshness_improved: bool
    items_dropped_base: tuple[dict[str, Any], ...]
    items_dropped_comparison: tuple[dict[str, Any], ...]
    items_dropped_delta: int
    base_content_hash: str
    comparison_content_hash: str
    document_diffs: tuple[DocumentDiff, ...]
    item_diffs: tuple[ItemDiff, ...]
    has_changes: bool
    change_summary: str

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as JSON."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def diff(base: ContextRecord, comparison: ContextRecord) -> ContextDiff:
    r"""Compare two records; costs are as in `compare_content`, and beside it grow as the records do.

    >>> from brimful.records import new_record
    >>> made = {"created_at": "2026-01-02T03:04:05Z", "environment": "development", "context_function": "chat"}
    >>> first = new_record(context_id="ctx_1", inputs={"user": "Ada"}, content="hello", token_count=1, **made)
    >>> second = new_record(context_id="ctx_2", inputs={"user": "Bob"}, content="hello\nBob", token_count=1, **made)
    >>> diff(first, second).change_summary
    'content: +1 lines; inputs: +0 -0 ~1'
    """
    for name, record in (("base", base), ("comparison", comparison)):
        check_record(name, record)
    features, inputs = compare_features(base, comparison), compare_inputs(base, comparison)
    documents, items = compare_documents(base, comparison), compare_items(base, comparison)
    retrievers = compare_retrievers(base, comparison, documents)
    content = _compare_contents(base, comparison)
    tokens = comparison.assembly.tokens_used - base.assembly.tokens_used
    dropped = len(comparison.assembly.dropped_items) - len(base.assembly.dropped_items)
    summary = summarize_changes(
        features=tally(features),
        retrievers=tally(retrievers),
        content="differs, and is hidden" if content is None else content.diff_summary,
        tokens=tokens,
        dropped=dropped,
        tallies={"inputs": tally(inputs), "documents": tally(documents), "items": tally(items)},
    )
    fresh = [record.assembly.freshness_status for record in (base, comparison)]
    left_out = [tuple(item.to_dict() for item in record.assembly.dropped_items) for record in (base, comparison)]
    return ContextDiff(
        base_context_id=base.context_id,
        comparison_context_id=comparison.context_id,
        time_delta_ms=_milliseconds(base, comparison),
        content_diff=content,
        token_delta=tokens,
        cost_delta_usd=round(comparison.lineage.estimated_cost_usd - base.lineage.estimated_cost_usd, 6),
        base_freshness_status=fresh[0],
        comparison_freshness_status=fresh[1],
        freshness_improved=fresh[0] != FRESH and fresh[1] == FRESH,
        items_dropped_base=left_out[0],
        items_dropped_comparison=left_out[1],
        items_dropped_delta=dropped,
        base_content_hash=base.integrity.content_hash,
        comparison_content_hash=comparison.integrity.content_hash,
        document_diffs=documents,
        item_diffs=items,
        has_changes=bool(summary),
        change_summary=summary or "No changes detected",
        **_counted("feature", features),
        **_counted("retriever", retrievers),
        **_counted("input", inputs),
    )


def _counted(what: str, diffs: tuple[Change, ...]) -> dict[str, Any]:
    counts = tally(diffs)._asdict()
    return {f"{what}_diffs": diffs, **{f"{what}s_{kind}": count for kind, count in counts.items()}}


def is_hidden(record: ContextRecord) -> bool:
    """Whether the record says the hash of its content only."""
    return not record.content and record.integrity.content_hash != content_hash("")


def _compare_contents(base: ContextRecord, comparison: ContextRecord) -> ContentDiff | None:
    if base.integrity.content_hash == comparison.integrity.content_hash:
        return compare_content("", "")
    if is_hidden(base) or is_hidden(comparison):
        return None
    return compare_content(base.content, comparison.content)


def _milliseconds(base: ContextRecord, comparison: ContextRecord) -> int:
    begin, end = (read_moment("created_at", record.created_at) for record in (base, comparison))
    return int((end - begin).total_seconds() * 1_000)
