"""`brimful build`, `brimful doctor`, and the commands of `brimful context`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from brimful.builders.flagship import ContextBuilder
from brimful.cli import context as context_commands
from brimful.cli.doctor import diagnose
from brimful.cli.request_file import read_request
from brimful.cli.terminal import FAILURE, fail, visible, write_out
from brimful.errors import BrimfulError
from brimful.render.explanation import COLUMNS, explain_row
from brimful.version import __version__

if TYPE_CHECKING:
    from brimful.builders.flagship import Context

WIDTH_OF_FILES = 140
app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)
app.add_typer(context_commands.app, name="context")


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it with the option's value
    if wanted:
        typer.echo(f"brimful {__version__}")
        raise typer.Exit


@app.callback()
def describe(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Fill a language model's context window to the brim, and never over."""


@app.command()
def build(
    request: Annotated[str, typer.Argument(metavar="REQUEST.json", help="The request, a JSON file; `-` reads stdin.")],
    *,
    explain: Annotated[bool, typer.Option("--explain", help="Show what was kept, cut and dropped, and why.")] = False,
    max_tokens: Annotated[int | None, typer.Option(help="Use this budget instead of the request's.")] = None,
) -> None:
    """Print the context of a request to stdout, and how full it is to stderr.

    A request is a JSON object: `documents` (texts, or objects with `text`, `id`, `source`, `score`, `metadata`),
    `max_tokens` unless the option gives it, and, as wanted, `query`, `model` (what reads the context: it says how
    tokens are counted), `min_score`, `min_tokens`, `mmr_lambda`, `order` (edges, score, input) and `near_duplicates`
    (null keeps all; an object has the options of NearDuplicateOptions, like `threshold`).
    """
    try:
        content = read_request(request, max_tokens=max_tokens)
        builder = ContextBuilder(**content.options)  # type: ignore[arg-type]  # the builder checks what the file says
        context = builder.build(query=content.query, documents=content.documents)  # type: ignore[arg-type]
    except BrimfulError as error:
        fail(error)
    write_out(f"{context.text}\n".encode())
    _report(context, explain=explain)


@app.command()
def doctor() -> None:
    """Print the back end, the versions, the encodings and the threads; exit 2 when something is wrong."""
    table = Table("what", "found", box=None, show_header=False, padding=(0, 2, 0, 0))
    findings = diagnose()
    for finding in findings:
        table.add_row(finding.name, Text(visible(finding.value), style="" if finding.sound else "bold red"))
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
            table.add_row(*(Text(visible(cell)) for cell in explain_row(decision)))
        console.print(table)
    console.print(Text(context.summary()))
