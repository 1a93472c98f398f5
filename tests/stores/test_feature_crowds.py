"""Histories of features that are killed, and that many use at once."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from brimful.stores.feature_memory import InMemoryFeatures
from brimful.stores.sqlite_features import SqliteFeatures
from stores import feature_hammer
from stores.feature_hammer import ENTITIES, NOON, ROUNDS

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.once

HAMMER = Path(feature_hammer.__file__)
READERS, WRITERS, PRUNERS = 8, 4, 2


@pytest.fixture(params=["memory", "sqlite"])
def values(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    with InMemoryFeatures() if request.param == "memory" else SqliteFeatures(tmp_path / "features.sqlite") as store:
        yield store


def start(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, str(HAMMER), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("after", [1, 50])
def test_every_acknowledged_value_survives_a_kill(after: int, tmp_path: Path) -> None:
    path = tmp_path / "features.sqlite"
    with start("acknowledge", path, 5_000) as process:
        assert process.stdout is not None
        acknowledged = [process.stdout.readline().strip() for _ in range(after)]
        process.kill()
        acknowledged += process.stdout.read().split("\n")[:-1]
    assert process.returncode < 0, "it was to be killed in the middle"
    assert after <= len(acknowledged) < 5_000

    with SqliteFeatures(path) as stored:
        history = stored.list_values("score", "u")
        assert len(history) - len(acknowledged) in (0, 1)  # one may be written and not yet acknowledged
        assert history == [feature_hammer.value("", number) for number in range(len(history))]


@pytest.mark.slow
def test_threads_lose_no_value(values: Any) -> None:
    with ThreadPoolExecutor(READERS + WRITERS) as pool:
        tasks = [
            *(pool.submit(feature_hammer.write, values, number) for number in range(WRITERS)),
            *(pool.submit(values.list_values, "score", "u0") for _ in range(READERS * ROUNDS)),
        ]
        for task in tasks:
            task.result()

    for entity in range(ENTITIES):
        expected = [feature_hammer.value(entity, number) for number in range(WRITERS * ROUNDS)]
        assert values.list_values("score", f"u{entity}") == expected


@pytest.mark.slow
def test_processes_lose_no_value_that_holds(tmp_path: Path) -> None:
    path = tmp_path / "features.sqlite"
    crowd = [("read", READERS), ("write", WRITERS), ("prune", PRUNERS)]
    running = [start(task, path, number) for task, count in crowd for number in range(count)]
    ends = [(process.communicate()[1], process.returncode) for process in running]

    assert ends == [("", 0)] * len(running)
    with SqliteFeatures(path) as stored:
        stored.prune_values(NOON + timedelta(days=1))
        last = WRITERS * ROUNDS - 1
        for entity in range(ENTITIES):
            assert stored.list_values("score", f"u{entity}") == [feature_hammer.value(entity, last)]
