"""`@context`: what it takes, what it gives, and what it refuses; plain and async functions alike."""

from __future__ import annotations

import asyncio
import copy
import functools
import inspect
import pickle
import threading
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.priority import Context, ContextItem, FeatureStore, context, making, retriever, shells
from brimful.builders.priority.lineage import FeatureLineage
from brimful.builders.priority.tracking import Tracker, current_tracker
from brimful.errors import ConfigError, InputError
from brimful.stages.counters import ExactCounter
from priority_parts import NOON, Clock, decorate, finish, give, in_both_ways, items, lineage_of

if TYPE_CHECKING:
    from collections.abc import Callable


@in_both_ways
def test_a_function_of_items_becomes_one_of_a_context(way: str) -> None:
    def chat(user: str, query: str = "Why?") -> list[ContextItem]:
        """Say what the model must know."""
        return [ContextItem(f"For {user}.", required=True), ContextItem(query, priority=1, source_id="query")]

    made = finish(decorate(way, chat, max_tokens=50)("Ada"))

    assert (made.content, made.version) == ("For Ada.\nWhy?", "v1")
    assert made.meta["token_usage"] == ExactCounter("cl100k_base").count([made.content])[0]
    assert made.meta["source_ids"] == ["query"]
    lineage = lineage_of(made)
    assert lineage.context_args == {"user": "Ada", "query": "Why?"}
    assert (lineage.context_id, lineage.context_name) == (made.id, "chat")
    assert [(item.index, item.fate) for item in lineage.items] == [(0, "included"), (1, "included")]


@in_both_ways
def test_the_wrapper_tells_what_it_wraps(way: str) -> None:
    store = FeatureStore()

    def chat(user: str) -> str:
        """Say what the model must know."""
        return user

    wrapper = decorate(way, chat, store, name="assistant")

    assert (wrapper.__name__, wrapper.__doc__) == ("chat", "Say what the model must know.")
    assert (wrapper._is_context, wrapper._context_name) == (True, "assistant")  # noqa: SLF001 - as in the original
    assert inspect.iscoroutinefunction(wrapper) == (way == "async")
    assert str(inspect.signature(wrapper)).startswith("(user")
    assert store.contexts == {"assistant": wrapper}


def test_a_later_function_of_the_same_name_takes_the_place_of_the_first() -> None:
    store = FeatureStore()
    first, second = context(store, "ctx")(give("one")), context(store, "ctx")(give("two"))

    assert store.contexts["ctx"] is second
    assert [first().content, second().content, first().content] == ["one", "two", "one"]


@in_both_ways
def test_arguments_are_recorded_by_name_however_they_are_given(way: str) -> None:
    def chat(first: int, /, second: str, *more: int, key: bool = True, **rest: object) -> str:
        return f"{first} {second} {more} {key} {rest}"

    decorated = decorate(way, chat)

    made = [finish(decorated(1, "b")), finish(decorated(1, second="b", key=True))]
    assert [lineage_of(one).context_args for one in made] == [{"first": 1, "second": "b", "key": True}] * 2
    made = [finish(decorated(1, "b", 2, 3, key=False, other=None))]
    assert lineage_of(made[0]).context_args == {
        "first": 1,
        "second": "b",
        "more": [2, 3],
        "key": False,
        "rest": {"other": None},
    }


def test_arguments_that_are_no_json_are_marked_and_defaults_that_are_none_left_out() -> None:
    def chat(user: object, clock: object = datetime.now, limit: float = float("inf")) -> str:
        return f"{user} {clock} {limit}"

    lineage = lineage_of(context()(chat)(Clock()))

    assert lineage.context_args == {
        "user": {"$unserialisable": "priority_parts.Clock"},
        "limit": {"$float": "Infinity"},
    }


@in_both_ways
def test_a_wrong_call_fails_as_the_function_would(way: str) -> None:
    decorated: Any = decorate(way, lambda user: user)

    with pytest.raises(TypeError, match="missing a required argument: 'user'"):
        finish(decorated())


