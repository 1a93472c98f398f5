"""The file that `brimful build` reads: JSON, checked to the last key."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from brimful.config import show
from brimful.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

REQUIRED = ("max_tokens", "documents")
OPTIONAL = ("query", "min_score", "min_tokens", "order")


@dataclass(frozen=True, slots=True)
class RequestFile:
    """The parts of a request: the builder's options, and what it builds from."""

    options: dict[str, object]
    query: object
    documents: list[object]


def read_request(path: Path) -> RequestFile:
    """Read a request.

    Raises InputError, in one line, for a file that cannot be read, is not JSON or has other keys than it should.
    """
    content = _parse(path, _read(path))
    if not isinstance(content, dict):
        _refuse(path, f"the request must be an object, got {show(content)}")
    for key in content:
        if key not in REQUIRED + OPTIONAL:
            _refuse(path, f"unknown key {show(key)}; known are {', '.join(REQUIRED + OPTIONAL)}")
    for key in REQUIRED:
        if key not in content:
            _refuse(path, f"the key `{key}` is missing")
    documents = content.pop("documents")
    if not isinstance(documents, list):
        _refuse(path, f"documents must be a list, got {show(documents)}")
    return RequestFile(query=content.pop("query", None), documents=documents, options=content)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        _refuse(path, error.strerror or "cannot be read")
    except UnicodeDecodeError as error:
        _refuse(path, f"not UTF-8: byte {error.object[error.start]:#04x} at {error.start}")
    except ValueError as error:  # a NUL in the path
        _refuse(path, str(error))


def _parse(path: Path, text: str) -> object:
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        _refuse(path, f"not JSON: line {error.lineno}, column {error.colno}: {error.msg}")
    except RecursionError:
        _refuse(path, "not a request: nested too deeply")
    except ValueError as error:
        _refuse(path, str(error))


def _refuse_constant(name: str) -> NoReturn:
    message = f"not JSON: {name} is no number"
    raise ValueError(message)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    content = dict(pairs)
    if len(content) != len(pairs):
        keys = [key for key, _ in pairs]
        message = f"the key {show(next(key for key in keys if keys.count(key) > 1))} is there twice"
        raise ValueError(message)
    return content


def _refuse(path: Path, reason: str) -> NoReturn:
    message = f"{path}: {reason}"
    raise InputError(message) from None
