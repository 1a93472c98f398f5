"""Equal calls at the same time: who runs, who waits, and that nobody waits for ever."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from brimful.stages.sharing import Sharing
from sharing_parts import LONG_S, count_waiting, wait_until

CALLERS = 20


class Work:
    """A function that says when it has begun, and goes on when it is let."""

    def __init__(self, answer: object = "done") -> None:
        self.answer, self.runs = answer, 0
        self.begun, self.go_on = threading.Event(), threading.Event()

    def __call__(self) -> object:
        self.runs += 1
        self.begun.set()
        assert self.go_on.wait(LONG_S)
        return self.result()

    async def later(self) -> object:
        self.runs += 1
        self.begun.set()
        assert await asyncio.to_thread(self.go_on.wait, LONG_S)
        return self.result()

    def result(self) -> object:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def outcome(future: Any) -> object:
    error = future.exception(LONG_S)
    return error if error is not None else future.result()


def test_a_call_on_its_own_gives_its_answer_and_leaves_nothing() -> None:
    sharing: Sharing[int] = Sharing()

    assert (sharing.run("a", lambda: 1), sharing.run("a", lambda: 2)) == (1, 2)
    assert sharing._running == {}  # noqa: SLF001 - nothing outside tells what runs


@pytest.mark.parametrize("answer", ["done", ValueError("no")])
def test_equal_calls_of_threads_run_once(answer: object) -> None:
    sharing: Sharing[object] = Sharing()
    work = Work(answer)
    with ThreadPoolExecutor(CALLERS) as pool:
        calls = [pool.submit(sharing.run, "key", work) for _ in range(CALLERS)]
        assert work.begun.wait(LONG_S)
        wait_until(lambda: count_waiting(sharing) == CALLERS - 1)
        work.go_on.set()

        assert [outcome(call) for call in calls] == [answer] * CALLERS
    assert work.runs == 1


@pytest.mark.parametrize("answer", ["done", ValueError("no")])
def test_equal_calls_of_tasks_run_once(answer: object) -> None:
    sharing: Sharing[object] = Sharing()
    work = Work(answer)

    async def all_of_them() -> list[object]:
        tasks = [asyncio.create_task(sharing.arun("key", work.later)) for _ in range(CALLERS)]
        await asyncio.sleep(0)
        work.go_on.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    assert asyncio.run(all_of_them()) == [answer] * CALLERS
    assert work.runs == 1


def test_equal_calls_of_several_loops_and_of_threads_run_once() -> None:
    sharing: Sharing[object] = Sharing()
    work = Work()

    async def five() -> list[object]:
        return await asyncio.gather(*(sharing.arun("key", work.later) for _ in range(5)))

    with ThreadPoolExecutor(8) as pool:
        loops = [pool.submit(lambda: asyncio.run(five())) for _ in range(4)]
        assert work.begun.wait(LONG_S)
        plain = [pool.submit(sharing.run, "key", work) for _ in range(4)]
        wait_until(lambda: count_waiting(sharing) == 19 + 4)
        work.go_on.set()

        assert [loop.result(LONG_S) for loop in loops] == [["done"] * 5] * 4
        assert [call.result(LONG_S) for call in plain] == ["done"] * 4
    assert work.runs == 1


def test_calls_of_different_keys_do_not_wait_for_each_other() -> None:
    sharing: Sharing[object] = Sharing()
    work = Work()
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(sharing.run, "slow", work)
        assert work.begun.wait(LONG_S)

        assert sharing.run("other", lambda: 1) == 1
        work.go_on.set()
        assert call.result(LONG_S) == "done"


def test_where_the_first_is_cancelled_one_of_the_others_runs_anew() -> None:
    sharing: Sharing[object] = Sharing()
    work = Work()

    async def cancel_the_first() -> list[object]:
        tasks = [asyncio.create_task(sharing.arun("key", work.later)) for _ in range(5)]
        assert await asyncio.to_thread(work.begun.wait, LONG_S)
        tasks[0].cancel()
        await asyncio.sleep(0)
        work.go_on.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    first, *others = asyncio.run(cancel_the_first())

    assert isinstance(first, asyncio.CancelledError)
    assert others == ["done"] * 4
    assert work.runs == 2


def test_the_one_that_runs_anew_is_waited_for_though_it_is_done_before_the_others_wake() -> None:
    sharing: Sharing[int] = Sharing()
    runs: list[int] = []

    async def run() -> int:
        runs.append(len(runs))
        if len(runs) == 1:
            await asyncio.Event().wait()
        return len(runs)

    async def cancel_the_first() -> list[object]:
        tasks = [asyncio.create_task(sharing.arun("key", run)) for _ in range(CALLERS)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        return await asyncio.gather(*tasks[1:])

    assert asyncio.run(cancel_the_first()) == [2] * (CALLERS - 1)
    assert len(runs) == 2


def test_where_one_that_waits_is_cancelled_the_others_get_their_answer() -> None:
    sharing: Sharing[object] = Sharing()
    work = Work()

    async def cancel_the_last() -> list[object]:
        tasks = [asyncio.create_task(sharing.arun("key", work.later)) for _ in range(3)]
        assert await asyncio.to_thread(work.begun.wait, LONG_S)
        tasks[2].cancel()
        await asyncio.sleep(0)
        work.go_on.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    *first, last = asyncio.run(cancel_the_last())

    assert first == ["done"] * 2
    assert isinstance(last, asyncio.CancelledError)
    assert work.runs == 1


def test_where_the_first_thread_is_interrupted_another_runs_anew() -> None:
    sharing: Sharing[object] = Sharing()
    stopped, second = Work(KeyboardInterrupt()), Work()
    second.go_on.set()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(sharing.run, "key", stopped)
        assert stopped.begun.wait(LONG_S)
        other = pool.submit(sharing.run, "key", second)
        wait_until(lambda: count_waiting(sharing) == 1)
        stopped.go_on.set()

        assert isinstance(first.exception(LONG_S), KeyboardInterrupt)
        assert other.result(LONG_S) == "done"


def test_an_equal_call_from_within_runs_unshared() -> None:
    sharing: Sharing[list[str]] = Sharing()

    async def inner() -> list[str]:
        return ["inner"]

    async def outer() -> list[str]:
        here = await sharing.arun("key", inner)
        task = await asyncio.create_task(sharing.arun("key", inner))
        thread = await asyncio.to_thread(sharing.run, "key", lambda: ["thread"])
        return [*here, *task, *thread]

    found = asyncio.run(asyncio.wait_for(sharing.arun("key", outer), LONG_S))

    assert found == ["inner", "inner", "thread"]
    assert sharing.run("key", lambda: ["outer", *sharing.run("key", lambda: ["inner"])]) == ["outer", "inner"]


def test_a_plain_call_does_not_wait_for_a_task_of_its_own_thread() -> None:
    sharing: Sharing[str] = Sharing()
    go_on = asyncio.Event()

    async def slow() -> str:
        await go_on.wait()
        return "slow"

    async def both() -> list[str]:
        task = asyncio.create_task(sharing.arun("key", slow))
        await asyncio.sleep(0)
        plain = sharing.run("key", lambda: "plain")
        go_on.set()
        return [plain, await task]

    assert asyncio.run(both()) == ["plain", "slow"]


def test_a_plain_call_does_not_wait_for_ever_for_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    sharing: Sharing[object] = Sharing()
    monkeypatch.setattr("brimful.stages.sharing.PATIENCE_S", 0.01)

    async def fill_the_pool() -> list[object]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        begun = asyncio.Event()

        async def needs_a_thread() -> object:
            begun.set()
            await asyncio.sleep(0.001)
            return await asyncio.to_thread(lambda: "task")

        task = asyncio.create_task(sharing.arun("key", needs_a_thread))
        await begun.wait()
        return list(await asyncio.gather(asyncio.to_thread(sharing.run, "key", lambda: "plain"), task))

    assert asyncio.run(fill_the_pool()) == ["plain", "task"]


def test_calls_that_wait_for_each_other_crosswise_come_to_an_end() -> None:
    one: Sharing[str] = Sharing()
    two: Sharing[str] = Sharing()
    both_in = threading.Barrier(2, timeout=LONG_S)

    def cross(mine: Sharing[str], other: Sharing[str], name: str) -> str:
        def run() -> str:
            both_in.wait()
            return name + other.run("key", lambda: "!")

        return mine.run("key", run)

    with ThreadPoolExecutor(2) as pool:
        calls = [pool.submit(cross, one, two, "a"), pool.submit(cross, two, one, "b")]
        found = sorted(call.result(LONG_S) for call in calls)

    assert found in (["a!", "ba!"], ["ab!", "b!"])
