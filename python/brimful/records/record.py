"""A context record: what was sent, what it was made from, what was decided, and hashes that prove it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from brimful.config import show
from brimful.errors import InputError
from brimful.records.canonical import content_hash, read_json, record_hash, write_json
from brimful.records.part import (
    Part,
    read_name,
    read_object,
    read_part,
    read_parts,
    read_time,
    read_whole,
)
from brimful.records.parts import Assembly, Integrity, Lineage, RecordedFeature, RecordedItem, RetrievedItem
from brimful.records.plain_data import as_json
from brimful.stores.fields import optional, read_choice, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from brimful.records.plain_data import Json
    from brimful.stores.fields import Read

PLAIN: Final = "1.0.0"
WITH_ITEMS: Final = "1.1.0"
_read_features: Final = read_parts(RecordedFeature)


@dataclass(frozen=True)
class ContextRecord(Part):
    """A record in the format CRS-001; `new_record` makes one, `from_dict` and `from_json` read one.

    `inputs` are the arguments of the call by name, and `value` of a feature its value, as `as_json` has them. Times are
    texts in ISO 8601, as they are hashed. `items` has one decision a given item, in their order: schema 1.1.0 has it,
    1.0.0 does not.

    Raises InputError that names the field for one that is wrong; from a document also for one unknown or missing.
    """

    READ: ClassVar[Mapping[str, Read]] = {
        "context_id": read_name,
        "created_at": read_time,
        "environment": read_text,
        "schema_version": read_choice(PLAIN, WITH_ITEMS),
        "inputs": read_object,
        "context_function": read_text,
        "content": read_text,
        "token_count": read_whole,
        "features": read_parts(RecordedFeature),
        "retrieved_items": read_parts(RetrievedItem),
        "assembly": read_part(Assembly),
        "lineage": read_part(Lineage),
        "integrity": read_part(Integrity),
        "items": optional(read_parts(RecordedItem)),
    }

    context_id: str
    created_at: str | datetime
    environment: str
    schema_version: str
    inputs: Mapping[str, Json]
    context_function: str
    content: str
    token_count: int
    features: tuple[RecordedFeature, ...]
    retrieved_items: tuple[RetrievedItem, ...]
    assembly: Assembly
    lineage: Lineage
    integrity: Integrity
    items: tuple[RecordedItem, ...] | None = None

    def __post_init__(self) -> None:
        """Check the fields, and that the items are there where the schema has them."""
        super().__post_init__()
        if (self.items is not None) != (self.schema_version == WITH_ITEMS):
            message = (
                f"items must be there in schema {WITH_ITEMS} only, got {show(self.items)} in {self.schema_version}"
            )
            raise InputError(message)

    def to_dict(self) -> dict[str, Json]:
        """Return the record as a JSON document; `items` is left out where the schema has none."""
        document = super().to_dict()
        if self.items is None:
            del document["items"]
        return document

    def to_json(self) -> str:
        """Return the whole record in one line of canonical JSON: what stores keep."""
        return write_json(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> ContextRecord:
        """Return the record that a JSON document says, however it is laid out."""
        return cls.from_dict(read_json(text))


def new_record(
    *,
    context_id: str,
    created_at: datetime | str,
    environment: str,
    inputs: Mapping[str, object],
    context_function: str,
    content: str,
    token_count: int,
    features: Iterable[RecordedFeature | Mapping[str, Any]] = (),
    retrieved_items: Iterable[RetrievedItem | Mapping[str, Any]] = (),
    assembly: Assembly | Mapping[str, Any] | None = None,
    lineage: Lineage | Mapping[str, Any] | None = None,
    items: Iterable[RecordedItem | Mapping[str, Any]] | None = (),
    previous_context_id: str | None = None,
) -> ContextRecord:
    """Return a record with its hashes. Inputs and values of features may be anything: `as_json` makes them JSON.

    Parts may be given as mappings of their fields. `items=None` makes a record of schema 1.0.0, which has no items.
    Raises InputError that names the field.

    >>> record = new_record(
    ...     context_id="ctx_1", created_at="2026-01-02T03:04:05Z", environment="development", inputs={"user": "Ada"},
    ...     context_function="chat", content="hello", token_count=1)
    >>> record.integrity.content_hash[:14], record.schema_version
    ('sha256:2cf24db', '1.1.0')
    """
    text = read_text("content", content)
    read = cast("tuple[RecordedFeature, ...]", _read_features("features", features))
    record = ContextRecord(
        context_id=context_id,
        created_at=created_at,
        environment=environment,
        schema_version=PLAIN if items is None else WITH_ITEMS,
        inputs={name: as_json(value) for name, value in read_object("inputs", inputs).items()},
        context_function=context_function,
        content=text,
        token_count=token_count,
        features=tuple(replace(feature, value=as_json(feature.value)) for feature in read),
        retrieved_items=retrieved_items,  # type: ignore[arg-type]  # read by the record
        assembly=Assembly() if assembly is None else assembly,  # type: ignore[arg-type]  # read by the record
        lineage=Lineage() if lineage is None else lineage,  # type: ignore[arg-type]  # read by the record
        integrity=Integrity("", content_hash(text), previous_context_id),
        items=items,  # type: ignore[arg-type]  # read by the record
    )
    return seal(record)


def check_record(name: str, value: object) -> ContextRecord:
    """`value`, which must be a record: what a store does not have is None."""
    if isinstance(value, ContextRecord):
        return value
    message = f"{name} must be a ContextRecord, got {show(value)}"
    raise InputError(message)


def seal(record: ContextRecord) -> ContextRecord:
    """Return the record with the hash of what it now says, unsigned."""
    hashed, integrity = record_hash(record.to_dict()), record.integrity
    return replace(record, integrity=Integrity(hashed, integrity.content_hash, integrity.previous_context_id))
