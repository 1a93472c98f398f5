"""The command line in processes of its own."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

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
