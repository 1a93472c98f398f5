"""The comparison with tiktoken runs, and says so when a count differs."""

from __future__ import annotations

import gzip
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from types import ModuleType

pytestmark = pytest.mark.checkout
pytest.importorskip("tiktoken", reason="the script's requirement is not installed")

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "compare_tokens.py"


@pytest.fixture
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("compare_tokens", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_strings_and_files_are_compared(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("Räum auf!\n" * 300, encoding="utf-8")
    (tmp_path / "packed.txt.gz").write_bytes(gzip.compress("会议定于".encode() * 400))
    files = map(str, sorted(tmp_path.iterdir()))
    command = [sys.executable, str(SCRIPT), "--count", "300", *files]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}

    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.endswith("2 files, 300 strings of seed 1: 0 differences\n")
    assert "packed.txt.gz cl100k_base: whole " in run.stderr


def test_a_difference_is_printed_and_counted(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def count_one(texts: list[str], **_: Any) -> Any:
        return np.ones(len(texts), dtype=np.int64)

    monkeypatch.setattr(script, "active", lambda: SimpleNamespace(name="wrong", count_tokens=count_one))
    monkeypatch.setattr(sys, "argv", ["compare_tokens.py", "--count", "20", "--seed", "3"])

    assert script.compare(["a", "a b"], "here") == 2
    assert "here cl100k_base: 1 instead of 2 in 'a b'\n" in capsys.readouterr().out
    assert script.main() == 1
