"""The command line, as a person or a script meets it."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from brimful import ContextBuilder, NearDuplicateOptions, __version__
from cli.command_line import COMMAND, ENVIRONMENT, brimful, brimful_in_shell, call

pytest.importorskip("typer", reason="the extra `cli` is not installed")

REQUEST: dict[str, Any] = {
    "max_tokens": 60,
    "query": "What is wet?",
    "documents": [
        {"text": "Water is wet.", "source": "a.txt", "score": 0.9},
        {"text": "Water  is wet!", "source": "b.txt", "score": 0.8},
        "Fire is hot. " * 40,
    ],
}


@pytest.fixture
def request_file(tmp_path: Path) -> Path:
    path = tmp_path / "request.json"
    path.write_text(json.dumps(REQUEST), encoding="utf-8")
    return path


def test_build_prints_the_context_to_stdout_and_a_summary_to_stderr(request_file: Path) -> None:
    done = brimful("build", str(request_file))

    assert (done.returncode, done.stdout) == (
        0,
        "# Sources\n\n[1] a.txt\nWater is wet.\n\n# Question\n\nWhat is wet?\n",
    )
    assert "20 of 60 tokens; 3 documents: 1 kept, 0 cut, 2 dropped" in done.stderr


def test_build_explains_every_document_when_asked(request_file: Path) -> None:
    done = brimful("build", str(request_file), "--explain")

    assert "cited as [1]" in done.stderr
    assert "repeats item 0 (similarity 1.000)" in done.stderr
    assert "does not fit in what is left" in done.stderr


def test_the_budget_of_the_command_line_wins(request_file: Path) -> None:
    assert "Fire is hot." in brimful("build", str(request_file), "--max-tokens", "1000").stdout


def test_a_request_needs_no_budget_where_the_command_line_gives_one() -> None:
    done = brimful("build", "-", "--max-tokens", "30", stdin='{"documents": ["Water is wet."]}')

    assert (done.returncode, done.stdout) == (0, "# Sources\n\n[1]\nWater is wet.\n")
    assert "of 30 tokens" in done.stderr


def test_a_hyphen_reads_the_request_from_stdin(request_file: Path) -> None:
    assert brimful("build", "-", stdin=json.dumps(REQUEST)).stdout == brimful("build", str(request_file)).stdout


@pytest.mark.once
def test_what_stdin_lacks_is_said_of_stdin() -> None:
    done = brimful("build", "-")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "brimful: stdin: not JSON: line 1, column 1: Expecting value\n"


@pytest.mark.parametrize(
    ("near_duplicates", "options"),
    [
        (None, None),
        ({}, NearDuplicateOptions()),
        (
            {"shingle_size": 1, "threshold": 0.6, "words": "alphanumeric"},
            NearDuplicateOptions(shingle_size=1, threshold=0.6, words="alphanumeric"),
        ),
    ],
)
def test_a_request_says_when_two_documents_are_the_same(
    near_duplicates: dict[str, object] | None, options: NearDuplicateOptions | None
) -> None:
    texts = ["Water is wet.", "Water  is wet.", "Water is wet!"]
    request = {"max_tokens": 99, "documents": texts, "near_duplicates": near_duplicates}

    done = brimful("build", "-", stdin=json.dumps(request))

    context = ContextBuilder(max_tokens=99, near_duplicates=options).build(documents=texts)
    assert done.stdout == f"{context.text}\n", done.stderr


@pytest.mark.parametrize(("model", "note"), [("gpt-4o", ""), ("claude-sonnet-4-5", " (estimated)")])
def test_a_request_says_what_reads_the_context(model: str, note: str) -> None:
    request = {"max_tokens": 99, "documents": ["Water is wet."], "model": model}

    done = brimful("build", "-", stdin=json.dumps(request))

    context = ContextBuilder(max_tokens=99, model=model).build(documents=["Water is wet."])
    assert f"{context.tokens} of 99 tokens{note}; 1 documents" in done.stderr


@pytest.mark.once
def test_the_version_is_shown() -> None:
    done = brimful("--version")

    assert (done.returncode, done.stdout, done.stderr) == (0, f"brimful {__version__}\n", "")


@pytest.mark.once
def test_the_help_names_every_key_of_a_request() -> None:
    shown = brimful("build", "--help").stdout
    options = {field.name for field in fields(ContextBuilder)} - {"token_counter"}  # JSON has no functions

    assert {name for name in options | {"query", "documents"} if f"`{name}`" not in shown} == set()


def test_text_of_any_script_comes_out_whatever_the_locale(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_text(
        json.dumps({"max_tokens": 99, "documents": ["東京 👨‍👩‍👧‍👦 é"]}, ensure_ascii=False), encoding="utf-8-sig"
    )

    assert "東京 👨‍👩‍👧‍👦 é" in brimful("build", str(path), "--explain").stdout


BAD_FILES: dict[str, tuple[bytes, str]] = {
    "not JSON": (b'{"max_tokens": ', "not JSON: line 1, column 16"),
    "not UTF-8": (b'{"query": "\xff"}', "not UTF-8: byte 0xff at 11"),
    "a list": (b"[]", "the request must be an object, got []"),
    "no budget": (b'{"documents": []}', "the key `max_tokens` is missing"),
    "no documents": (b'{"max_tokens": 3}', "the key `documents` is missing"),
    "an unknown key": (b'{"max_tokens": 3, "docs": []}', "unknown key 'docs'; known are max_tokens, documents, query"),
    "a key twice": (b'{"max_tokens": 3, "max_tokens": 4, "documents": []}', "the key 'max_tokens' is there twice"),
    "documents no list": (b'{"max_tokens": 3, "documents": "x"}', "documents must be a list, got 'x'"),
    "a bad document": (
        b'{"max_tokens": 3, "documents": ["x", 7]}',
        "documents[1] must be a Document, a str or a mapping",
    ),
    "a bad score": (b'{"max_tokens": 3, "documents": [{"text": "x", "score": "1"}]}', "documents[0].score must be"),
    "not a number": (b'{"max_tokens": NaN, "documents": []}', "NaN is no number"),
    "a bad budget": (b'{"max_tokens": -3, "documents": []}', "max_tokens must be a whole number from 0"),
    "a budget too small": (b'{"max_tokens": 1, "query": "why is it so?", "documents": []}', "max_tokens is 1"),
    "nested too deeply": (b"[" * 100_000, "nested too deeply"),
    "empty": (b"", "not JSON: line 1, column 1"),
    "thousands of digits": (b'{"max_tokens": -%s}' % (b"9" * 5000), "bad.json: a number of 5,000 digits is too long"),
    "near-duplicates no object": (b'{"max_tokens": 3, "documents": [], "near_duplicates": true}', "an object or null"),
    "an unknown option": (
        b'{"max_tokens": 3, "documents": [], "near_duplicates": {"jaccard": 1}}',
        "near_duplicates: unknown key 'jaccard'; known are shingle_size, threshold, ",
    ),
    "a bad option": (
        b'{"max_tokens": 3, "documents": [], "near_duplicates": {"shingle_size": 0}}',
        "near_duplicates.shingle_size must be a whole number from 1 to 32, got 0",
    ),
    "a key that steers the terminal": (
        b'{"max_tokens": 3, "documents": [{"text": "x", "\\u001b[2J": 1}]}',
        r"\x1b[2J",
    ),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_gives_one_clear_line_and_exit_2(
    tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    content, message = BAD_FILES[name]
    path = tmp_path / "bad.json"
    path.write_bytes(content)

    done = call(capfd, "build", str(path))

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("brimful: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


@pytest.mark.parametrize("path", ["missing.json", "."])
def test_a_file_that_cannot_be_read_gives_one_clear_line_and_exit_2(
    path: str, capfd: pytest.CaptureFixture[str]
) -> None:
    done = call(capfd, "build", path)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"brimful: {path}: ")


def test_a_label_does_not_reach_the_terminal_raw() -> None:
    label = "\x1b]0;mine\x07 \x9b2J\r\n\u202e é"
    request = {"max_tokens": 99, "documents": [{"text": "Water is wet.", "source": label}]}

    done = brimful("build", "-", "--explain", stdin=json.dumps(request), PYTHONIOENCODING="utf-8")

    assert r"\x1b]0;mine\x07 \x9b2J\r\n\u202e é" in done.stderr
    assert not {"\x1b", "\x07", "\x9b", "\r", "\u202e"} & set(done.stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", ["build {}", "doctor", "--version", "--help"])
def test_a_full_disk_gives_one_clear_line_and_exit_2(request_file: Path, arguments: str) -> None:
    done = brimful_in_shell(f"brimful {arguments.format(shlex.quote(str(request_file)))} > /dev/full")

    assert (done.returncode, done.stderr) == (
        2,
        "brimful: the output cannot be written: No space left on device\n",
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_an_explanation_that_cannot_be_written_is_exit_2(request_file: Path) -> None:
    done = brimful_in_shell(f"brimful build {shlex.quote(str(request_file))} --explain 2> /dev/full")

    assert (done.returncode, done.stdout[:9]) == (2, "# Sources")


def test_a_closed_stdout_gives_one_clear_line_and_exit_2(request_file: Path) -> None:
    done = brimful_in_shell(f"brimful build {shlex.quote(str(request_file))} >&-")

    assert (done.returncode, done.stderr) == (2, "brimful: the output cannot be written: Bad file descriptor\n")


def test_a_reader_that_has_gone_ends_the_run_quietly(request_file: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [*COMMAND, "build", str(request_file)]

    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False, env=ENVIRONMENT)

    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.once
def test_a_path_does_not_reach_the_terminal_raw() -> None:
    assert brimful("build", "\x1b[2J.json").stderr == "brimful: \\x1b[2J.json: No such file or directory\n"


@pytest.mark.once
def test_without_the_extra_the_command_says_what_to_install() -> None:
    script = "import sys; sys.modules['typer'] = None; from brimful.cli import main; main()"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (
        2,
        "brimful: the command line needs an extra: pip install 'brimful[cli]'\n",
    )


EXAMPLE = Path(__file__).parents[2] / "examples" / "requests" / "declare_war.json"


@pytest.mark.once
def test_the_example_has_near_duplicates_and_both_back_ends_print_the_same_bytes() -> None:
    outputs = {brimful("build", str(EXAMPLE), "--explain", BRIMFUL_BACKEND=name).stdout for name in ("auto", "python")}

    assert len(outputs) == 1
    assert outputs.pop().startswith("# Sources\n\n[1] ")
    assert "repeats item" in brimful("build", str(EXAMPLE), "--explain").stderr
    assert len(json.loads(EXAMPLE.read_text(encoding="utf-8"))["documents"]) >= 30
