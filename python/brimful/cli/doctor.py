"""What `brimful doctor` looks at."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final, get_args

from brimful.config import Encoding, read_threads
from brimful.errors import BrimfulError, KernelError
from brimful.kernels import active, provoke_fault
from brimful.kernels.contract import CONTRACT
from brimful.stages.counters import ExactCounter

SAMPLE: Final = "Water is wet."
TOKENS_OF_SAMPLE: Final = 4
"""In every encoding, so that counting wrong is found, and a vocabulary that cannot be read."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    name: str
    value: str
    sound: bool = True


def diagnose() -> list[Finding]:
    """Return the findings: versions, back end in use, the extension, threads."""
    return [
        Finding("brimful", version("brimful")),
        Finding("contract", str(CONTRACT)),
        Finding("python", f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}"),
        Finding("numpy", version("numpy")),
        _back_end(),
        _extension(),
        _threads(),
        _encodings(),
    ]


def _back_end() -> Finding:
    try:
        return Finding("back end", active().name)
    except BrimfulError as error:
        return Finding("back end", str(error), sound=False)


def _extension() -> Finding:
    try:
        provoke_fault()
    except KernelError:
        return Finding("extension", "loaded; faults are contained")
    except BrimfulError as error:
        return Finding("extension", str(error))
    return Finding("extension", "loaded, but a fault went unnoticed", sound=False)


def _encodings() -> Finding:
    try:
        counts = {encoding: ExactCounter(encoding).count([SAMPLE]) for encoding in get_args(Encoding)}
    except (BrimfulError, OSError) as error:
        return Finding("encodings", str(error), sound=False)
    return Finding("encodings", ", ".join(counts), sound=all(count == [TOKENS_OF_SAMPLE] for count in counts.values()))


def _threads() -> Finding:
    try:
        return Finding("threads", str(read_threads()))
    except BrimfulError as error:
        return Finding("threads", str(error), sound=False)
