"""The command line, as a person or a script meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

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


def brimful(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "brimful", *arguments]
    environment = {**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C", **environment}
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False, env=environment)


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
    assert "of 60 tokens (estimated); 3 documents: 1 kept, 0 cut, 2 dropped" in done.stderr


def test_build_explains_every_document_when_asked(request_file: Path) -> None:
    done = brimful("build", str(request_file), "--explain")

    assert "cited as [1]" in done.stderr
    assert "repeats item 0 (similarity 1.000)" in done.stderr
    assert "does not fit in what is left" in done.stderr


def test_the_budget_of_the_command_line_wins(request_file: Path) -> None:
    assert "Fire is hot." in brimful("build", str(request_file), "--max-tokens", "1000").stdout


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
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_gives_one_clear_line_and_exit_2(tmp_path: Path, name: str) -> None:
    content, message = BAD_FILES[name]
    path = tmp_path / "bad.json"
    path.write_bytes(content)

    done = brimful("build", str(path))

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("brimful: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


@pytest.mark.parametrize("path", ["missing.json", "."])
def test_a_file_that_cannot_be_read_gives_one_clear_line_and_exit_2(path: str) -> None:
    done = brimful("build", path)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"brimful: {path}: ")


def test_without_the_extra_the_command_says_what_to_install() -> None:
    script = "import sys; sys.modules['typer'] = None; from brimful.cli import main; main()"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (
        2,
        "brimful: the command line needs an extra: pip install 'brimful[cli]'\n",
    )


EXAMPLE = Path(__file__).parents[2] / "examples" / "requests" / "declare_war.json"


def test_the_example_has_near_duplicates_and_both_back_ends_print_the_same_bytes() -> None:
    outputs = {brimful("build", str(EXAMPLE), "--explain", BRIMFUL_BACKEND=name).stdout for name in ("auto", "python")}

    assert len(outputs) == 1
    assert outputs.pop().startswith("# Sources\n\n[1] ")
    assert "repeats item" in brimful("build", str(EXAMPLE), "--explain").stderr
    assert len(json.loads(EXAMPLE.read_text(encoding="utf-8"))["documents"]) >= 30
