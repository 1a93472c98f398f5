"""The report on the byte weights; the fit itself needs packages that the suite does without."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

import brimful

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "fit_byte_weights.py"

pytestmark = pytest.mark.checkout


def test_the_report_has_a_row_a_file_of_whole_pieces(tmp_path: Path) -> None:
    piece = ("Räum auf, bevor du gehst. " * 40)[:1000]
    (tmp_path / "german.txt.gz").write_bytes(gzip.compress((piece * 3 + "rest").encode()))

    run = subprocess.run([sys.executable, SCRIPT, "--check", tmp_path], capture_output=True, text=True, check=False)

    counts = [brimful.count_tokens(piece, encoding=encoding) for encoding in ("o200k_base", "cl100k_base")]
    likely, safe = brimful.estimate_tokens(piece), brimful.estimate_tokens(piece, safe=True)
    error, covered, over = (
        " / ".join(f"{100 * figure:.1f}" for figure in figures)
        for figures in (
            [abs(likely / count - 1) for count in counts],
            [safe >= count for count in counts],
            [safe / count - 1 for count in counts],
        )
    )
    assert run.stdout.splitlines()[2:] == [f"| german | 3 | {error} | {covered} | {over} |"], run.stderr
