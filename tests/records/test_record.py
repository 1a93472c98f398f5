"""Records: documents that are read and written byte for byte, and what cannot be one."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given

from brimful.errors import InputError
from brimful.records import ContextRecord, canonical_json, content_hash, new_record, record_hash, verify
from record_parts import make_record, records
from seeds.recorded import load

DOCUMENT: dict[str, Any] = load("fabra_context")["record_basic"]["input"]


@given(records)
def test_a_record_comes_back_from_its_text(record: ContextRecord) -> None:
    text = record.to_json()
    read = ContextRecord.from_json(text)

    assert read.to_json() == text
    assert read == record
    assert json.loads(text) == record.to_dict()
    assert text.isascii()
    assert record.integrity.record_hash == record_hash(record.to_dict())
    assert verify(record).ok


@given(records)
def test_how_a_document_is_laid_out_does_not_matter(record: ContextRecord) -> None:
    document = json.loads(record.to_json())
    laid_out = json.dumps(dict(reversed(document.items())), indent=3, ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )

    assert ContextRecord.from_json(laid_out.decode("utf-8", "surrogatepass")) == record
    assert verify(json.dumps(document, indent=1)).ok


def test_a_document_of_schema_1_0_0_has_no_items() -> None:
    record = ContextRecord.from_dict(DOCUMENT)

    assert record.items is None
    assert record.to_dict() == DOCUMENT
    assert "items" not in record.to_dict()
    assert make_record(items=None).schema_version == "1.0.0"
    assert make_record().schema_version == "1.1.0"


def test_items_are_covered_by_the_hash() -> None:
    document = make_record().to_dict()
    document["items"][1]["fate"] = "included"

    assert verify(document).record_hash == "invalid"


def test_the_hash_leaves_out_itself_and_the_signature_only() -> None:
    text = canonical_json(DOCUMENT)
    integrity = json.loads(text)["integrity"]

    assert integrity.keys() == DOCUMENT["integrity"].keys() - {"signing_key_id"}
    assert (integrity["record_hash"], integrity["signed_at"], integrity["signature"]) == ("", None, None)


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "2026-01-02T03:04:05Z"),
        (datetime(2026, 1, 2, 3, 4, 5, 1_000, tzinfo=UTC), "2026-01-02T03:04:05.001000Z"),
        (datetime(2026, 1, 2, 3, 4, 5), "2026-01-02T03:04:05Z"),  # noqa: DTZ001 - taken as UTC
        (datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=2))), "2026-01-02T01:00:00Z"),
        ("2026-01-02T03:04:05+05:30", "2026-01-02T03:04:05+05:30"),
    ],
)
def test_times_are_written_as_the_format_has_them(moment: Any, expected: str) -> None:
    assert make_record(created_at=moment).created_at == expected


def test_lone_surrogates_are_repaired_before_a_text_is_hashed() -> None:
    record = make_record(content="a\ud800b", inputs={"q": "\ud800"})

    assert record.content == "a\ufffdb"
    assert record.integrity.content_hash == content_hash("a\ud800b") == content_hash("a\ufffdb")
    assert record.inputs == {"q": "\ud800"}
    assert verify(record.to_json()).ok


def test_inputs_and_values_that_are_no_json_are_marked() -> None:
    feature = {**make_record().features[0].to_dict(), "value": float("nan")}
    record = make_record(inputs={"session": object()}, features=[feature])

    assert record.inputs == {"session": {"$unserialisable": "builtins.object"}}
    assert record.features[0].value == {"$float": "NaN"}
    assert ContextRecord.from_json(record.to_json()) == record


def test_a_record_can_be_copied_and_pickled() -> None:
    record = make_record()

    assert pickle.loads(pickle.dumps(record)) == copy.deepcopy(record) == record  # noqa: S301 - our own


def test_the_program_names_itself_in_the_field_of_the_format() -> None:
    assert make_record(lineage=None).lineage.fabra_version.startswith("brimful-")


BAD_OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"context_id": ""}, "context_id must not be empty"),
    ({"context_id": 5}, "context_id must be a str, got 5"),
    ({"created_at": "noon"}, "created_at must be a datetime or a text in ISO 8601, got 'noon'"),
    ({"content": None}, "content must be a str, got None"),
    ({"token_count": -1}, "token_count must be a whole number of at least 0, got -1"),
    ({"token_count": True}, "token_count must be a whole number of at least 0, got True"),
    ({"inputs": [1]}, "inputs must be an object, got [1]"),
    ({"inputs": {1: 2}}, "inputs must be an object, got {1: 2}"),
    ({"features": [{}]}, "features[0].name is missing"),
    ({"features": [3]}, "features[0] must be an object, got 3"),
    ({"features": "ab"}, "features must be a list, got 'ab'"),
    ({"retrieved_items": [{"chunk": 1}]}, "retrieved_items[0].chunk is no field of a record"),
    ({"items": [{"source_id": None}]}, "items[0].priority is missing"),
    ({"assembly": {"freshness_status": "good"}}, "assembly.freshness_status must be one of guaranteed, degraded, unk"),
    ({"assembly": {"max_tokens": 1.5}}, "assembly.max_tokens must be a whole number, got 1.5"),
    ({"assembly": {"freshness_violations": "x"}}, "assembly.freshness_violations must be str in an order, got 'x'"),
    (
        {"lineage": {"fabra_version": "x", "estimated_cost_usd": float("nan")}},
        "lineage.estimated_cost_usd must be a fin",
    ),
    ({"lineage": 3}, "lineage must be an object, got 3"),
]


@pytest.mark.parametrize(("changes", "message"), BAD_OPTIONS)
def test_a_field_that_cannot_be_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        make_record(**changes)

    assert message in str(caught.value)


@pytest.mark.parametrize("field", sorted(DOCUMENT))
def test_a_document_without_a_field_is_refused(field: str) -> None:
    with pytest.raises(InputError, match=f"^{field} is missing$"):
        ContextRecord.from_dict({name: value for name, value in DOCUMENT.items() if name != field})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schema_version": "2.0.0"}, "schema_version must be one of 1.0.0, 1.1.0, got '2.0.0'"),
        ({"schema_version": "1.1.0"}, "items must be there in schema 1.1.0 only, got None in 1.1.0"),
        ({"items": []}, r"items must be there in schema 1.1.0 only, got \(\) in 1.0.0"),
        ({"more": 1}, "more is no field of a record"),
        ({"integrity": {}}, "integrity.record_hash is missing"),
    ],
)
def test_a_document_of_another_shape_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ContextRecord.from_dict({**DOCUMENT, **changes})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a record must be JSON: Expecting value"),
        ("[]", r"a record must be an object, got \[\]"),
        ('{"a": 1, "a": 2}', "a record must be JSON: the key 'a' is there twice"),
        ('{"a": NaN}', "a record must be JSON: NaN is no number"),
        ("[" * 100_000, "a record must be JSON: "),
        ('{"a": ' + "9" * 5_000 + "}", "a record must be JSON: "),
    ],
)
def test_a_text_that_is_no_document_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ContextRecord.from_json(text)


def test_arguments_by_name_only_and_not_changed() -> None:
    inputs = {"a": [1]}
    record = make_record(inputs=inputs)
    inputs["a"].append(2)

    assert record.inputs == {"a": [1]}
    with pytest.raises(TypeError):
        new_record("ctx_1")  # type: ignore[call-arg]
