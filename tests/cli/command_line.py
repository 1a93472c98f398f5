"""The command line in processes of its own, and in this one."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

from brimful.cli import main

COMMAND = (sys.executable, "-m", "brimful")
ENVIRONMENT = {**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C"}


def brimful(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    command, environment = [*COMMAND, *arguments], ENVIRONMENT | environment
    return subprocess.run(
        command, input=stdin, capture_output=True, encoding="utf-8", timeout=60, check=False, env=environment
    )


def brimful_in_shell(line: str) -> subprocess.CompletedProcess[str]:
    command = ["/bin/sh", "-c", f'brimful() {{ {shlex.join(COMMAND)} "$@"; }}; {line}']
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=ENVIRONMENT)


def call(capture: pytest.CaptureFixture[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """`brimful` in this process: starting another one takes far longer than what most commands do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["brimful", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
    return subprocess.CompletedProcess(arguments, int(ended.value.code or 0), *capture.readouterr())
