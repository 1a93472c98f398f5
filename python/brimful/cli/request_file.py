"""What `brimful build` reads, a file or stdin: JSON, checked to the last key."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NoReturn

from brimful.config import NearDuplicateOptions, show
from brimful.errors import ConfigError, InputError
from brimful.stores.strict_json import refuse_constant, unite_pairs

REQUIRED = ("max_tokens", "documents")
OPTIONAL = ("query", "model", "min_score", "min_tokens", "mmr_lambda", "order", "near_duplicates")
STDIN = "-"


@dataclass(frozen=True, slots=True)
class RequestFile:
    """The parts of a request: the builder's options, and what it builds from."""

    options: dict[str, object]
    query: object
    documents: list[object]


def read_request(name: str, *, max_tokens: int | None = None) -> RequestFile:
    """Read the request in the file `name`, or in stdin for `-`; `max_tokens` stands for the one of the request.

    Raises InputError, in one line, for a file that cannot be read, is not JSON or has other keys than it should.
    """
    content = _parse(name, _read(name))
    if not isinstance(content, dict):
        _refuse(name, f"the request must be an object, got {show(content)}")
    if max_tokens is not None:
        content["max_tokens"] = max_tokens
    _check_keys(name, content)
    documents = content.pop("documents")
    if not isinstance(documents, list):
        _refuse(name, f"documents must be a list, got {show(documents)}")
    if "near_duplicates" in content:
        content["near_duplicates"] = _near_duplicates(name, content["near_duplicates"])
    return RequestFile(query=content.pop("query", None), documents=documents, options=content)


def _check_keys(name: str, content: dict[str, object]) -> None:
    for key in content:
        if key not in REQUIRED + OPTIONAL:
            _refuse(name, f"unknown key {show(key)}; known are {', '.join(REQUIRED + OPTIONAL)}")
    for key in REQUIRED:
        if key not in content:
            _refuse(name, f"the key `{key}` is missing")


def _near_duplicates(name: str, value: object) -> NearDuplicateOptions | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        _refuse(name, f"near_duplicates must be an object or null, got {show(value)}")
    known = [field.name for field in fields(NearDuplicateOptions)]
    for key in value:
        if key not in known:
            _refuse(name, f"near_duplicates: unknown key {show(key)}; known are {', '.join(known)}")
    try:
        return NearDuplicateOptions(**value)
    except ConfigError as error:
        _refuse(name, f"near_duplicates.{error}")


def _read(name: str) -> str:
    try:
        return _read_bytes(name).decode("utf-8-sig")
    except OSError as error:
        _refuse(name, error.strerror or "cannot be read")
    except UnicodeDecodeError as error:
        _refuse(name, f"not UTF-8: byte {error.object[error.start]:#04x} at {error.start}")
    except ValueError as error:  # a NUL in the path
        _refuse(name, str(error))


def _read_bytes(name: str) -> bytes:
    if name != STDIN:
        return Path(name).read_bytes()
    with open(0, "rb", closefd=False) as stdin:  # `sys.stdin` is None where it is closed
        return stdin.read()


def _parse(name: str, text: str) -> object:
    try:
        return json.loads(text, parse_int=_whole, parse_constant=refuse_constant, object_pairs_hook=unite_pairs)
    except json.JSONDecodeError as error:
        _refuse(name, f"not JSON: line {error.lineno}, column {error.colno}: {error.msg}")
    except RecursionError:
        _refuse(name, "not a request: nested too deeply")
    except ValueError as error:
        _refuse(name, str(error))


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        message = f"a number of {len(digits.removeprefix('-')):,} digits is too long"
        raise ValueError(message) from None


def _refuse(name: str, reason: str) -> NoReturn:
    message = f"{'stdin' if name == STDIN else name}: {reason}"
    raise InputError(message) from None
