"""Which back end a process gets, what it says when it cannot, and what a fault of a kernel becomes.

The choice is made once a process, so every test starts one.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

from brimful.kernels.contract import CONTRACT

pytestmark = pytest.mark.once  # those processes get the back end that the test names

NAME = "brimful.kernels._native"
MISSING = f"import sys; sys.modules[{NAME!r}] = None\n"
BROKEN = f"""
import sys
class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == {NAME!r}:
            raise ImportError("wrong ELF class")
sys.meta_path.insert(0, Broken())
"""
STALE = f"""
import sys, types
sys.modules[{NAME!r}] = types.ModuleType({NAME!r})
sys.modules[{NAME!r}].CONTRACT = {CONTRACT - 1}
"""
LOG = "import logging; logging.basicConfig(level=logging.DEBUG, format='%(levelname)s %(name)s %(message)s')\n"
ACTIVE = "from brimful.kernels import active; print(active().name)\n"
RUST = "from brimful.kernels import load; load('rust')\n"
DOCTOR = "import sys; sys.argv = ['brimful', 'doctor']; from brimful.cli import main; main()\n"

needs_extension = pytest.mark.skipif(
    importlib.util.find_spec(NAME) is None, reason="this installation has no compiled extension"
)
extensions = pytest.mark.parametrize("extension", [MISSING, BROKEN], ids=["missing", "broken"])


def run(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BRIMFUL_")} | variables
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, check=False, capture_output=True, text=True)


def error_of(outcome: subprocess.CompletedProcess[str]) -> str:
    """The last exception of a traceback, with all the lines of its message."""
    assert outcome.returncode == 1
    return outcome.stderr[outcome.stderr.rindex("\nbrimful.") + 1 :]


@needs_extension
@pytest.mark.parametrize("wanted", ["auto", "", "rust"])
def test_the_extension_is_taken_without_a_word(wanted: str) -> None:
    outcome = run(LOG + ACTIVE, BRIMFUL_BACKEND=wanted)

    assert (outcome.stdout, outcome.stderr) == ("rust\n", "")


@extensions
def test_without_an_extension_auto_falls_back_with_one_line_of_information(extension: str) -> None:
    outcome = run(extension + LOG + ACTIVE + ACTIVE)

    assert outcome.stdout == "python\npython\n"
    [line] = outcome.stderr.splitlines()
    assert line.startswith("INFO brimful no compiled extension, using the Python back end: ")


@extensions
def test_the_fallback_is_silent_where_nobody_listens(extension: str) -> None:
    assert run(extension + ACTIVE).stderr == ""


@extensions
@pytest.mark.parametrize("code", [ACTIVE, RUST], ids=["active", "load"])
def test_without_an_extension_rust_is_refused_with_a_hint(extension: str, code: str) -> None:
    first, second = error_of(run(extension + code, BRIMFUL_BACKEND="rust")).splitlines()

    assert "Error: the compiled extension cannot be loaded: " in first
    assert second.startswith("hint: pip install --force-reinstall brimful (in a checkout: make install)")


def test_a_refused_back_end_is_an_import_error_of_ours() -> None:
    code = f"try:\n {RUST}except ImportError as error:\n import brimful; print(isinstance(error, brimful.BackendError))"

    assert run(MISSING + code).stdout == "True\n"


@pytest.mark.parametrize("wanted", ["auto", "rust"])
def test_an_extension_of_another_contract_is_refused_with_the_rebuild_command(wanted: str) -> None:
    error = error_of(run(STALE + ACTIVE, BRIMFUL_BACKEND=wanted))

    first, second = error.splitlines()
    assert first.startswith("brimful.errors.BackendError: ")
    assert first.endswith(f"fulfils contract {CONTRACT - 1}, this version of brimful needs {CONTRACT}")
    assert second == "hint: pip install --force-reinstall brimful (in a checkout: make install)"


def test_an_extension_without_a_contract_is_refused() -> None:
    error = error_of(run(STALE + f"del sys.modules[{NAME!r}].CONTRACT\n" + ACTIVE))

    assert error.startswith("brimful.errors.BackendError: the compiled extension fulfils contract None, ")


@pytest.mark.parametrize("extension", ["", MISSING, BROKEN, STALE], ids=["as it is", "missing", "broken", "stale"])
def test_python_is_taken_whatever_the_extension_is(extension: str) -> None:
    outcome = run(extension + LOG + ACTIVE, BRIMFUL_BACKEND="python")

    assert (outcome.stdout, outcome.stderr) == ("python\n", "")


def test_forced_python_never_imports_the_extension() -> None:
    use = "import brimful; brimful.estimate_tokens(['a b']); brimful.near_duplicates(['a b', 'a b'])\n"
    outcome = run(ACTIVE + use + f"import sys; print({NAME!r} in sys.modules)", BRIMFUL_BACKEND="python")

    assert outcome.stdout == "python\nFalse\n", outcome.stderr


@pytest.mark.parametrize("wanted", ["Rust", "numpy", " rust", "0"])
def test_an_unknown_back_end_is_refused_by_name(wanted: str) -> None:
    error = error_of(run(ACTIVE, BRIMFUL_BACKEND=wanted))

    expected = f"BRIMFUL_BACKEND must be one of `auto`, `rust`, `python`, got {wanted!r}"
    assert error.strip() == f"brimful.errors.ConfigError: {expected}"


def test_importing_the_package_does_not_choose() -> None:
    assert run("import brimful, brimful.kernels", BRIMFUL_BACKEND="nonsense").returncode == 0


@needs_extension
@pytest.mark.parametrize("count", ["0", "-1", "1.5", "two", "1025", " 2", "٣"])
def test_a_wrong_number_of_threads_is_refused_by_name(count: str) -> None:
    error = error_of(run(ACTIVE, BRIMFUL_NUM_THREADS=count))

    assert error.startswith("brimful.errors.ConfigError: BRIMFUL_NUM_THREADS must be a whole number from 1 to 1,024")


@needs_extension
@pytest.mark.parametrize("count", ["", "1", "1024"])
def test_a_right_number_of_threads_is_taken(count: str) -> None:
    assert run(ACTIVE, BRIMFUL_NUM_THREADS=count).stdout == "rust\n"


@needs_extension
def test_a_panic_becomes_an_error_with_its_message() -> None:
    code = f"import {NAME} as native; native.fault('boom')"
    error = error_of(run(code))

    assert error.startswith("brimful.errors.KernelError: ")
    assert error.rstrip().endswith(": boom")


@needs_extension
def test_a_process_goes_on_after_a_panic() -> None:
    code = f"""
