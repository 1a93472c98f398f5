"""What a record proves: whether its content, the whole of it and its signature are as they were."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from brimful.config import show
from brimful.errors import ConfigError, InputError
from brimful.records.canonical import content_hash, read_json, record_hash
from brimful.records.record import ContextRecord
from brimful.records.signing import SigningKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Finding = Literal["valid", "invalid", "absent", "unchecked"]


@dataclass(frozen=True)
class Verification:
    """What was found. `absent`: there is nothing to compare; `unchecked`: nobody asked, or nothing could be read.

    `content_hash` is absent where the content is hidden. `signature` is unchecked where no keys were given. `row` is
    what a store adds: whether all that it keeps of the record is what was written.
    """

    context_id: str | None
    content_hash: Finding
    record_hash: Finding
    signature: Finding
    row: Finding = "unchecked"
    reasons: tuple[str, ...] = ()
    keys_given: bool = False

    @property
    def ok(self) -> bool:
        """Whether the hash is right and nothing is invalid; where keys were given, whether it is signed by one too."""
        findings = (self.content_hash, self.record_hash, self.signature, self.row)
        signed = self.signature == "valid" or not self.keys_given
        return self.record_hash == "valid" and "invalid" not in findings and signed

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as JSON, `ok` among them."""
        return {**asdict(self), "reasons": list(self.reasons), "ok": self.ok}


def verify(record: ContextRecord | Mapping[str, Any] | str, *, keys: Iterable[SigningKey] = ()) -> Verification:
    """Verify a record, or the JSON document of one, as it is: nothing is filled in or put right first.

    The signature is held against the key of its id. With `keys`, a record that is not signed by one of them is not
    `ok`. The record hash does not cover `signed_at` and `signing_key_id`, by the format; `RecordStore.verify` covers
    them. A text that is no record is invalid, not an error.

    >>> verify('{"content": "hello"}').record_hash
    'invalid'
    """
    known = _check_keys(keys)
    if not isinstance(cast("object", record), (ContextRecord, Mapping, str)):
        message = f"record must be a ContextRecord, a mapping or a text in JSON, got {show(record)}"
        raise InputError(message)
    try:
        return _verify_document(_read_document(record), known)
    except InputError as error:
        reasons = (str(error),)
        return Verification(None, "unchecked", "invalid", "unchecked", reasons=reasons, keys_given=bool(known))


def _check_keys(keys: Iterable[SigningKey]) -> tuple[SigningKey, ...]:
    known = (keys,) if isinstance(keys, SigningKey) else tuple(keys)
    for index, key in enumerate(known):
        if not isinstance(cast("object", key), SigningKey):
            message = f"keys[{index}] must be a SigningKey, got {type(key).__name__}"
            raise ConfigError(message)
    return known


def _read_document(record: ContextRecord | Mapping[str, Any] | str) -> Mapping[str, Any]:
    if isinstance(record, ContextRecord):
        return record.to_dict()
    return read_json(record) if isinstance(record, str) else record


def _verify_document(document: Mapping[str, Any], keys: Sequence[SigningKey]) -> Verification:
    expected = record_hash(document)
    integrity, context_id = document["integrity"], document.get("context_id")
    findings: dict[str, tuple[Finding, str]] = {
        "content_hash": _verify_content(document.get("content"), integrity.get("content_hash")),
        "record_hash": _compare("the record hash", integrity.get("record_hash"), expected),
        "signature": _verify_signature(integrity, expected, keys),
    }
    return Verification(
        context_id if isinstance(context_id, str) else None,
        **{name: finding for name, (finding, _) in findings.items()},
        reasons=tuple(reason for _, reason in findings.values() if reason),
        keys_given=bool(keys),
    )


def _verify_content(content: object, stated: object) -> tuple[Finding, str]:
    if not isinstance(content, str):
        return "invalid", f"the content must be a text, got {show(content)}"
    expected = content_hash(content)
    if not content and stated != expected:
        return "absent", ""  # hidden; had it been removed later, the record hash would say so
    return _compare("the content hash", stated, expected)


def _verify_signature(integrity: Mapping[str, Any], expected: str, keys: Sequence[SigningKey]) -> tuple[Finding, str]:
    """Hold the signature against the hash that the record has, not the one that it states."""
    signature, key_id = integrity.get("signature"), integrity.get("signing_key_id")
    if signature is None:
        return "absent", "the record is not signed" if keys else ""
    if not keys:
        return "unchecked", ""
    fitting = [key for key in keys if key_id is None or key.key_id == key_id]
    if not fitting:
        return "invalid", f"the record is signed by the key {show(key_id)}, which was not given"
    if any(_equal(signature, key.sign(expected)) for key in fitting):
        return "valid", ""
    return "invalid", f"the signature is not that of the key {show(key_id)}"


def _compare(what: str, stated: object, expected: str) -> tuple[Finding, str]:
    if _equal(stated, expected):
        return "valid", ""
    return "invalid", f"{what} is {show(stated)}, and should be {expected}"


def _equal(stated: object, expected: str) -> bool:
    return isinstance(stated, str) and hmac.compare_digest(stated.encode("utf-8", "replace"), expected.encode())
