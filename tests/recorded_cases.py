"""Public bug reports as small inputs (`cases/cases.jsonl`), and what their tests share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any, get_args

import pytest

from brimful.config import Boundary, Encoding

TESTS = Path(__file__).parent
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in map(json.loads, (TESTS / "cases" / "cases.jsonl").read_text(encoding="utf-8").splitlines())
}
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
BOUNDARIES: tuple[Boundary, ...] = get_args(Boundary)
every_encoding = pytest.mark.parametrize("encoding", ENCODINGS)


def numbered(words: str) -> str:
    """`w1 .. w24` as 24 words."""
    first, last = (int(word.removeprefix("w")) for word in words.split(" .. "))
    return " ".join(f"w{number}" for number in range(first, last + 1))


def run(script: str, *arguments: str, **environment: str) -> str:
    command = [sys.executable, "-c", textwrap.dedent(script), *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=True, env={**os.environ, **environment}
    )
    return done.stdout
