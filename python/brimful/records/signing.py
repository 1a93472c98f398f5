"""Signatures: who holds the key can prove that a record is theirs, and that nobody has changed it since."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

from brimful.config import show
from brimful.errors import ConfigError
from brimful.records.record import check_record

if TYPE_CHECKING:
    from datetime import datetime

    from brimful.records.record import ContextRecord

DOMAIN: Final = "fabra:crs-001:"
"""What is signed begins with it, as the format says: a signature of a record is one of nothing else."""
KEY: Final = "BRIMFUL_SIGNING_KEY"
KEY_ID: Final = "BRIMFUL_SIGNING_KEY_ID"
UNNAMED: Final = "default"


@dataclass(frozen=True)
class SigningKey:
    """A secret and its name. A `str` may begin with `base64:` or `hex:`; else its UTF-8 bytes are the secret.

    Its `repr` does not show the secret. Raises ConfigError for one that is empty or cannot be read.

    >>> SigningKey("hex:736563726574", "2026").sign("sha256:00") == SigningKey(b"secret", "2026").sign("sha256:00")
    True
    """

    key: bytes | str = field(repr=False)
    key_id: str = UNNAMED

    def __post_init__(self) -> None:
        """Keep the secret as bytes."""
        if not isinstance(cast("object", self.key_id), str) or not self.key_id:
            message = f"key_id must be a str that is not empty, got {show(self.key_id)}"
            raise ConfigError(message)
        object.__setattr__(self, "key", _read_secret(self.key))

    @classmethod
    def from_environment(cls) -> SigningKey | None:
        """Return the key of `BRIMFUL_SIGNING_KEY`, named by `BRIMFUL_SIGNING_KEY_ID`; None where there is none."""
        secret = os.environ.get(KEY)
        return cls(secret, os.environ.get(KEY_ID) or UNNAMED) if secret else None

    def sign(self, record_hash: str) -> str:
        """Return the signature of a record, by its hash."""
        return f"hmac-sha256:{self.digest(DOMAIN + record_hash)}"

    def digest(self, text: str) -> str:
        """Return the 64 digits of HMAC-SHA256 of a text."""
        return hmac.new(_read_secret(self.key), text.encode(), hashlib.sha256).hexdigest()


def _read_secret(given: object) -> bytes:
    """Return a secret as bytes; no message shows it."""
    secret = given
    if isinstance(given, str):
        scheme, separator, rest = given.partition(":")
        try:
            if separator and scheme == "base64":
                secret = base64.b64decode(rest, validate=True)
            elif separator and scheme == "hex":
                secret = bytes.fromhex(rest)
            else:
                secret = given.encode()
        except (binascii.Error, ValueError):  # which UnicodeEncodeError is, too
            secret = None
    if isinstance(secret, bytes) and secret:
        return secret
    message = "key must be bytes or a str that are not empty; behind `base64:` and `hex:` it must be that"
    raise ConfigError(message)


def sign(record: ContextRecord, key: SigningKey, *, at: datetime | str) -> ContextRecord:
    """Return the record signed at a moment. The signature is of the hash, so all that the hash covers is signed."""
    signature = key.sign(check_record("record", record).integrity.record_hash)
    integrity = replace(record.integrity, signed_at=at, signing_key_id=key.key_id, signature=signature)
    return replace(record, integrity=integrity)
