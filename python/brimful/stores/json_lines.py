"""JSON lines: a file of objects, one a line, read with the number of every line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from brimful.config import check_flag, show
from brimful.errors import InputError

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence


class JsonLine(NamedTuple):
    """An object and the number of its line, from 1, blank lines counted."""

    number: int
    value: dict[str, Any]


class RefusedLine(NamedTuple):
    """A line that is no such object, and why."""

    number: int
    reason: str


class JsonLines(NamedTuple):
    """What a file holds: the objects in their order, and the lines that were refused."""

    lines: tuple[JsonLine, ...]
    refused: tuple[RefusedLine, ...] = ()


def read_json_lines(
    path: str | os.PathLike[str], *, required: Sequence[str] = ("text",), strict: bool = True
) -> JsonLines:
    r"""Read the objects of a file in UTF-8, one a line; each has the `required` keys.

    A byte order mark, `\r\n`, blank lines and a last line without an end are taken. Of two equal keys the last counts.
    `strict` refuses the file at its first bad line; otherwise bad lines are told of beside the others. Linear.

    Raises InputError that names the file for one that cannot be read, and the line where there is one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "texts.jsonl")
    ...     _ = path.write_text('{"text": "a"}\n\n[1]\n')
    ...     read_json_lines(path, strict=False)
    JsonLines(lines=(JsonLine(number=1, value={'text': 'a'}),), refused=(RefusedLine(number=3, reason='...'),))
    """
    check_flag("strict", strict)
    lines, refused = [], []
    for number, line in enumerate(_read(path).splitlines(), 1):  # bytes: other characters end no line of JSON
        if not line.strip():
            continue
        try:
            lines.append(JsonLine(number, _parse(line, required)))
        except InputError as error:
            if strict:
                _refuse(path, f"line {number}: {error}")
            refused.append(RefusedLine(number, str(error)))
    return JsonLines(tuple(lines), tuple(refused))


def _read(path: str | os.PathLike[str]) -> bytes:
    try:
        return Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        _refuse(path, error.strerror or "cannot be read")


def _parse(line: bytes, required: Sequence[str]) -> dict[str, Any]:
    try:
        value = json.loads(line.decode())
    except UnicodeDecodeError as error:
        message = f"not UTF-8 at byte {error.start}"
        raise InputError(message) from error
    except RecursionError as error:
        message = "nested too deeply"
        raise InputError(message) from error
    except ValueError as error:
        message = f"not JSON: {error}"
        raise InputError(message) from error
    if not isinstance(value, dict):
        message = f"must be an object, got {show(value)}"
        raise InputError(message)
    for key in required:
        if key not in value:
            message = f"the key {show(key)} is missing"
            raise InputError(message)
    return value


def _refuse(path: str | os.PathLike[str], reason: str) -> NoReturn:
    message = f"{path}: {reason}"
    raise InputError(message) from None
