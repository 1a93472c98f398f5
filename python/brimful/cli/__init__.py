"""The command line. It needs the extra `cli`; without it, it says so."""

from __future__ import annotations

import sys

from brimful.cli.terminal import sound_output


def main() -> None:
    """Run `brimful`."""
    try:
        from brimful.cli.commands import app  # noqa: PLC0415 - typer and rich are an extra
    except ModuleNotFoundError as error:
        if error.name not in {"typer", "rich"}:
            raise
        sys.stderr.write("brimful: the command line needs an extra: pip install 'brimful[cli]'\n")
        sys.exit(2)
    with sound_output():
        app(prog_name="brimful")
