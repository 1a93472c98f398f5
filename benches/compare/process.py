"""What this process and the machine tell of themselves, and processes of their own; memory on Linux only."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

STATUS: Final = Path("/proc/self/status")
PEAK: Final = Path("/proc/self/clear_refs")


def status(field: str) -> int:
    """Read a figure of this process, in KiB."""
    found = re.search(rf"^{field}:\s+(\d+) kB$", STATUS.read_text(), re.MULTILINE)
    assert found, field
    return int(found[1])


def peak_beyond(run: Callable[[], object]) -> int:
    """Return the KiB by which the resident set was larger at the peak of a call than before it."""
    gc.collect()
    PEAK.write_text("5")  # the peak begins anew
    before = status("VmRSS")
    run()
    return status("VmHWM") - before


def run_module(
    module: str, *arguments: str, environment: Mapping[str, str] | None = None, patience: float | None = None
) -> str:
    """Run a module of ours in a fresh process, and return what it prints.

    Raises CalledProcessError where it fails, and TimeoutExpired after so many seconds.
    """
    command = [sys.executable, "-m", module, *arguments]
    whole = {**os.environ, **(environment or {})}
    done = subprocess.run(command, env=whole, capture_output=True, text=True, timeout=patience, check=True)  # noqa: S603 - our own interpreter and module
    return done.stdout


def load_average() -> str:
    """Return the load averages of the machine: of 1, 5 and 15 minutes."""
    return ", ".join(f"{value:.1f}" for value in os.getloadavg())
