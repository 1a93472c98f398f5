"""The boundary to the compiled core: chooses a back end, once, and is the only package that imports one.

`BRIMFUL_BACKEND=auto|rust|python`. `auto` takes the extension and falls back to Python where it is missing;
`rust` insists on it. An extension of another contract is refused in both: a stale build would be slower to
notice than to mend.
"""

from __future__ import annotations

import functools
import importlib
import logging
import os
from typing import TYPE_CHECKING, Final, Literal, cast

from brimful.config import check_choice, read_backend, read_threads
from brimful.errors import BackendError
from brimful.kernels.boundary import CheckedKernels
from brimful.kernels.contract import CONTRACT
from brimful.kernels.texts import repair_surrogates

if TYPE_CHECKING:
    from brimful.kernels.contract import Kernels

__all__ = ["CheckedKernels", "active", "load", "provoke_fault", "repair_surrogates"]

REBUILD: Final = "pip install --force-reinstall brimful (in a checkout: make install)"
_log = logging.getLogger("brimful")


@functools.cache
def load(name: Literal["rust", "python"]) -> CheckedKernels:
    """Load the back end of that name.

    Raises BackendError when the extension is missing, cannot be loaded or is of another contract, and ConfigError for
    an unknown `BRIMFUL_NUM_THREADS`, which the twin checks too although it has no use for it.

    >>> load("python").name
    'python'
    """
    check_choice("name", name, ("rust", "python"))
    threads = read_threads()
    if name == "python":
        twin = cast("Kernels", importlib.import_module("brimful.kernels._python"))
        return CheckedKernels("python", twin)
    return CheckedKernels("rust", _load_extension(threads))


@functools.cache
def active() -> CheckedKernels:
    """Return the back end of this process, chosen at the first call and kept.

    Raises ConfigError for an unknown `BRIMFUL_BACKEND`, BackendError as `load` does.
    """
    wanted = read_backend()
    if wanted != "auto":
        return load(wanted)
    try:
        return load("rust")
    except _MissingExtensionError as missing:
        _log.info("no compiled extension, using the Python back end: %s", missing.__cause__)
        return load("python")


def provoke_fault() -> None:
    """Let the extension fail on purpose, to see that a fault of a kernel comes out as KernelError and nothing worse."""
    load("rust")
    importlib.import_module("brimful.kernels._native").fault("provoked")


class _MissingExtensionError(BackendError):
    """There is no extension, or the platform cannot load it: the one case in which `auto` falls back."""


def _load_extension(threads: int) -> Kernels:
    try:
        extension = importlib.import_module("brimful.kernels._native")
    except ImportError as error:
        message = f"the compiled extension cannot be loaded: {error}\nhint: {REBUILD}, or BRIMFUL_BACKEND=python"
        raise _MissingExtensionError(message) from error
    found = getattr(extension, "CONTRACT", None)
    if found != CONTRACT:
        message = (
            f"the compiled extension fulfils contract {found}, this version of brimful needs {CONTRACT}\n"
            f"hint: {REBUILD}"
        )
        raise BackendError(message)
    extension.set_threads(threads)
    # A prefork server starts a process a core: its children share the cores among them already.
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: extension.set_threads(1))
    return cast("Kernels", extension)
