"""Cached contexts: complete, judged anew, made void by what they read, and made once (D15)."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from brimful.builders.priority import Context, FeatureStore, context, feature, retriever
from priority_parts import Clock, Counted, decorate, finish, in_both_ways, lineage_of
from sharing_parts import LONG_S

CALLERS = 20


@pytest.fixture
def store(clock: Clock) -> FeatureStore:
    made = FeatureStore(clock=clock)
    made.write_feature("tier", "u1", "gold")
    return made


@in_both_ways
def test_a_cached_context_is_complete(way: str, store: FeatureStore) -> None:
    counted = Counted(store)
    decorated = decorate(way, counted.chat, store, max_tokens=50)

    first, again = finish(decorated("u1", query="why")), finish(decorated(query="why", user="u1"))

    assert counted.runs == 1
    assert (again.id, again.content, again.version) == (first.id, first.content, first.version)
    assert again.lineage == first.lineage
    assert (first.meta["is_cached_response"], first.meta["cache"]) == (False, "miss")
    assert again.meta == first.meta | {"is_cached_response": True, "cache": "hit"}
    assert again.to_record() == first.to_record()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("u1",), ("u2",)),
        ((1,), (1.0,)),
        ((1,), (True,)),
        ((1,), ("1",)),
        ((None,), ("None",)),
        (([1],), (1,)),
        ((float("nan"),), ("NaN",)),
        (({"$float": "NaN"},), (float("nan"),)),
        (("a", "b"), ("b", "a")),
        (({"a": 1},), ({"a": 2},)),
    ],
)
def test_arguments_that_differ_are_kept_apart(one: Any, other: Any) -> None:
    counted = Counted()
    decorated = decorate("plain", counted.chat, FeatureStore())

    made = [decorated(*one), decorated(*other), decorated(*one)]

    assert counted.runs == 2
    assert made[0].id == made[2].id != made[1].id


def test_equal_mappings_are_equal_in_any_order() -> None:
    counted = Counted()
    decorated = decorate("plain", counted.chat, FeatureStore())

    assert decorated({"a": 1, "b": [2]}).id == decorated({"b": [2], "a": 1}).id


@in_both_ways
def test_arguments_that_are_no_json_are_not_cached(way: str) -> None:
    counted = Counted()
    decorated = decorate(way, counted.chat, FeatureStore())

    made = [finish(decorated(counted)) for _ in range(2)]

    assert (counted.runs, [one.meta["cache"] for one in made]) == (2, ["arguments"] * 2)


def test_budgets_and_functions_of_one_name_are_kept_apart(store: FeatureStore) -> None:
    counted, budgets = Counted(), iter([5, 9, 5])
    decorated = decorate("plain", counted.chat, store, name="c", max_tokens=lambda *_: next(budgets), token_counter=len)
    ids = [decorated().id for _ in range(3)]
    assert (counted.runs, ids[0] == ids[2]) == (2, True)

    other = decorate("plain", lambda: "other", store, name="c")
    assert other().content == "other"


@pytest.mark.parametrize("options", [{"cache_ttl": None}, {"cache_ttl": "0s"}, {"store": None}])
def test_without_a_store_or_a_ttl_nothing_is_cached(options: dict[str, Any]) -> None:
    counted = Counted()
    decorated = decorate("plain", counted.chat, **{"store": FeatureStore(), **options})

    assert [decorated().meta["cache"] for _ in range(2)] == ["off"] * 2
    assert counted.runs == 2


@in_both_ways
def test_what_a_caller_does_to_a_context_is_his_affair(way: str, store: FeatureStore) -> None:
    decorated = decorate(way, Counted().chat, store)

    first = finish(decorated())
    first.meta["source_ids"].append("mine")
    first.meta.clear()
    second = finish(decorated())
    second.meta["source_ids"].append("mine")
    second.content = "mine"

    again = finish(decorated())
    assert (again.meta["source_ids"], again.content) == (["docs"], "u1   1")


def test_a_failure_is_not_cached(store: FeatureStore) -> None:
    answers: list[str] = []
    decorated = decorate("plain", answers.pop, store, name="c")
    with pytest.raises(IndexError):
        decorated()
    answers.append("again")

    assert decorated().content == "again"


def test_equal_calls_of_tasks_run_once(store: FeatureStore) -> None:
    counted = Counted(store)
    decorated: Any = context(store)(counted.chat_later)

    async def all_of_them() -> list[Context]:
        return list(await asyncio.gather(*(decorated("u1") for _ in range(CALLERS))))

    check_one_run(counted, asyncio.run(all_of_them()))


def test_equal_calls_of_several_loops_run_once(store: FeatureStore) -> None:
    counted = Counted(store)
    decorated: Any = context(store)(counted.chat_later)
    together = threading.Barrier(4, timeout=LONG_S)

    async def five() -> list[Context]:
        return list(await asyncio.gather(*(decorated("u1") for _ in range(5))))

    def loop() -> list[Context]:
        together.wait()
        return asyncio.run(five())

    with ThreadPoolExecutor(4) as pool:
        loops = [pool.submit(loop) for _ in range(4)]
        check_one_run(counted, [made for found in loops for made in found.result(LONG_S)])


def test_equal_calls_of_threads_run_once(store: FeatureStore) -> None:
    counted = Counted(store)
    decorated = decorate("plain", counted.chat, store)
    together = threading.Barrier(CALLERS, timeout=LONG_S)

    def call() -> Context:
        together.wait()
        return finish(decorated("u1"))

    with ThreadPoolExecutor(CALLERS) as pool:
        calls = [pool.submit(call) for _ in range(CALLERS)]
        check_one_run(counted, [found.result(LONG_S) for found in calls])


def check_one_run(counted: Counted, made: list[Context]) -> None:
    assert counted.runs == 1
    assert len(made) == CALLERS
    assert len({one.id for one in made}) == 1
    assert len({id(one.meta) for one in made}) == CALLERS
    assert [one.meta["is_cached_response"] for one in made].count(False) == 1


def test_a_cancelled_caller_does_not_take_the_others_along(store: FeatureStore) -> None:
    counted = Counted(store)
    decorated: Any = context(store)(counted.chat_later)

    async def cancel_the_first() -> list[object]:
        tasks = [asyncio.create_task(decorated("u1")) for _ in range(5)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        return list(await asyncio.gather(*tasks, return_exceptions=True))

    first, *others = asyncio.run(cancel_the_first())

    assert isinstance(first, asyncio.CancelledError)
    assert {other.content for other in others if isinstance(other, Context)} == {"u1  gold 1"}


def test_a_context_that_calls_itself_ends(store: FeatureStore) -> None:
    depth: list[int] = []

    @context(store)
    def chat() -> str:
        depth.append(1)
        return "deep" if len(depth) == 3 else chat().content

    assert chat().content == "deep"


def test_retrieved_passages_are_in_a_cached_lineage(store: FeatureStore) -> None:
    @retriever(store)
    def search(query: str) -> list[str]:
        return [f"About {query}."]

    @context(store)
    def chat(query: str) -> str:
        return search(query)[0]

    for made in (chat("brims"), chat("brims")):
        [found] = lineage_of(made).retrievers_used
        assert (found.retriever_name, found.chunks_returned[0].content) == ("search", "About brims.")
        [item] = made.to_record().retrieved_items
        assert item.retriever == "search"


def test_equal_reads_of_a_feature_run_its_function_once(store: FeatureStore) -> None:
    runs: list[str] = []

    @feature(store)
    async def slow(user: str) -> str:
        await asyncio.sleep(0.01)
        runs.append(user)
        return user

    @context(store, cache_ttl=None)
    async def chat(user: str) -> str:
        return str(await store.get_feature("slow", user))

    async def all_of_them() -> list[Context]:
        return list(await asyncio.gather(*(chat("u1") for _ in range(CALLERS))))

    made = asyncio.run(all_of_them())

    assert runs == ["u1"]
    assert len({one.id for one in made}) == CALLERS
    assert {lineage_of(one).features_used[0].source for one in made} == {"compute"}
    assert asyncio.run(slow("u2")) == "u2"


@in_both_ways
def test_what_a_caller_does_to_what_a_context_tells_reaches_nobody(way: str, store: FeatureStore) -> None:
    store.write_feature("profile", "u1", {"langs": ["en"]})

    def chat(question: dict[str, list[str]]) -> str:
        return f"{question} {store.read_feature('profile', 'u1')}"

    decorated = decorate(way, chat, store, freshness_sla="1m")
    question = {"texts": ["why"], "$float": ["NaN"]}
    first = finish(decorated(question))
    recorded = first.to_record()
    for made in (first, finish(decorated(question))):
        lineage = lineage_of(made)
        lineage.features_used[0].value["langs"].append("fr")
        lineage.context_args["question"].clear()

    again = finish(decorated(question))
    assert (again.id, again.meta["cache"]) == (first.id, "hit")
    assert lineage_of(again).features_used[0].value == {"langs": ["en"]}
    assert again.to_record() == recorded
