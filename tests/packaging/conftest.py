"""The three artefacts, built once, and clean places that have one of them installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from places import Artefacts, Place

ROOT = Path(__file__).resolve().parents[2]
OURS = ("BRIMFUL_", "HYPOTHESIS_", "MAKE", "MFLAGS", "PYTEST_", "PYTHON")
"""Variables that steer this run, and must not steer the ones that it starts."""


@pytest.fixture(scope="session")
def artefacts(tmp_path_factory: pytest.TempPathFactory) -> Artefacts:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(["make", "wheels", f"DIST={folder}"], cwd=ROOT, env=neutral_environment(), check=True)  # noqa: S607
    [native], [sdist], [pure] = (list(folder.glob(name)) for name in ("*-abi3-*.whl", "*.tar.gz", "*-none-any.whl"))
    return Artefacts(native, sdist, pure)


@pytest.fixture(scope="session")
def from_sdist(artefacts: Artefacts, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The package built from its source distribution, with what the checkout has compiled already."""
    environment = {"CARGO_TARGET_DIR": str(ROOT / "target")} | neutral_environment()
    return furnish(Place(tmp_path_factory.mktemp("from-sdist"), environment), artefacts.sdist)


@pytest.fixture(scope="session")
def from_pure_wheel(artefacts: Artefacts, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The package where nothing can be compiled."""
    environment = neutral_environment()
    environment["PATH"] = os.pathsep.join(filter(has_no_rust, environment["PATH"].split(os.pathsep)))
    place = Place(tmp_path_factory.mktemp("from-pure-wheel"), environment)
    return furnish(place, artefacts.pure, "--only-binary", ":all:")


def neutral_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS)}


def has_no_rust(folder: str) -> bool:
    return not any(shutil.which(command, path=folder) for command in ("cargo", "rustc"))


def furnish(place: Place, artefact: Path, *options: str) -> Place:
    for name in ("tests", "examples"):
        shutil.copytree(ROOT / name, place.folder / name, ignore=shutil.ignore_patterns("__pycache__", "scripts"))
    shutil.copy(ROOT / "pyproject.toml", place.folder)  # the settings of pytest, and the group of packages
    python = sys.executable
    subprocess.run([python, "-m", "venv", "--without-pip", place.folder / "venv"], env=place.environment, check=True)
    pip = [python, "-m", "pip", "--python", str(place.scripts / "python"), "install", "--quiet", *options]
    what = [f"{artefact}[cli]", "--group", f"{place.folder / 'pyproject.toml'}:test"]
    subprocess.run([*pip, *what], env=place.environment, check=True)
    return place
