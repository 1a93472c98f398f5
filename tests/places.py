"""What the packaging tests hand around."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Artefacts:
    native: Path
    sdist: Path
    pure: Path


@dataclass(frozen=True, slots=True)
class Place:
    """A folder with the package in an environment of its own, and with tests and examples but no sources."""

    folder: Path
    environment: Mapping[str, str] = field(repr=False)

    @property
    def scripts(self) -> Path:
        return self.folder / "venv" / "bin"

    def run(self, command: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        whole = [str(self.scripts / command), *arguments]
        return subprocess.run(whole, cwd=self.folder, env=self.environment, capture_output=True, check=False)
