"""Hashes, signatures and what is hidden: what proves something, and what does not."""

from __future__ import annotations

import hashlib
import hmac
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.errors import ConfigError, InputError
from brimful.records import ContextRecord, SigningKey, content_hash, diff, explain, hide, sign, verify
from brimful.records.canonical import write_json
from brimful.records.record import seal
from record_parts import KEY, NOON, make_record, records

OTHER = SigningKey(b"another", "2027")


def findings(record: Any, *keys: SigningKey) -> tuple[str, str, str, bool]:
    found = verify(record, keys=keys)
    return found.content_hash, found.record_hash, found.signature, found.ok


def test_a_record_as_it_was_made() -> None:
    signed = sign(make_record(), KEY, at=NOON)

    assert findings(make_record()) == ("valid", "valid", "absent", True)
    assert findings(signed) == ("valid", "valid", "unchecked", True)
    assert findings(signed, KEY) == ("valid", "valid", "valid", True)
    assert findings(signed, OTHER, KEY) == ("valid", "valid", "valid", True)
    assert (signed.integrity.signed_at, signed.integrity.signing_key_id) == (NOON, "2026")
    assert signed.integrity.record_hash == make_record().integrity.record_hash


def test_with_keys_a_record_must_be_signed_by_one_of_them() -> None:
    signed = sign(make_record(), KEY, at=NOON)

    assert findings(make_record(), KEY) == ("valid", "valid", "absent", False)
    assert findings(signed, OTHER) == ("valid", "valid", "invalid", False)
    assert findings(signed, SigningKey(b"not it", "2026")) == ("valid", "valid", "invalid", False)
    assert "the record is signed by the key '2026', which was not given" in verify(signed, keys=[OTHER]).reasons


def test_a_key_id_that_was_changed_fails() -> None:
    document = sign(make_record(), KEY, at=NOON).to_dict()
    document["integrity"]["signing_key_id"] = "2027"

    assert findings(document, KEY, OTHER) == ("valid", "valid", "invalid", False)


def test_a_signature_without_a_key_id_is_held_against_every_key() -> None:
    document = sign(make_record(), KEY, at=NOON).to_dict()
    document["integrity"]["signing_key_id"] = None

    assert findings(document, OTHER, KEY) == ("valid", "valid", "valid", True)


def test_who_changes_the_content_and_both_hashes_still_lacks_the_key() -> None:
    document = sign(make_record(), KEY, at=NOON).to_dict()
    signature = document["integrity"]["signature"]
    document["content"] = "Your tier is silver."
    document["integrity"]["content_hash"] = content_hash(document["content"])
    forged = seal(ContextRecord.from_dict(document)).to_dict()
    forged["integrity"].update(signature=signature, signing_key_id="2026", signed_at=NOON)

    assert findings(forged) == ("valid", "valid", "unchecked", True)
    assert findings(forged, KEY) == ("valid", "valid", "invalid", False)


@given(records, st.data())
def test_any_field_that_is_changed_fails(record: ContextRecord, data: st.DataObject) -> None:
    document = json.loads(record.to_json())
    field = data.draw(st.sampled_from(sorted(document.keys() - {"integrity"})))
    document[field] = data.draw(st.sampled_from(["x", 12_345, None, ["x"]]).filter(lambda new: new != document[field]))

    assert not verify(document).ok
    del document[field]
    assert not verify(document).ok


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"integrity": 3}', '{"integrity": {}, "content": 3}', "[" * 10_000])
def test_what_is_no_record_is_invalid_and_no_error(text: str) -> None:
    found = verify(text, keys=[KEY])

    assert (found.record_hash, found.ok) == ("invalid", False)
    assert found.reasons


@pytest.mark.parametrize("record", [None, 7, b"{}", ["a"]])
def test_what_is_neither_a_record_nor_a_document_is_refused(record: Any) -> None:
    with pytest.raises(InputError, match="record must be a ContextRecord, a mapping or a text in JSON, got "):
        verify(record)
    for call in (hide, explain, lambda given: sign(given, KEY, at=NOON)):
        with pytest.raises(InputError, match="record must be a ContextRecord, got "):
            call(record)
    with pytest.raises(InputError, match="comparison must be a ContextRecord, got "):
        diff(make_record(), record)


def test_findings_are_json() -> None:
    found = verify('{"integrity": {}}').to_dict()

    assert json.loads(json.dumps(found)) == found
    assert found["ok"] is False


def test_a_key_that_cannot_be() -> None:
    with pytest.raises(ConfigError, match=r"keys\[0\] must be a SigningKey, got str"):
        verify(make_record(), keys=["secret"])  # type: ignore[list-item]
    assert verify(sign(make_record(), KEY, at=NOON), keys=KEY).ok  # type: ignore[arg-type]  # one alone will do


