"""A store of records: what it must do, and one in memory."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, cast, get_args

from brimful.config import check_choice, check_integer, show
from brimful.errors import ConfigError, InputError, StoreError
from brimful.records.canonical import record_hash, write_json
from brimful.records.parts import FreshnessStatus
from brimful.records.record import ContextRecord, check_record
from brimful.records.verification import Verification, verify
from brimful.stages.fork_locks import new_lock
from brimful.stores.fields import read_id
from brimful.stores.moments import read_moment, write_moment

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from brimful.records.signing import SigningKey

PREFIX: Final = "ctx_"
LIMIT: Final = 100


@dataclass(frozen=True, slots=True)
class RecordSummary:
    """What a list says of a record. `created_at` is in UTC, in texts of one length that sort as the moments do."""

    context_id: str
    record_hash: str
    created_at: str
    context_function: str
    environment: str
    freshness_status: str
    token_count: int
    items_provided: int
    items_included: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON."""
        return asdict(self)


class RecordStore(Protocol):
    """Where records are kept: each is written once, and nothing changes it. Threads may share a store."""

    def write(self, record: ContextRecord) -> None:
        """Keep a record. One that is there with the same hash stays as it is.

        Raises StoreError of the kind `"immutable"` for another record with its id; InputError where the hash of the
        record is wrong.
        """

    def read(self, id: str) -> ContextRecord | None:  # noqa: A002 - what it is called everywhere
        """Return the record with an id, an id without its `ctx_`, or a record hash; None where there is none.

        Raises StoreError of the kind `"corrupted"` where the record is not what was written.
        """

    def list(
        self,
        *,
        start: datetime | str | None = None,
        end: datetime | str | None = None,
        name: str | None = None,
        freshness_status: str | None = None,
        limit: int | None = LIMIT,
    ) -> list[RecordSummary]:
        """Return the newest records, newest first: made from `start` to `end`, both included, by a function, ..."""

    def verify(self, id: str, *, keys: Iterable[SigningKey] = ()) -> Verification | None:  # noqa: A002 - as in `read`
        """Verify all that is kept of a record; None where there is none with this id."""

    def close(self) -> None:
        """Let go of what the store holds."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which records a list has: checked, moments as the texts that summaries have."""

    start: str | None
    end: str | None
    name: str | None
    freshness_status: str | None
    limit: int | None

    @classmethod
    def read(
        cls,
        start: datetime | str | None,
        end: datetime | str | None,
        name: str | None,
        freshness_status: str | None,
        limit: int | None,
    ) -> Filter:
        """Return the filter that the arguments of `list` say; raises InputError and ConfigError."""
        if not isinstance(cast("object", name), str | None):
            message = f"name must be a str or None, got {show(name)}"
            raise ConfigError(message)
        return cls(
            None if start is None else write_moment(read_moment("start", start)),
            None if end is None else write_moment(read_moment("end", end)),
            name,
            None
            if freshness_status is None
            else check_choice("freshness_status", freshness_status, get_args(FreshnessStatus)),
            None if limit is None else check_integer("limit", limit, low=0, high=2**31),
        )

    def takes(self, summary: RecordSummary) -> bool:
        """Whether a record is one of them, but for the limit."""
        return (
            (self.start is None or self.start <= summary.created_at)
            and (self.end is None or summary.created_at <= self.end)
            and self.name in (None, summary.context_function)
            and self.freshness_status in (None, summary.freshness_status)
        )


class InMemoryRecords:
    """A store of records that ends with the process. What it gives is read anew from what it keeps, a text.

    >>> from brimful.records import new_record
    >>> with InMemoryRecords() as store:
    ...     store.write(new_record(
    ...         context_id="ctx_1", created_at="2026-01-02T03:04:05Z", environment="development", inputs={},
    ...         context_function="chat", content="hello", token_count=1))
    ...     store.read("1").content, store.verify("ctx_1").ok
    ('hello', True)
    """

    def __init__(self) -> None:
        self._lock = new_lock()
        self._kept: dict[str, tuple[RecordSummary, str]] = {}

    def write(self, record: ContextRecord) -> None:
        """Keep a record; see `RecordStore.write`."""
        body = read_body(record)
        summary = summarise(record)
        with self._lock:
            known, _ = self._kept.setdefault(record.context_id, (summary, body))
        if known.record_hash != summary.record_hash:
            refuse_change(record.context_id)

    def read(self, id: str) -> ContextRecord | None:  # noqa: A002 - what it is called everywhere
        """Return a record; see `RecordStore.read`."""
        body = self._find(id)
        return None if body is None else ContextRecord.from_json(body)

    def list(
        self,
        *,
        start: datetime | str | None = None,
        end: datetime | str | None = None,
        name: str | None = None,
        freshness_status: str | None = None,
        limit: int | None = LIMIT,
    ) -> list[RecordSummary]:
        """Return the newest records; see `RecordStore.list`."""
        wanted = Filter.read(start, end, name, freshness_status, limit)
        with self._lock:
            summaries = [summary for summary, _ in self._kept.values() if wanted.takes(summary)]
        return sorted(summaries, key=attrgetter("created_at", "context_id"), reverse=True)[: wanted.limit]

    def verify(self, id: str, *, keys: Iterable[SigningKey] = ()) -> Verification | None:  # noqa: A002 - as in `read`
        """Verify a record; see `RecordStore.verify`."""
        body = self._find(id)
        return None if body is None else verify(body, keys=keys)

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the store."""
        self.close()

    def _find(self, id_: str) -> str | None:
        names = candidates(id_)
        with self._lock:
            for name in names:
                if name in self._kept:
                    return self._kept[name][1]
            return next((body for summary, body in self._kept.values() if summary.record_hash == id_), None)


def candidates(id_: object) -> tuple[str, str]:
    """Return the ids that a record may have that is asked for by `id_`, the likelier first."""
    name = read_id("id", id_)
    return name, f"{PREFIX}{name}"


def read_body(record: object) -> str:
    """Return what a store keeps of a record, its text.

    Refuses what is no record, and one whose id or hash cannot be relied on: a store has only what verifies.
    """
    known = check_record("record", record)
    read_id("context_id", known.context_id)
    document = known.to_dict()
    if known.integrity.record_hash != record_hash(document):
        message = f"the record hash of {show(known.context_id)} is not that of the record"
        raise InputError(message)
    return write_json(document)


def refuse_change(context_id: str) -> None:
    """Raise for a record whose id is taken."""
    message = f"the record {show(context_id)} is there already and says something else; records are immutable"
    raise StoreError(message, kind="immutable")


def summarise(record: ContextRecord) -> RecordSummary:
    """Return what a list says of a record."""
    return RecordSummary(
        context_id=record.context_id,
        record_hash=record.integrity.record_hash,
        created_at=write_moment(read_moment("created_at", record.created_at)),
        context_function=record.context_function,
        environment=record.environment,
        freshness_status=record.assembly.freshness_status,
        token_count=record.token_count,
        items_provided=record.assembly.items_provided,
        items_included=record.assembly.items_included,
    )
