"""Context records: what was sent, why, and the proof of it.

>>> record = new_record(
...     context_id="ctx_1", created_at="2026-01-02T03:04:05Z", environment="production", inputs={"user": "Ada"},
...     context_function="chat", content="hello", token_count=1)
>>> key = SigningKey(b"secret", "2026")
>>> verify(sign(record, key, at="2026-01-02T03:04:06Z"), keys=[key]).ok
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimful.records.canonical import canonical_json as canonical_json
from brimful.records.canonical import content_hash as content_hash
from brimful.records.canonical import record_hash as record_hash
from brimful.records.difference import ContextDiff as ContextDiff
from brimful.records.difference import diff as diff
from brimful.records.explanation import Explanation as Explanation
from brimful.records.explanation import explain as explain
from brimful.records.parts import Assembly as Assembly
from brimful.records.parts import Integrity as Integrity
from brimful.records.parts import Lineage as Lineage
from brimful.records.parts import RecordedDrop as RecordedDrop
from brimful.records.parts import RecordedFeature as RecordedFeature
from brimful.records.parts import RecordedItem as RecordedItem
from brimful.records.parts import RetrievedItem as RetrievedItem
from brimful.records.plain_data import as_json as as_json
from brimful.records.plain_data import as_values as as_values
from brimful.records.plain_data import is_whole as is_whole
from brimful.records.privacy import hide as hide
from brimful.records.record import ContextRecord as ContextRecord
from brimful.records.record import new_record as new_record
from brimful.records.signing import SigningKey as SigningKey
from brimful.records.signing import sign as sign
from brimful.records.store import InMemoryRecords as InMemoryRecords
from brimful.records.store import RecordStore as RecordStore
from brimful.records.store import RecordSummary as RecordSummary
from brimful.records.text_difference import compare_content as compare_content
from brimful.records.verification import Verification as Verification
from brimful.records.verification import verify as verify

if TYPE_CHECKING:
    from brimful.records.sqlite_records import SqliteRecordStore as SqliteRecordStore


def __getattr__(name: str) -> object:
    """Import the store in a file when it is first asked for: it is all that needs sqlite3."""
    if name != "SqliteRecordStore":
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from brimful.records.sqlite_records import SqliteRecordStore  # noqa: PLC0415 - see above

    return SqliteRecordStore
