"""Records, findings and differences in lines for a terminal."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Final

from brimful.records import explain
from brimful.records.text_difference import changed_lines
from brimful.render.table import table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeVar

    from brimful.records import ContextDiff, ContextRecord, RecordSummary, Verification
    from brimful.records.changes import Change
    from brimful.records.plain_data import Json

    Changed = TypeVar("Changed", bound=Change)

MOST_LINES: Final = 200
"""Of a text that changed; `--json` and the texts themselves have the rest."""
SIGNS: Final = {"added": "+", "removed": "-", "modified": "~"}
COLUMNS: Final = ("id", "created", "function", "freshness", "tokens", "items")


def list_lines(summaries: Sequence[RecordSummary]) -> list[str]:
    """Return a line a record below a heading."""
    rows = [
        (
            summary.context_id,
            summary.created_at,
            summary.context_function,
            summary.freshness_status,
            f"{summary.token_count:,}",
            f"{summary.items_included} of {summary.items_provided}",
        )
        for summary in summaries
    ]
    return table([COLUMNS, *rows])


def record_lines(record: ContextRecord) -> list[str]:
    """Return what a record says: its facts, hashes and arguments, and the content below."""
    explanation, integrity = explain(record), record.integrity
    signed = "" if integrity.signature is None else f"; signed by {integrity.signing_key_id} at {integrity.signed_at}"
    return [
        explanation.lines()[0],
        *explanation.facts,
        f"record {integrity.record_hash}{signed}",
        f"content {integrity.content_hash}",
        *(f"input {name}: {_show(value)}" for name, value in record.inputs.items()),
        "",
        *(["(hidden)"] if explanation.hidden else record.content.split("\n")),
    ]


def verification_line(found: Verification) -> str:
    """Return the findings about a record in one line."""
    parts = (("content", found.content_hash), ("record", found.record_hash), ("signature", found.signature))
    findings = ", ".join(f"{name} {finding}" for name, finding in (*parts, ("row", found.row)))
    reasons = f": {'; '.join(found.reasons)}" if found.reasons else ""
    return f"{found.context_id or 'a record without an id'}: {'ok' if found.ok else 'NOT OK'} ({findings}){reasons}"


def diff_lines(difference: ContextDiff, base: str, comparison: str) -> Iterator[str]:
    """Give the difference of two records whose contents are `base` and `comparison`: a summary, then what changed."""
    yield f"{difference.base_context_id} -> {difference.comparison_context_id}: {difference.change_summary}"
    freshness = difference.base_freshness_status, difference.comparison_freshness_status
    if freshness[0] != freshness[1]:
        yield f"freshness: {freshness[0]} -> {freshness[1]}"
    yield from _value_lines(difference)
    for document in _changed(difference.document_diffs):
        ranks = f"rank {_show(document.old_rank)} -> {_show(document.new_rank)}"
        yield f"{SIGNS[document.change_type]} passage {document.chunk_id} of {document.retriever}: {ranks}"
    for item in _changed(difference.item_diffs):
        text = ", another text" if item.content_changed else ""
        fates = f"{item.old_fate or 'absent'} -> {item.new_fate or 'absent'}"
        yield f"{SIGNS[item.change_type]} item {item.source_id or '-'}: {fates}{text}"
    if difference.content_diff is not None and base != comparison:
        yield from _text_lines(base, comparison)


def _value_lines(difference: ContextDiff) -> Iterator[str]:
    for argument in _changed(difference.input_diffs):
        values = f"{_show(argument.old_value)} -> {_show(argument.new_value)}"
        yield f"{SIGNS[argument.change_type]} input {argument.key}: {values}"
    for feature in _changed(difference.feature_diffs):
        values = f"{_show(feature.old_value)} -> {_show(feature.new_value)}"
        yield f"{SIGNS[feature.change_type]} feature {feature.feature_name} of {feature.entity_id}: {values}"


def _text_lines(base: str, comparison: str) -> Iterator[str]:
    lines = changed_lines(base, comparison)
    yield from islice(lines, MOST_LINES)
    more = sum(1 for _ in lines)
    if more:
        yield f"({more:,} more lines differ)"


def _changed(diffs: Sequence[Changed]) -> list[Changed]:
    return [found for found in diffs if found.change_type != "unchanged"]


def _show(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