@pytest.mark.parametrize(
    "secret", ["secret", b"secret", "base64:c2VjcmV0", "hex:736563726574", "hex:73 65 63 72 65 74"]
)
def test_a_secret_may_be_written_in_several_ways(secret: Any) -> None:
    message = b"fabra:crs-001:sha256:00"

    assert SigningKey(secret).sign("sha256:00") == f"hmac-sha256:{hmac.new(b'secret', message, 'sha256').hexdigest()}"


@pytest.mark.parametrize("secret", ["", b"", "base64:", "hex:", "hex:0", "base64:!", "\ud800", None, 7, "base64:é"])
def test_a_secret_that_cannot_be_is_refused_and_not_shown(secret: Any) -> None:
    with pytest.raises(ConfigError) as caught:
        SigningKey(secret, "2026")

    assert str(caught.value).startswith("key must be bytes or a str that are not empty")


def test_a_secret_is_not_shown() -> None:
    assert repr(KEY) == "SigningKey(key_id='2026')"
    assert pickle.loads(pickle.dumps(KEY)) == KEY  # noqa: S301 - our own
    with pytest.raises(ConfigError, match="key_id must be a str that is not empty, got 7"):
        SigningKey(b"secret", 7)  # type: ignore[arg-type]


def test_the_environment_has_a_key_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRIMFUL_SIGNING_KEY", raising=False)
    monkeypatch.setenv("BRIMFUL_SIGNING_KEY_ID", "2026")
    assert SigningKey.from_environment() is None
    monkeypatch.setenv("BRIMFUL_SIGNING_KEY", "hex:736563726574")
    assert SigningKey.from_environment() == KEY
    monkeypatch.delenv("BRIMFUL_SIGNING_KEY_ID")
    assert SigningKey.from_environment() == SigningKey(b"secret", "default")


def test_a_hidden_record_has_hashes_in_place_of_what_it_says() -> None:
    record = make_record(inputs={"user": "Ada Lovelace", "session": object()})
    hidden = hide(record)

    assert "Ada" not in hidden.to_json()
    assert "gold" not in hidden.to_json()
    assert hidden.content == ""
    assert hidden.integrity.content_hash == content_hash(record.content)
    assert hidden.inputs["user"] == {"$sha256": hashlib.sha256(b'"Ada Lovelace"').hexdigest()}
    assert hidden.features[0].value == {"$sha256": hashlib.sha256(b'"gold"').hexdigest()}
    assert (hidden.context_id, hidden.assembly, hidden.items) == (record.context_id, record.assembly, record.items)
    assert findings(hidden) == ("absent", "valid", "absent", True)


def test_with_a_key_short_values_cannot_be_guessed() -> None:
    record = make_record()
    hidden, text = hide(record, KEY), hide(record, KEY).to_json()
    guesses = ["gold", "Ada", record.content, "y", "Refunds take a week."]

    assert hidden.inputs["user"] == {"$hmac-sha256": KEY.digest(write_json("Ada"))}
    for guess in guesses[:2]:
        assert hashlib.sha256(write_json(guess).encode()).hexdigest() not in text
    for guess in guesses[3:]:
        assert content_hash(guess) not in text
    assert hide(record, KEY) == hidden
    assert hide(record, OTHER).inputs != hidden.inputs


def test_hiding_twice_is_hiding_once() -> None:
    for key in (None, KEY):
        assert hide(hide(make_record(), key), key) == hide(make_record(), key)


def test_a_hidden_record_is_signed_afterwards() -> None:
    hidden = hide(sign(make_record(), KEY, at=NOON))

    assert hidden.integrity.signature is None
    assert findings(sign(hidden, KEY, at=NOON), KEY) == ("absent", "valid", "valid", True)


def test_content_that_was_removed_later_is_not_taken_for_hidden() -> None:
    document = make_record().to_dict()
    document["content"] = ""

    assert findings(document) == ("absent", "invalid", "absent", False)


def test_a_moment_that_cannot_be() -> None:
    with pytest.raises(InputError, match="signed_at must be a datetime or a text in ISO 8601, got 'soon'"):
        sign(make_record(), KEY, at="soon")


def test_a_passage_that_is_called_by_its_hash_is_hidden_under_a_key_too() -> None:
    hashed = content_hash("The PIN is 1234.")
    passages = [
        {"retriever": "faq", "chunk_id": name, "document_id": None, "content_hash": hashed} for name in (hashed, "d1")
    ]
    record = make_record(retrieved_items=passages)

    unnamed, named = hide(record, KEY).retrieved_items

    assert unnamed.chunk_id == unnamed.content_hash != hashed
    assert named.chunk_id == "d1"
    assert hashed not in hide(record, KEY).to_json()
    assert hide(hide(record, KEY), KEY) == hide(record, KEY)
