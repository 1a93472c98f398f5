"""Builds `brimful-X-py3-none-any.whl`: the tree `python/` without the extension, for other platforms.

    python scripts/build_pure_wheel.py --out dist           # needs the dependency group `wheels`

maturin builds no wheel without its extension, so hatchling does. What the wheel says of itself is read from the
project's own `pyproject.toml` and `Cargo.toml`: there is no second copy of it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
COMPILED = ("*.so", "*.pyd", "__pycache__")


def main() -> None:
    """Build the wheel into the folder `--out`."""
    parser = argparse.ArgumentParser(description="Build the pure wheel.")
    parser.add_argument("--out", type=Path, required=True, help="the folder for the wheel")
    out = parser.parse_args().out.resolve()
    with tempfile.TemporaryDirectory() as folder:
        stage(Path(folder))
        subprocess.run([sys.executable, "-m", "build", "--wheel", "--outdir", out, folder], check=True)  # noqa: S603


def stage(folder: Path) -> None:
    """Write a project into `folder` that hatchling can build."""
    project = derive_project()
    shutil.copytree(ROOT / "python", folder / "python", ignore=shutil.ignore_patterns(*COMPILED))
    for name in (project["readme"], *project["license-files"]):
        shutil.copy(ROOT / name, folder)
    content = {
        "build-system": {"requires": ["hatchling>=1.33,<2"], "build-backend": "hatchling.build"},
        "project": project,
        "tool": {"hatch": {"build": {"ignore-vcs": True, "targets": {"wheel": {"packages": ["python/brimful"]}}}}},
    }
    (folder / "pyproject.toml").write_text("\n".join(toml_lines(content)), encoding="utf-8")


def derive_project() -> dict[str, Any]:
    """Return the project's own `[project]` table, with the version that maturin takes from `Cargo.toml`."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))
    del project["dynamic"]
    project["version"] = cargo["workspace"]["package"]["version"]
    return project


def toml_lines(table: dict[str, Any], *parents: str) -> Iterator[str]:
    """Yield `table` as TOML, a dotted key a line: strings, flags and lists of strings look as they do in JSON."""
    for key, value in table.items():
        path = (*parents, json.dumps(key))
        if isinstance(value, dict):
            yield from toml_lines(value, *path)
        else:
            yield f"{'.'.join(path)} = {json.dumps(value)}"


if __name__ == "__main__":
    main()
