"""Files of JSON lines: what is read, and what is refused by its line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from brimful.errors import ConfigError, InputError
from brimful.stores.json_lines import read_json_lines
from recorded_cases import CASES

if TYPE_CHECKING:
    from pathlib import Path


def test_storage_http_03_a_mark_at_the_start_and_blank_lines_drop_nothing(tmp_path: Path) -> None:
    case = CASES["storage_http-03"]
    path = tmp_path / "texts.jsonl"
    path.write_bytes(bytes.fromhex(case["input"]["bytes_hex"]))

    found = read_json_lines(path)

    assert [line.value for line in found.lines] == case["expected"]["records"]
    assert [line.number for line in found.lines] == case["expected"]["line_numbers"]
    assert found.refused == ()


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.jsonl"
    path.write_text("\n".join(CASES["storage_http-05"]["input"]["lines"]), encoding="utf-8")
    return path


def test_storage_http_05_a_strict_reader_names_the_file_and_the_line(broken: Path) -> None:
    with pytest.raises(InputError, match=rf"broken\.jsonl: line {CASES['storage_http-05']['expected']['error_line']}:"):
        read_json_lines(broken)


def test_storage_http_05_a_lenient_reader_tells_every_bad_line(broken: Path) -> None:
    found = read_json_lines(broken, strict=False)

    assert [tuple(line) for line in found.lines] == [(1, {"text": "a"}), (5, {"text": "e"})]
    assert [line.number for line in found.refused] == [2, 3, 4, 6]
    assert [line.reason.split(":")[0] for line in found.refused] == [
        "not JSON",
        "must be an object, got [1, 2]",
        "the key 'text' is missing",
        "must be an object, got 'just a string'",
    ]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"text": "\xff"}', "line 1: not UTF-8 at byte 10"),
        (b'\n{"text": ' + b"[" * 100_000, "line 2: nested too deeply"),
        (b'{"text": ' + b"1" * 5_000 + b"}", "line 1: not JSON: Exceeds the limit"),
        (b'{"a": 1}\n{"text" 1}', r"line 1: the key 'text' is missing$"),
        (b'{"text": 1}\n{"text" 1}', r"line 2: not JSON: column 9: Expecting ':' delimiter$"),
        (b'{"text": 1}\n\xef\xbb\xbf{"text": 2}', "line 2: not JSON: column 1: Unexpected UTF-8 BOM"),
        (b'{"text": [NaN]}', r"line 1: not JSON: NaN is no number$"),
        (b'{"text": -Infinity}', r"line 1: not JSON: -Infinity is no number$"),
        (b'{"text": 1e999}', r"line 1: not JSON: '1e999' is too large a number$"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)

    with pytest.raises(InputError, match=f"bad.jsonl: {reason}"):
        read_json_lines(path)


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text('{"text": "a\u2028b\u0085c"}\r\n{"text": ""}', encoding="utf-8")

    assert [line.value["text"] for line in read_json_lines(path).lines] == ["a\u2028b\u0085c", ""]


def test_a_carriage_return_is_white_space_and_ends_no_line(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_bytes(b'{"text":\r1}\r\r\n\r\n{"text": 2}\r')

    assert read_json_lines(path).lines == ((1, {"text": 1}), (3, {"text": 2}))


@pytest.mark.parametrize("path", ["a\0b", b"a\0b", 5, None])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(ConfigError, match="path must be a str or a path without NUL, got"):
        read_json_lines(path)


@pytest.mark.parametrize("required", ["text", {"text"}, None, [1]])
def test_required_keys_are_texts_in_an_order(tmp_path: Path, required: Any) -> None:
    with pytest.raises(InputError, match=r"required(\[0\])? must be"):
        read_json_lines(tmp_path / "none.jsonl", required=required)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl: No such file"):
        read_json_lines(tmp_path / "none.jsonl")
