"""`brimful context`: what a store of records has, says and proves."""

from __future__ import annotations

import json
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from brimful.cli.record_lines import diff_lines, list_lines, record_lines, verification_line
from brimful.cli.terminal import fail, visible, write_out
from brimful.errors import BrimfulError, InputError
from brimful.kernels.texts import repair_surrogates
from brimful.records import SigningKey, diff, explain
from brimful.records.sqlite_records import SqliteRecordStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from brimful.records import ContextRecord

Found = TypeVar("Found")
app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="List, show, explain, verify, compare and export stored contexts."
)

Id = Annotated[str, typer.Argument(metavar="ID", help="An id, with or without `ctx_`, or a record hash.")]
Ids = Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Records; without any, all of them.")]
Store = Annotated[str, typer.Option("--store", metavar="FILE", help="The SQLite file of the records.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Moment = Annotated[str | None, typer.Option(metavar="TIME", help="In ISO 8601; without a zone in UTC.")]


@app.command("list")
def list_records(
    store: Store,
    *,
    start: Moment = None,
    end: Moment = None,
    name: Annotated[str | None, typer.Option(help="Of this context function only.")] = None,
    status: Annotated[str | None, typer.Option(help="guaranteed, degraded or unknown.")] = None,
    limit: Annotated[int, typer.Option(help="At most so many.")] = 100,
    as_json: AsJson = False,
) -> None:
    """List the records of a store, newest first."""
    with _opened(store) as records:
        found = records.list(start=start, end=end, name=name, freshness_status=status, limit=limit)
    if as_json:
        _print_json([summary.to_dict() for summary in found])
    else:
        _print(list_lines(found) if found else [f"no such records in {store}"])


@app.command()
def show(id_: Id, store: Store, *, as_json: AsJson = False) -> None:
    """Show a record: its facts, hashes and arguments, and the content."""
    with _opened(store) as records:
        record = _read(records, id_)
    if as_json:
        _print_json(record.to_dict())
    else:
        _print(record_lines(record))


@app.command("explain")
def explain_record(id_: Id, store: Store, *, as_json: AsJson = False) -> None:
    """Explain a record item by item: what was kept, cut and dropped, and why; how fresh its data was."""
    with _opened(store) as records:
        explanation = explain(_read(records, id_))
    if as_json:
        _print_json(explanation.to_dict())
    else:
        _print(explanation.lines())


@app.command("verify")
def verify_records(store: Store, ids: Ids = None, *, as_json: AsJson = False) -> None:
    """Verify records, all of them without an ID: their hashes, and every byte that the file keeps of them.

    With BRIMFUL_SIGNING_KEY (and BRIMFUL_SIGNING_KEY_ID) their signatures too: then a record that is not signed fails.
    Exit 2 when any record fails.
    """
    with _opened(store) as records:
        key = SigningKey.from_environment()
        keys = [] if key is None else [key]
        found = [_known(records.verify(id_, keys=keys), id_) for id_ in ids or ()]
        if not ids:
            found = list(records.verify_all(keys=keys))
    bad = [verification for verification in found if not verification.ok]
    if as_json:
        _print_json([verification.to_dict() for verification in found])
    elif ids:
        _print(map(verification_line, found))
    else:
        _print([*map(verification_line, bad), f"{len(found) - len(bad):,} of {len(found):,} records ok"])
    if bad:
        fail(f"{len(bad):,} of {len(found):,} records in {store} cannot be relied on, first {bad[0].context_id}")


@app.command("diff")
def diff_records(
    base: Annotated[str, typer.Argument(metavar="BASE", help="The id of the earlier record.")],
    comparison: Annotated[str, typer.Argument(metavar="COMPARISON", help="The id of the later one.")],
    store: Store,
    *,
    as_json: AsJson = False,
) -> None:
    """Show what changed between two records: inputs, features, passages, items, and lines of the content."""
    with _opened(store) as records:
        ours, theirs = _read(records, base), _read(records, comparison)
    if as_json:
        _print_json(diff(ours, theirs).to_dict())
    else:
        _print(diff_lines(diff(ours, theirs), ours.content, theirs.content))


@app.command()
def export(
    store: Store,
    ids: Ids = None,
    *,
    output: Annotated[str | None, typer.Option(metavar="FILE", help="Write to this new file, not to stdout.")] = None,
    as_json: AsJson = False,
) -> None:
    """Export records in canonical JSON, one a line; with --json as one indented list."""
    with _opened(store) as records:
        wanted = ids or [summary.context_id for summary in records.list(limit=None)]
        exported = [_read(records, id_) for id_ in wanted]
        listed = json.dumps([record.to_dict() for record in exported], indent=2) if as_json else None
        lines = [record.to_json() for record in exported] if listed is None else [listed]
        content = "".join(f"{line}\n" for line in lines).encode()
        if output is not None:
            _write_new(output, content)
    if output is None:
        write_out(content)
    else:
        _print([f"{len(exported):,} records written to {output}"])


@contextmanager
def _opened(store: str) -> Iterator[SqliteRecordStore]:
    """Open a store to read from it, and say in one line what went wrong."""
    try:
        with closing(SqliteRecordStore(store, read_only=True)) as records:
            yield records
    except BrimfulError as error:
        fail(error)


def _read(records: SqliteRecordStore, id_: str) -> ContextRecord:
    return _known(records.read(id_), id_)


def _known(found: Found | None, id_: str) -> Found:
    if found is None:
        message = f"there is no record {id_}"
        raise InputError(message)
    return found


def _write_new(path: str, content: bytes) -> None:
    try:
        with Path(path).open("xb") as file:
            file.write(content)
    except (OSError, ValueError) as error:  # a NUL in the path
        message = f"{path}: {getattr(error, 'strerror', None) or error}"
        raise InputError(message) from error


def _print(lines: Iterable[str]) -> None:
    write_out("".join(f"{visible(repair_surrogates(line))}\n" for line in lines).encode())


def _print_json(value: object) -> None:
    write_out(f"{json.dumps(value, indent=2)}\n".encode())
