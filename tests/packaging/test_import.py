"""`import brimful` is cheap: it brings in nothing that the caller has not asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.once

NEW_MODULES = "import sys; before = {*sys.modules}; import brimful; print(*({*sys.modules} - before))"


def modules_of_the_import() -> set[str]:
    command = [sys.executable, "-c", NEW_MODULES]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())


def test_importing_loads_nothing_but_the_standard_library() -> None:
    packages = {name.partition(".")[0] for name in modules_of_the_import()}

    assert packages - sys.stdlib_module_names == {"brimful"}


def test_importing_loads_no_asyncio_and_no_part_of_ours() -> None:
    modules = modules_of_the_import()

    assert "asyncio" not in modules
    assert {name for name in modules if name.startswith("brimful")} == {"brimful"}


def test_importing_packets_loads_no_asyncio_and_no_extra() -> None:
    script = NEW_MODULES.replace("import brimful;", "import brimful.builders.packets;")
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.split()

    assert {"asyncio", "httpx2"} & {*found} == set()
    assert {name.partition(".")[0] for name in found} - sys.stdlib_module_names == {"brimful", "numpy"}
