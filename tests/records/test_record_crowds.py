"""Stores of records that are killed, and that many use at once."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from brimful.errors import StoreError
from brimful.records import InMemoryRecords, SqliteRecordStore
from record_parts import make_record

pytestmark = pytest.mark.once

HAMMER = Path(__file__).with_name("record_hammer.py")
WRITERS, EACH = 8, 50


def start(task: str, path: Path, number: int = 0) -> subprocess.Popen[str]:
    command = [sys.executable, str(HAMMER), task, str(path), str(number)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def hear(process: subprocess.Popen[str]) -> str:
    """The next line that a process prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("after", [1, 60, 500])
def test_every_acknowledged_record_survives_a_kill_and_verifies(after: int, tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    with start("acknowledge", path, 1_000) as process:
        acknowledged = [hear(process) for _ in range(after)]
        process.kill()
        assert process.stdout is not None
        acknowledged += process.stdout.read().split("\n")[:-1]
    assert process.returncode < 0, "it was to be killed in the middle"
    assert after <= len(acknowledged) < 1_000

    with SqliteRecordStore(path, read_only=True) as store:  # as the command line opens what was left behind
        found = list(store.verify_all())
        assert all(verification.ok for verification in found)
        assert len(found) - len(acknowledged) in (0, 1)  # one may be written and not yet acknowledged
        for number, id_ in enumerate(acknowledged):
            assert store.read(id_) == make_record(number)
    with SqliteRecordStore(path) as store:
        store.write(make_record(2_000))
        assert store.read("ctx_2000") == make_record(2_000)


@pytest.mark.slow
def test_storage_http_01_writers_wait_for_each_other_and_readers_for_nobody(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    SqliteRecordStore(path).close()
    with start("hold", path) as holder:
        assert hear(holder) == "held"
        running = [start("write", path, number) for number in range(WRITERS)]
        assert [hear(writer) for writer in running] == ["begun"] * WRITERS
        running.append(start("read", path, WRITERS * EACH))
        with SqliteRecordStore(path, timeout_s=0.05) as store:
            with pytest.raises(StoreError) as caught:
                store.write(make_record(9_999))
            assert store.list() == []  # nothing half-written, and no reader waits
        holder.communicate("let go\n")
        ends = [(process.communicate()[1], process.returncode) for process in running]

    assert caught.value.kind == "locked"
    assert ends == [("", 0)] * (WRITERS + 1)
    with SqliteRecordStore(path) as store:
        assert {summary.context_id for summary in store.list(limit=None)} == {
            f"ctx_{number}" for number in range(WRITERS * EACH)
        }
        assert all(verification.ok for verification in store.verify_all())


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_threads_that_write_one_record_write_it_once(kind: str, tmp_path: Path) -> None:
    store = InMemoryRecords() if kind == "memory" else SqliteRecordStore(tmp_path / "records.sqlite")
    with store, ThreadPoolExecutor(8) as pool:
        tasks = [pool.submit(store.write, make_record(number % 5)) for number in range(40)]
        for task in tasks:
            task.result()

        assert len(store.list()) == 5


def test_of_two_records_with_one_id_one_is_kept(tmp_path: Path) -> None:
    for store in (InMemoryRecords(), SqliteRecordStore(tmp_path / "records.sqlite")):
        with store, ThreadPoolExecutor(8) as pool:
            tasks = [pool.submit(store.write, make_record(context_id="ctx_1", token_count=n)) for n in range(8)]
            kinds = [getattr(task.exception(), "kind", None) for task in tasks]

            assert sorted(map(str, kinds)) == ["None"] + ["immutable"] * 7
            kept = store.read("ctx_1")
            assert kept is not None
            assert kept.token_count == kinds.index(None)
