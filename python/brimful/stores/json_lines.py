"""JSON lines: a file of objects, one a line, read with the number of every line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from brimful.config import check_flag, show
from brimful.errors import InputError
from brimful.kernels.texts import check_texts
from brimful.stores.files import check_path
from brimful.stores.strict_json import read_finite, refuse_constant

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence
    from pathlib import Path


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
    path: str | os.PathLike[str], *, required: Iterable[str] = ("text",), strict: bool = True
) -> JsonLines:
    r"""Read the objects of a file in UTF-8, one a line; each has the `required` keys.

    A line ends at `\n`, so lines have the numbers that tools give them; any `\r` is white space, as it is in JSON. A
    byte order mark, blank lines and a last line without an end are taken. Of two equal keys the last counts. NaN,
    infinities and numbers that no float holds are refused. `strict` refuses the file at its first bad line; otherwise
    bad lines are told of beside the others. Linear.

    Raises InputError that names the file for one that cannot be read, and the line where there is one; ConfigError for
    what is no path.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "texts.jsonl")
    ...     _ = path.write_text('{"text": "a"}\n\n[1]\n')
    ...     read_json_lines(path, strict=False)
    JsonLines(lines=(JsonLine(number=1, value={'text': 'a'}),), refused=(RefusedLine(number=3, reason='...'),))
    """
    check_flag("strict", strict)
    file, keys = check_path(path), check_texts(required, name="required")
    lines, refused = [], []
    for number, line in enumerate(_read(file).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            lines.append(JsonLine(number, _parse(line, keys)))
        except InputError as error:
            if strict:
                _refuse(file, f"line {number}: {error}")
            refused.append(RefusedLine(number, str(error)))
    return JsonLines(tuple(lines), tuple(refused))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        _refuse(path, error.strerror or "cannot be read")


def _parse(line: bytes, required: Sequence[str]) -> dict[str, Any]:
    try:
        value = json.loads(line.decode(), parse_constant=refuse_constant, parse_float=read_finite)
    except UnicodeDecodeError as error:
        message = f"not UTF-8 at byte {error.start}"
        raise InputError(message) from error
    except RecursionError as error:
        message = "nested too deeply"
        raise InputError(message) from error
    except json.JSONDecodeError as error:
        message = f"not JSON: column {error.colno}: {error.msg}"
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


def _refuse(path: Path, reason: str) -> NoReturn:
    message = f"{path}: {reason}"
    raise InputError(message) from None
