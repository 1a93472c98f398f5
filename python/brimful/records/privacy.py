"""Privacy: a record that proves what was sent without saying it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from brimful.records.canonical import digest, write_json
from brimful.records.plain_data import HMAC_SHA256, SHA256, Mark
from brimful.records.record import check_record, seal

if TYPE_CHECKING:
    from brimful.records.plain_data import Json
    from brimful.records.record import ContextRecord
    from brimful.records.signing import SigningKey


def hide(record: ContextRecord, key: SigningKey | None = None) -> ContextRecord:
    """Return the record with hashes in place of its content, its inputs and the values of its features.

    `content_hash` stays, so whoever has the text can show that it was this one. An input or a value becomes
    `{"$sha256": ...}` of its canonical JSON. Short values can be guessed from that: with a key it is
    `{"$hmac-sha256": ...}`, and the hashes of single items and passages become such ones as well. Names, ids, times,
    counts and decisions stay. The record gets a new hash and is unsigned: sign it afterwards.

    >>> from brimful.records import new_record
    >>> record = new_record(
    ...     context_id="ctx_1", created_at="2026-01-02T03:04:05Z", environment="development", inputs={"user": "Ada"},
    ...     context_function="chat", content="hello Ada", token_count=2)
    >>> hide(record).content, list(hide(record).inputs["user"])
    ('', ['$sha256'])
    """
    check_record("record", record)
    changes: dict[str, Any] = {
        "content": "",
        "inputs": {name: _hide_value(value, key) for name, value in record.inputs.items()},
        "features": tuple(replace(feature, value=_hide_value(feature.value, key)) for feature in record.features),
        "retrieved_items": tuple(
            replace(
                item,
                content=None,
                # A passage without an id is called by the hash of its text.
                chunk_id=_hide_hash(item.chunk_id, key) if item.chunk_id == item.content_hash else item.chunk_id,
                content_hash=_hide_hash(item.content_hash, key),
            )
            for item in record.retrieved_items
        ),
    }
    if record.items is not None:
        changes["items"] = tuple(
            replace(item, content_hash=_hide_hash(item.content_hash, key)) for item in record.items
        )
    return seal(replace(record, **changes))


def _hide_value(value: Json, key: SigningKey | None) -> Mark:
    if isinstance(value, dict) and len(value) == 1 and not value.keys().isdisjoint((SHA256, HMAC_SHA256)):
        return Mark(value)  # hidden before
    text = write_json(value)
    return Mark({SHA256: digest(text)} if key is None else {HMAC_SHA256: key.digest(text)})


def _hide_hash(content_hash: str, key: SigningKey | None) -> str:
    """Return the hash of a hash: with the key it can be found again, and without it nothing can be guessed."""
    if key is None or not content_hash.startswith("sha256:"):
        return content_hash
    return f"hmac-sha256:{key.digest(content_hash)}"
