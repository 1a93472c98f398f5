"""The committed Unicode table is the one that its generator makes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "scripts" / "generate_unicode_table.py"

pytestmark = pytest.mark.once
pytest.importorskip("unicodedataplus", reason="the generator's requirements are not installed")


@pytest.mark.slow
def test_the_committed_table_is_the_one_generated_today() -> None:
    run = subprocess.run([sys.executable, GENERATOR, "--check"], capture_output=True, text=True, check=False)

    assert (run.returncode, run.stdout) == (0, "unicode-16.0.bin is current\n"), run.stderr


def test_the_table_is_small_enough_for_every_wheel() -> None:
    assert (ROOT / "python" / "brimful" / "data" / "unicode-16.0.bin").stat().st_size <= 100_000
