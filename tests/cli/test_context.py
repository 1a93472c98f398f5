"""`brimful context`, as a person or a script meets it."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from brimful.records import ContextRecord, SqliteRecordStore, diff, explain, hide, sign, verify
from cli.command_line import brimful, brimful_in_shell, call
from record_parts import KEY, NOON, make_record

pytestmark = pytest.mark.once
pytest.importorskip("typer", reason="the extra `cli` is not installed")

FIRST = sign(make_record(1), KEY, at=NOON)
SECOND = make_record(2, inputs={"user": "Bob", "number": 2}, content="Your tier is lead.\n\x1b[2Jline é", token_count=9)


@dataclass
class CommandLine:
    """`brimful context` on a store, in this process."""

    path: Path
    capture: pytest.CaptureFixture[str]

    def call(self, *arguments: str) -> tuple[int, str, str]:
        """Return the exit code of a command, its stdout and its stderr."""
        done = call(self.capture, "context", *arguments, "--store", str(self.path))
        return done.returncode, done.stdout, done.stderr

    def run(self, *arguments: str) -> str:
        """What a command prints that succeeds and says nothing to stderr."""
        code, out, err = self.call(*arguments)
        assert (code, err) == (0, "")
        return out

    def read(self, *arguments: str) -> Any:
        """The JSON that it prints."""
        return json.loads(self.run(*arguments, "--json"))

    def refuse(self, *arguments: str) -> str:
        """The one line of a command that fails."""
        code, _, err = self.call(*arguments)
        assert code == 2
        assert err.startswith("brimful: ")
        assert err.count("\n") == 1
        return err.removeprefix("brimful: ").strip()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "records.sqlite"
    with SqliteRecordStore(path) as store:
        for record in (FIRST, SECOND):
            store.write(record)
    return path


@pytest.fixture
def line(path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.delenv("BRIMFUL_SIGNING_KEY", raising=False)
    return CommandLine(path, capfd)


def test_list_shows_the_newest_first(line: CommandLine) -> None:
    heading, *rows = line.run("list").splitlines()

    assert heading.split() == ["id", "created", "function", "freshness", "tokens", "items"]
    assert [row.split()[0] for row in rows] == ["ctx_2", "ctx_1"]
    assert "ctx_1  2026-01-01T12:00:01.000000+00:00  chat      guaranteed  8       1 of 2" in rows


def test_list_takes_filters_and_says_when_there_is_nothing(line: CommandLine, path: Path) -> None:
    filters = ("--start", "2026-01-01T12:00:02", "--end", "2026-01-01T12:00:02Z", "--name", "chat", "--limit", "5")

    assert [row["context_id"] for row in line.read("list", *filters, "--status", "guaranteed")] == ["ctx_2"]
    assert line.read("list", "--name", "x") == []
    assert line.run("list", "--name", "x") == f"no such records in {path}\n"


def test_show_prints_the_facts_and_the_content(line: CommandLine) -> None:
    shown = line.run("show", "1")

    assert shown.startswith("ctx_1: chat, 2026-01-01T12:00:01Z\n8 of 10 tokens; 1 of 2 items shown\n")
    assert f"record {FIRST.integrity.record_hash}; signed by 2026 at {NOON}\n" in shown
    assert 'input user: "Ada"\n' in shown
    assert shown.endswith("\n\nYour tier is gold.\nline 1\n")
    assert line.read("show", FIRST.integrity.record_hash) == FIRST.to_dict()


def test_what_steers_a_terminal_is_shown_escaped(line: CommandLine) -> None:
    assert "\\x1b[2Jline é" in line.run("show", "2")
    assert "+\\x1b[2Jline é" in line.run("diff", "1", "2")


def test_lone_surrogates_are_shown_as_what_they_are_repaired_to(line: CommandLine, path: Path) -> None:
    with SqliteRecordStore(path) as store:
        store.write(make_record(3, inputs={"\ud800": "\udfff"}))

    assert 'input \ufffd: "\ufffd"\n' in line.run("show", "3")
    assert '+ input \ufffd: null -> "\ufffd"\n' in line.run("diff", "1", "3")
    assert line.read("show", "3")["inputs"] == {"\ud800": "\udfff"}


def test_a_hidden_record_says_that_it_is(line: CommandLine, path: Path) -> None:
    with SqliteRecordStore(path) as store:
        store.write(hide(make_record(3)))

    assert line.run("show", "3").endswith("\n\n(hidden)\n")
    assert "ctx_3: ok (content absent, record valid" in line.run("verify", "3")
    assert "content: differs, and is hidden" in line.run("diff", "1", "3")


def test_explain_prints_a_line_an_item(line: CommandLine) -> None:
    assert line.run("explain", "ctx_1").splitlines() == list(explain(FIRST).lines())
    assert line.read("explain", "ctx_1") == json.loads(json.dumps(explain(FIRST).to_dict()))


def test_verify_says_what_holds(line: CommandLine) -> None:
    assert line.run("verify") == "2 of 2 records ok\n"
    assert line.run("verify", "1", "ctx_2").splitlines() == [
        "ctx_1: ok (content valid, record valid, signature unchecked, row valid)",
        "ctx_2: ok (content valid, record valid, signature absent, row valid)",
    ]
    assert [found["ok"] for found in line.read("verify")] == [True, True]


def test_verify_holds_signatures_against_the_key_of_the_environment(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIMFUL_SIGNING_KEY_ID", "2026")
    monkeypatch.setenv("BRIMFUL_SIGNING_KEY", "hex:736563726574")
    assert "signature valid" in line.run("verify", "1")
    assert "1 of 2 records in" in line.refuse("verify")
    monkeypatch.setenv("BRIMFUL_SIGNING_KEY", "other")
    assert "first ctx_1" in line.refuse("verify", "1")
    monkeypatch.setenv("BRIMFUL_SIGNING_KEY", "hex:0")
    assert line.refuse("verify").startswith("key must be bytes or a str")


def tamper(path: Path) -> None:
    with closing(sqlite3.connect(path)) as intruder:
        intruder.execute("DROP TRIGGER records_are_not_changed")
        intruder.execute("UPDATE records SET body = replace(body, 'gold', 'lead') WHERE context_id = 'ctx_1'")
        intruder.commit()


def test_a_record_that_was_changed_fails_every_verb_that_reads_it(line: CommandLine, path: Path) -> None:
    tamper(path)

    assert line.refuse("verify") == f"1 of 2 records in {path} cannot be relied on, first ctx_1"
    assert line.refuse("verify", "1").endswith("first ctx_1")
    for arguments in (["show", "1"], ["explain", "1"], ["diff", "1", "2"], ["diff", "2", "1"], ["export"]):
        assert "the record 'ctx_1' was changed" in line.refuse(*arguments)
    assert line.run("verify", "2").startswith("ctx_2: ok")


def test_verify_prints_what_is_wrong_before_it_fails(path: Path) -> None:
    tamper(path)
    done = brimful("context", "verify", "--store", str(path))
    found = json.loads(brimful("context", "verify", "--json", "--store", str(path)).stdout)

    assert done.returncode == 2
    assert "ctx_1: NOT OK (content invalid, record invalid, signature unchecked, row invalid)" in done.stdout
    assert done.stdout.endswith("1 of 2 records ok\n")
    assert [(one["context_id"], one["ok"]) for one in found] == [("ctx_1", False), ("ctx_2", True)]


def test_diff_prints_a_summary_and_what_changed(line: CommandLine) -> None:
    lines = line.run("diff", "1", "2").splitlines()

    assert lines[0] == f"ctx_1 -> ctx_2: {diff(FIRST, SECOND).change_summary}"
    assert '~ input user: "Ada" -> "Bob"' in lines
    assert "~ item tier: included -> included, another text" in lines
    assert {"-Your tier is gold.", "+Your tier is lead."} <= set(lines)
    assert line.run("diff", "1", "1") == "ctx_1 -> ctx_1: No changes detected\n"
    assert line.read("diff", "1", "2") == json.loads(json.dumps(diff(FIRST, SECOND).to_dict()))


def test_a_long_difference_says_how_much_more_there_is(line: CommandLine, path: Path) -> None:
    with SqliteRecordStore(path) as store:
        for number, word in ((5, "a"), (6, "b")):
            store.write(make_record(number, content="".join(f"{word} {line}\n" for line in range(150))))

    assert line.run("diff", "5", "6").endswith("\n(100 more lines differ)\n")


def test_what_is_exported_verifies_elsewhere(line: CommandLine, tmp_path: Path) -> None:
    lines = line.run("export").splitlines()
    one = line.run("export", "1")
    assert line.run("export", "1", "2", "--output", str(tmp_path / "out.jsonl")).startswith("2 records written to ")

    assert one == f"{FIRST.to_json()}\n"
    assert lines == [SECOND.to_json(), FIRST.to_json()]
    assert (tmp_path / "out.jsonl").read_text("utf-8").splitlines() == lines[::-1]
    assert verify(one, keys=[KEY]).ok
    assert [ContextRecord.from_dict(document) for document in line.read("export", "1")] == [FIRST]


def test_an_export_writes_over_nothing(line: CommandLine, path: Path) -> None:
    before = path.read_bytes()

    assert line.refuse("export", "--output", str(path)) == f"{path}: File exists"
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "arguments", [["show", "9"], ["explain", "9"], ["verify", "9"], ["diff", "1", "9"], ["export", "9"]]
)
def test_a_record_that_is_not_there(line: CommandLine, arguments: list[str]) -> None:
    assert line.refuse(*arguments) == "there is no record 9"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list", "--start", "noon"], "start must be a datetime or a text in ISO 8601, got 'noon'"),
        (
            ["list", "--status", "good"],
            "freshness_status must be one of `guaranteed`, `degraded`, `unknown`, got 'good'",
        ),
        (["list", "--limit", "-1"], "limit must be a whole number from 0 to 2,147,483,648, got -1"),
        (["show", ""], "id must be a str that is not empty and has no lone surrogates, got ''"),
        (["show", "\x1b]0;x\x07"], "there is no record \\x1b]0;x\\x07"),
        (["export", "--output", "/nowhere/at/all"], "/nowhere/at/all: No such file or directory"),
    ],
)
def test_an_argument_that_cannot_be(line: CommandLine, arguments: list[str], message: str) -> None:
    assert line.refuse(*arguments) == message


def test_a_file_that_is_not_there_is_not_made(line: CommandLine, tmp_path: Path) -> None:
    line.path = missing = tmp_path / "missing.sqlite"

    assert line.refuse("list") == f"store {missing} cannot be opened: unable to open database file"
    assert not missing.exists()


def test_a_file_that_is_no_store(line: CommandLine, tmp_path: Path) -> None:
    line.path = path = tmp_path / "notes.txt"
    path.write_text("no database at all" * 100)

    assert line.refuse("verify") == f"store {path} is corrupted: file is not a database"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_gives_one_clear_line_and_exit_2(path: Path) -> None:
    done = brimful_in_shell(f"brimful context show 1 --store {path} > /dev/full")

    assert (done.returncode, done.stderr) == (2, "brimful: the output cannot be written: No space left on device\n")


def test_no_command_changes_the_store(line: CommandLine, path: Path) -> None:
    before = path.read_bytes()
    for arguments in (["list"], ["show", "1"], ["explain", "1"], ["verify"], ["diff", "1", "2"], ["export"]):
        line.run(*arguments)

    assert path.read_bytes() == before


PAGE = Path(__file__).parents[2] / "docs" / "records.md"
COMMAND = re.compile(r"^\$ brimful context (.*)\n((?:[^$`].*\n)*)", re.MULTILINE)


@pytest.mark.skipif(not PAGE.exists(), reason="the documents are not here")
def test_the_page_shows_what_the_commands_print(
    line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    Path("records.sqlite").unlink()
    with contextlib.redirect_stdout(None):
        exec(code, {})  # noqa: S102 - our own page
    commands = COMMAND.findall(text)

    for arguments, shown in commands:
        printed = line.run(*arguments.replace(" --store records.sqlite", "").split())
        assert printed.replace(str(line.path), "records.sqlite") == shown or (not shown and printed)
    verbs = {arguments.split()[0] for arguments, _ in commands}
    assert verbs == {"list", "show", "explain", "verify", "diff", "export"}
