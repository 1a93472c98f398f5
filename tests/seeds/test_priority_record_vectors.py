"""Seed 003, records: hashes, signatures and differences as recorded; a deviation asserts our value and its number."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from brimful.records import (
    ContextRecord,
    SigningKey,
    canonical_json,
    compare_content,
    content_hash,
    diff,
    record_hash,
    verify,
)
from brimful.records.canonical import write_json
from seeds.recorded import load

CASES = load("fabra_context")
METHODS = {"compute_content_hash": 6, "compute_record_hash": 10, "compare_content": 13, "compare_records": 2}

# D25: a last line without a line break is the same line with one, and lines that begin with `--` or `++` count.
LINES = {
    "diff_content_4": (2, 0, 0, "+2 lines"),
    "diff_content_5": (1, 0, 1, "+1 lines, ~1 lines modified"),
    "diff_content_7": (0, 1, 0, "-1 lines"),
    "diff_content_8": (0, 0, 1, "~1 lines modified"),
}


def of(method: str) -> list[str]:
    return [identifier for identifier, case in CASES.items() if case["method"] == method]


def test_the_cases_are_all_here() -> None:
    assert {method: len(of(method)) for method in METHODS} == METHODS
    assert LINES.keys() <= CASES.keys()


@pytest.mark.parametrize("identifier", of("compute_content_hash"))
def test_content_hash(identifier: str) -> None:
    assert content_hash(CASES[identifier]["input"]) == CASES[identifier]["expected"]


@pytest.mark.parametrize("identifier", of("compute_record_hash"))
def test_record_hash(identifier: str) -> None:
    document, expected = CASES[identifier]["input"], CASES[identifier]["expected"]
    key = SigningKey(expected["hmac_key_utf8"], "any")
    hashed = {**document, "integrity": {**document["integrity"], "record_hash": expected["record_hash"]}}
    signed = {
        **hashed,
        "integrity": {**hashed["integrity"], "signature": expected["signature"], "signing_key_id": None},
    }

    assert canonical_json(document) == expected["canonical_json"]
    assert record_hash(document) == expected["record_hash"]
    assert key.sign(expected["record_hash"]) == expected["signature"]
    assert (verify(hashed).record_hash == "valid") == expected["verifies"]
    assert (verify(hashed).content_hash == "valid") == expected["content_verifies"]
    assert verify(signed, keys=[key]).signature == "valid"


@pytest.mark.parametrize("identifier", of("compute_record_hash"))
def test_a_document_comes_back_byte_for_byte(identifier: str) -> None:
    document = CASES[identifier]["input"]

    assert ContextRecord.from_dict(document).to_json() == write_json(document)
    assert record_hash(ContextRecord.from_dict(document).to_dict()) == CASES[identifier]["expected"]["record_hash"]


@pytest.mark.parametrize("identifier", of("compare_content"))
def test_compare_content(identifier: str) -> None:
    case = CASES[identifier]
    expected: dict[str, Any] = case["expected"]
    if identifier in LINES:  # D25
        names = ("lines_added", "lines_removed", "lines_changed", "diff_summary")
        ours = dict(zip(names, LINES[identifier], strict=True))
        assert any(expected[name] != value for name, value in ours.items())
        expected = {**expected, **ours}

    assert asdict(compare_content(*case["input"])) == expected


@pytest.mark.parametrize("identifier", of("compare_records"))
def test_compare_records(identifier: str) -> None:
    case = CASES[identifier]
    found = diff(*map(ContextRecord.from_dict, case["input"])).to_dict()

    assert {name: found[name] for name in case["expected"]} == case["expected"]
    assert json.loads(json.dumps(found)) == json.loads(json.dumps({**found, **case["expected"]}))
