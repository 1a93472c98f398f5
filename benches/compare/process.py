"""What this process tells of itself; Linux only."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

STATUS: Final = Path("/proc/self/status")


def status(field: str) -> int:
    """Read a figure of this process, in KiB."""
    found = re.search(rf"^{field}:\s+(\d+) kB$", STATUS.read_text(), re.MULTILINE)
    assert found, field
    return int(found[1])
