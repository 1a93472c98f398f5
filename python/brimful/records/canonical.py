"""The canonical JSON of a record, and its hashes: the rules of CRS-001, which other programs follow too."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC
from typing import Any

from brimful.config import show
from brimful.errors import InputError
from brimful.kernels.texts import check_text
from brimful.stores.moments import read_moment
from brimful.stores.strict_json import refuse_constant, unite_pairs


def write_json(value: object) -> str:
    r"""Return JSON in one line of ASCII: keys in the order of their code points, no spaces, floats as `repr` has them.

    Raises InputError for what JSON cannot say, NaN and infinities included.

    >>> print(write_json({"b": 1e-07, "a": "é"}))
    {"a":"\u00e9","b":1e-07}
    """
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        message = f"a record must be JSON: {error}"
        raise InputError(message) from error


def read_json(text: str) -> dict[str, Any]:
    """Return the object that a text in JSON says; InputError for anything else, and for a key that is there twice."""
    try:
        value = json.loads(text, object_pairs_hook=unite_pairs, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        message = f"a record must be JSON: {error}"
        raise InputError(message) from error
    if isinstance(value, dict):
        return value
    message = f"a record must be an object, got {show(value)}"
    raise InputError(message)


def canonical_json(record: Mapping[str, Any]) -> str:
    """Return what the hash of a record is taken of: all of it but the hash itself and the signature.

    In `integrity`, `record_hash` is empty, `signed_at` and `signature` are null and `signing_key_id` is left out.
    Raises InputError where there is no `integrity`, or something that JSON cannot say.
    """
    integrity = record.get("integrity")
    if not isinstance(integrity, Mapping):
        message = f"integrity must be an object, got {show(integrity)}"
        raise InputError(message)
    kept = {key: value for key, value in integrity.items() if key != "signing_key_id"}
    return write_json({**record, "integrity": {**kept, "record_hash": "", "signed_at": None, "signature": None}})


def record_hash(record: Mapping[str, Any]) -> str:
    """Return the hash of a record, `sha256:` and 64 digits, from its fields as JSON."""
    return f"sha256:{digest(canonical_json(record))}"


def content_hash(content: str) -> str:
    """Return the hash of a text in UTF-8; lone surrogates are repaired first.

    >>> content_hash("hello")
    'sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
    """
    return f"sha256:{digest(check_text(content, name='content'))}"


def digest(text: str) -> str:
    """Return the 64 digits of SHA-256 of a sound text."""
    return hashlib.sha256(text.encode()).hexdigest()


def write_time(name: str, value: object) -> str:
    """Return a moment as a record has it: UTC as `Z`, a fraction of six digits or none. A text stays as it is.

    Raises InputError for what is neither a datetime nor a text in ISO 8601. A datetime without a zone is in UTC.

    >>> from datetime import datetime
    >>> write_time("created_at", datetime(2026, 1, 2, 3, 4, 5, 600_000))
    '2026-01-02T03:04:05.600000Z'
    """
    moment = read_moment(name, value)
    return value if isinstance(value, str) else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