@in_both_ways
def test_what_the_function_raises_comes_through(way: str) -> None:
    def fail() -> object:
        raise LookupError(3)

    with pytest.raises(LookupError):
        finish(decorate(way, fail, FeatureStore())())


@in_both_ways
@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "result must be a list or tuple of ContextItem, a ContextItem or a str, got None"),
        ([ContextItem("a"), "b"], r"result\[1\] must be a ContextItem, got 'b'"),
        ([ContextItem("a"), ContextItem(5)], r"result\[1\].content must be a str, got 5"),  # type: ignore[arg-type]
        ({ContextItem: 1}.keys(), "result must be"),
        (b"bytes", "result must be"),
    ],
)
def test_what_is_no_item_is_refused_by_its_place(way: str, returned: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        finish(decorate(way, give(returned))())


def test_a_tuple_a_single_item_and_a_text_are_taken() -> None:
    given: list[object] = [(ContextItem("a"), ContextItem("b")), ContextItem("a"), "a", [], ""]
    made = [context(token_counter=len)(give(returned))() for returned in given]

    assert [(one.content, one.meta["token_usage"]) for one in made] == [
        ("a\nb", 3),
        ("a", 1),
        ("a", 1),
        ("", 0),
        ("", 0),
    ]
    assert [lineage_of(one).items_provided for one in made] == [2, 1, 1, 0, 1]


def test_a_plain_function_that_gives_something_to_await_is_refused() -> None:
    with pytest.raises(InputError, match="'outer' gave something to await\nhint: make it `async def`"):
        decorate("plain", lambda: asyncio.sleep(0), name="outer")()


def test_methods_partials_and_objects_that_can_be_called_are_taken() -> None:
    class Assistant:
        name = "Ada"

        @context()
        def chat(self, query: str) -> str:
            return f"{self.name}: {query}"

        async def __call__(self, query: str) -> str:
            return query

    assert Assistant().chat("Why?").content == "Ada: Why?"
    assert finish(context(name="object")(Assistant())("Why?")).content == "Why?"
    part = functools.partial(lambda user, query: f"{user} {query}", "Ada")
    assert context(name="part")(part)("Why?").content == "Ada Why?"
    with pytest.raises(ConfigError, match="name must be a str that is not empty, got None"):
        context()(part)


def test_what_cannot_be_called_or_does_not_tell_its_parameters_is_refused() -> None:
    with pytest.raises(ConfigError, match="function must be callable, got 5"):
        context()(5)  # type: ignore[call-overload]
    with pytest.raises(ConfigError, match="a context function must tell its parameters, got <class 'type'>"):
        context()(type)


@in_both_ways
def test_a_context_within_a_context_counts_for_the_outer_one(way: str) -> None:
    store = FeatureStore(clock=Clock())
    store.write_feature("tier", "u1", "gold", event_time=NOON - timedelta(seconds=90))
    store.write_feature("city", "u1", "Paris")

    @retriever(store)
    def search(query: str) -> list[str]:
        return [query]

    @context(store)
    def inner(user: str) -> str:
        search(user)
        return f"Tier {store.read_feature('tier', user)}."

    def outer(user: str) -> list[ContextItem]:
        return items(inner(user).content, f"City {store.read_feature('city', user)}.")

    decorated = decorate(way, outer, store, freshness_sla="1m")

    for made in (finish(decorated("u1")), finish(decorated(user="u1"))):
        assert made.content == "Tier gold.\nCity Paris."
        assert [read.feature_name for read in lineage_of(made).features_used] == ["tier", "city"]
        assert [read.retriever_name for read in lineage_of(made).retrievers_used] == ["search"]
        assert made.meta["stale_sources"] == ["tier"]
    assert inner("u1").is_fresh


def test_contexts_at_the_same_time_keep_their_notes_apart() -> None:
    store = FeatureStore()
    for user in "abc":
        store.write_feature("tier", user, user)

    @context(store)
    async def chat(user: str) -> str:
        tiers = []
        for _ in range(3):
            tiers.append(await store.get_feature("tier", user))
            await asyncio.sleep(0)
        return "".join(tiers)

    async def all_three() -> list[Context]:
        return await asyncio.gather(*(chat(user) for user in "abc"))

    made = asyncio.run(all_three())

    assert [one.content for one in made] == ["aaa", "bbb", "ccc"]
    assert [{read.entity_id for read in lineage_of(one).features_used} for one in made] == [{"a"}, {"b"}, {"c"}]


def test_reads_in_threads_of_a_context_are_noted() -> None:
    store = FeatureStore()
    store.write_feature("tier", "u1", "gold")

    @context(store)
    async def chat(user: str) -> str:
        return str(await asyncio.to_thread(store.read_feature, "tier", user))

    assert [read.value for read in lineage_of(finish(chat("u1"))).features_used] == ["gold"]


def test_large_contexts_are_assembled_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[bool] = []
    assemble = making.make

    def noting(*arguments: Any) -> Any:
        threads.append(threading.current_thread() is threading.main_thread())
        return assemble(*arguments)

    monkeypatch.setattr(shells, "make", noting)
    for size in (10, 100_000):
        finish(decorate("async", give("x" * size))())

    assert threads == [True, False]


def test_a_context_keeps_apart_from_what_it_was_made_from() -> None:
    arguments = {"tags": ["a"]}
    given = items("first", source_id="s")
    made = context()(lambda tags: given if tags else tags)(arguments["tags"])

    arguments["tags"].append("b")
    given[0].content = "changed"

    assert lineage_of(made).context_args == {"tags": ["a"]}
    assert made.to_record().content == "first"


def test_what_is_returned_can_be_pickled_shown_and_compared() -> None:
    made = context(FeatureStore(clock=Clock()))(give(items("a", "b")))()

    again = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own bytes

    assert again == made
    assert again.to_record() == made.to_record()
    assert repr(made).startswith(f"priority.Context(id={made.id!r}, content='a\\nb', meta={{")


@pytest.mark.parametrize("remake", [copy.copy, copy.deepcopy, replace, lambda made: pickle.loads(pickle.dumps(made))])  # noqa: S301
def test_a_context_whose_lineage_nobody_asked_for_has_it_all_the_same(remake: Callable[[Context], Context]) -> None:
    made = context(max_tokens=2)(give(items("a", "b c d", "e", source_id="s")))()

    again = remake(made)

    assert again == made
    assert lineage_of(again) == lineage_of(made)
    assert [item.fate for item in lineage_of(again).items] == ["included", "dropped", "dropped"]
    assert vars(again)["lineage"] == made.lineage
    assert again.lineage is again.lineage


def test_what_is_done_after_the_call_is_not_in_its_lineage() -> None:
    kept: list[Tracker | None] = []
    given = items("a", "b", source_id="s")

    def chat() -> list[ContextItem]:
        kept.append(current_tracker())
        return given

    made = context(max_tokens=50)(chat)()
    [tracker] = kept
    assert tracker is not None
    tracker.record_feature(FeatureLineage("tier", "u1", "gold", NOON, 0, "cache"))
    given[0].source_id = "changed"
    given.pop()
    made.meta.clear()

    assert lineage_of(made).features_used == ()
    assert [item.source_id for item in lineage_of(made).items] == ["s", "s"]


def test_a_lineage_can_be_given_and_set() -> None:
    made = context()(give("text"))()
    plain = Context("ctx_1", "text", {}, made.lineage)

    assert plain.lineage == made.lineage
    plain.lineage = None
    assert plain == Context("ctx_1", "text")
    assert Context.lineage is None


def test_a_context_in_a_notebook_is_escaped() -> None:
    made = context(name="<b>")(give("<script>alert(1)</script>"))()

    page = made._repr_html_()

    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<b>" not in page


def test_a_record_of_a_context_without_lineage_is_refused() -> None:
    with pytest.raises(InputError, match="context ctx_1 has no lineage"):
        Context("ctx_1", "text").to_record()
