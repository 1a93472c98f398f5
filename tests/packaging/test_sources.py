"""What the Makefile and NOTICE say of the build, held against make and cargo."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = [pytest.mark.checkout, pytest.mark.once]

ROOT = Path(__file__).resolve().parents[2]
LINKED = ("cargo", "tree", "--locked", "-p", "brimful-py", "-e", "normal,no-proc-macro", "--target", "all")


@pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo is not here")
def test_notice_names_the_crates_in_the_extension() -> None:
    command = [*LINKED, "--prefix", "none", "--format", "{p}: {l}"]
    tree = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    linked = {re.sub(r" v[^:]*", "", line).removesuffix(" (*)") for line in tree.splitlines() if line}

    named = re.findall(r"^- (.+)$", (ROOT / "NOTICE").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(crate for crate in linked if not crate.startswith("brimful-"))


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A folder that make takes for one in which all is installed."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("pyproject.toml", "Cargo.toml", "Cargo.lock", "python/brimful/kernels/_native.abi3.so"):
        touch(tmp_path / name)
    for name in ("venv", "install"):
        touch(tmp_path / ".venv" / "stamps" / name)
    return tmp_path


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not here")
def test_an_extension_that_is_gone_is_built_again(built: Path) -> None:
    assert "pip install" not in dry_run(built, "run")

    (built / "python/brimful/kernels/_native.abi3.so").unlink()

    assert "pip install" in dry_run(built, "run")


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not here")
@pytest.mark.parametrize("flags", ["", "-C target-cpu=native"])
def test_every_build_gets_the_same_flags_also_in_a_make_under_make(tmp_path: Path, flags: str) -> None:
    (tmp_path / "GNUmakefile").write_text(
        f'include {ROOT}/Makefile\nouter: ; @echo "$$RUSTFLAGS"; $(MAKE) inner\ninner: ; @echo "$$RUSTFLAGS"\n'
    )

    outer, inner = make(tmp_path, "outer", RUSTFLAGS=flags).splitlines()

    assert outer == inner
    assert outer.startswith(flags)
    assert f"--remap-path-prefix={tmp_path}=/brimful" in outer


def touch(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def dry_run(folder: Path, target: str) -> str:
    return make(folder, "--dry-run", target)


def make(folder: Path, *arguments: str, **environment: str) -> str:
    """Run make as a person would: the make that runs this suite must not speak into it."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "--no-print-directory", "-C", str(folder), *arguments]
    outcome = subprocess.run(command, env=inherited | environment, check=True, capture_output=True, text=True)
    return outcome.stdout
