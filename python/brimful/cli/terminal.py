"""The way out: bytes to stdout, words to the terminal, and what happens when neither can be written."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

FAILURE: Final = 2
GONE: Final = 1
"""The exit code when the reader of a pipe has gone: what typer and rich exit with, too."""

_STEERING: Final = (
    *range(0x20),
    *range(0x7F, 0xA0),
    0x061C,
    0x200E,
    0x200F,
    *range(0x2028, 0x202F),
    *range(0x2066, 0x206A),
)
_ESCAPES: Final = {code: chr(code).encode("unicode_escape").decode("ascii") for code in _STEERING}


def visible(text: str) -> str:
    r"""`text` with escapes for what would steer a terminal: control characters, line breaks, changes of direction.

    >>> print(visible("a\x1b[2Jb"))
    a\x1b[2Jb
    """
    return text.translate(_ESCAPES)


def write_out(content: bytes) -> None:
    """Write to stdout, to the end."""
    with open(1, "wb", closefd=False) as stdout:  # `sys.stdout` is None where it is closed
        stdout.write(content)


def fail(error: object) -> NoReturn:
    """Say in one line what went wrong, and exit 2."""
    sys.stderr.write(f"brimful: {visible(' '.join(str(error).split()))}\n")
    sys.exit(FAILURE)


@contextlib.contextmanager
def sound_output() -> Iterator[None]:
    """Let no write fail unseen: a reader that has gone ends the run quietly, a full disk with one line."""
    try:
        try:
            yield
        finally:
            print(end="", flush=True)  # noqa: T201 - unlike sys.stdout.flush it takes a stdout that is closed
    except BrokenPipeError:
        _mute()
        sys.exit(GONE)
    except OSError as error:
        if error.filename is not None:  # a write knows no name
            raise
        with contextlib.suppress(OSError):
            sys.stderr.write(f"brimful: the output cannot be written: {error.strerror}\n")
        _mute()
        sys.exit(FAILURE)


def _mute() -> None:
    """Let what is still in the buffers go nowhere: the interpreter writes them at its end, and would complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)
