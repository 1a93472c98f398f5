"""`brimful build` and `brimful doctor`."""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 - typer reads the annotations at run time
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from brimful.builders.flagship import ContextBuilder
from brimful.cli.doctor import diagnose
from brimful.cli.request_file import read_request
from brimful.errors import BrimfulError
from brimful.render.explanation import COLUMNS, explain_row

if TYPE_CHECKING:
    from brimful.builders.flagship import Context

FAILURE = 2
WIDTH_OF_FILES = 140
app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback()
def describe() -> None:
    """Fill a language model's context window to the brim, and never over."""


@app.command()
def build(
    request: Annotated[Path, typer.Argument(metavar="REQUEST.json", help="max_tokens, query and documents.")],
    *,
    explain: Annotated[bool, typer.Option("--explain", help="Show what was kept, cut and dropped, and why.")] = False,
    max_tokens: Annotated[int | None, typer.Option(help="Use this budget instead of the file's.")] = None,
) -> None:
    """Print the context of a request to stdout, and how full it is to stderr."""
    try:
        content = read_request(request)
        options = content.options if max_tokens is None else {**content.options, "max_tokens": max_tokens}
        builder = ContextBuilder(**options)  # type: ignore[arg-type]  # the builder checks what the file says
        context = builder.build(query=content.query, documents=content.documents)  # type: ignore[arg-type]
    except BrimfulError as error:
        _fail(error)
    sys.stdout.buffer.write(f"{context.text}\n".encode())
    sys.stdout.flush()
    _report(context, explain=explain)


@app.command()
def doctor() -> None:
    """Print the back end, the versions and the threads; exit 2 when something is wrong."""
    table = Table("what", "found", box=None, show_header=False, padding=(0, 2, 0, 0))
    findings = diagnose()
    for finding in findings:
        table.add_row(finding.name, Text(finding.value, style="" if finding.sound else "bold red"))
    Console(soft_wrap=True).print(table)
    if not all(finding.sound for finding in findings):
        raise typer.Exit(FAILURE)


def _report(context: Context, *, explain: bool) -> None:
    console = Console(stderr=True)
    if not console.is_terminal:
        console.width = WIDTH_OF_FILES
    if explain:
        table = Table(box=None, padding=(0, 2, 0, 0))
        for column in COLUMNS:
            table.add_column(column, justify="right" if column in {"item", "score", "tokens"} else "left")
        for decision in context.trace:
            table.add_row(*map(Text, explain_row(decision)))
        console.print(table)
    console.print(Text(context.summary()))


def _fail(error: BrimfulError) -> NoReturn:
    sys.stderr.write(f"brimful: {' '.join(str(error).split())}\n")
    raise typer.Exit(FAILURE)