import {NAME} as native, brimful
for _ in range(3):
    try:
        native.fault('boom')
    except brimful.KernelError:
        print(brimful.estimate_tokens('a b'))
"""
    outcome = run(code)

    assert len(set(outcome.stdout.split())) == 1, outcome.stderr
    assert len(outcome.stdout.split()) == 3


class TestDoctor:
    """`brimful doctor` tells the state of the installation by its exit code, too."""

    @pytest.fixture(autouse=True)
    def _command_line(self) -> None:
        pytest.importorskip("typer")
        pytest.importorskip("rich")

    @staticmethod
    def report(extension: str = "", **variables: str) -> tuple[int, dict[str, str]]:
        outcome = run(extension + DOCTOR, **variables)
        lines = [line.split(maxsplit=1) for line in outcome.stdout.replace("back end", "back-end").splitlines()]
        return outcome.returncode, {line[0]: line[1].strip() for line in lines if len(line) > 1}

    @needs_extension
    def test_sound(self) -> None:
        code, found = self.report(BRIMFUL_NUM_THREADS="3")

        assert code == 0
        assert (found["back-end"], found["contract"], found["threads"]) == ("rust", str(CONTRACT), "3")
        assert found["extension"] == "loaded; faults are contained"
        assert {"brimful", "python", "numpy", "encodings"} <= found.keys()

    @needs_extension
    def test_says_nothing_of_the_fault_that_it_tries(self) -> None:
        assert run(DOCTOR).stderr == ""

    @extensions
    def test_without_an_extension_the_fallback_is_sound(self, extension: str) -> None:
        code, found = self.report(extension)

        assert (code, found["back-end"], found["encodings"]) == (0, "python", "cl100k_base, o200k_base")
        assert found["extension"].startswith("the compiled extension cannot be loaded: ")

    @extensions
    def test_without_an_extension_rust_is_not(self, extension: str) -> None:
        code, found = self.report(extension, BRIMFUL_BACKEND="rust")

        assert code == 2
        assert found["back-end"].startswith("the compiled extension cannot be loaded: ")

    def test_a_stale_extension(self) -> None:
        code, found = self.report(STALE)

        assert code == 2
        assert found["back-end"].startswith("the compiled extension fulfils contract ")

    def test_a_stale_extension_that_is_not_used(self) -> None:
        code, found = self.report(STALE, BRIMFUL_BACKEND="python")

        assert (code, found["back-end"], found["encodings"]) == (0, "python", "cl100k_base, o200k_base")
        assert found["extension"].startswith("the compiled extension fulfils contract ")

    def test_an_unknown_back_end(self) -> None:
        code, found = self.report(BRIMFUL_BACKEND="numpy")

        assert code == 2
        assert found["back-end"].startswith("BRIMFUL_BACKEND must be one of ")

    @pytest.mark.parametrize("wanted", ["auto", "python"])
    def test_a_wrong_number_of_threads(self, wanted: str) -> None:
        code, found = self.report(BRIMFUL_BACKEND=wanted, BRIMFUL_NUM_THREADS="two")

        assert code == 2
        assert found["threads"].startswith("BRIMFUL_NUM_THREADS must be a whole number ")
