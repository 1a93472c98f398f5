"""Retrievers of the priority builder: lists are handed on as they are, noted, and kept as long as they may be."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.priority.feature_store import FeatureStore
from brimful.builders.priority.lineage import DocumentLineage, RetrieverLineage
from brimful.builders.priority.retrievers import LIMIT, retriever
from brimful.builders.priority.tracking import tracking
from brimful.errors import ConfigError, RetrievalError
from priority_parts import NOON, Clock
from sharing_parts import LONG_S

if TYPE_CHECKING:
    from collections.abc import Callable

MINUTE = timedelta(minutes=1)


@dataclass
class Passage:
    """A passage as a client of a database has it."""

    text: str
    id: int
    score: float
    last_updated: datetime


@pytest.fixture
def store(clock: Clock) -> FeatureStore:
    return FeatureStore(clock=clock)


def hash_of(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def make(found: Any, *, is_async: bool = False, **options: Any) -> Callable[..., Any]:
    """A retriever that always finds the same, called in the plain way, with the queries that reached it in `seen`."""
    seen: list[Any] = []

    def search(query: Any, top_k: int = 3) -> Any:
        seen.append((query, top_k))
        return found

    async def search_later(query: Any, top_k: int = 3) -> Any:
        await asyncio.sleep(0)
        return search(query, top_k)

    made = retriever(name="search", **options)(search_later if is_async else search)

    def call(*args: Any, **kwargs: Any) -> Any:
        return asyncio.run(made(*args, **kwargs)) if is_async else made(*args, **kwargs)

    call.seen = seen  # type: ignore[attr-defined]
    return call


def asked(call: Callable[..., Any]) -> list[Any]:
    found: list[Any] = call.seen  # type: ignore[attr-defined]
    return found


both = pytest.mark.parametrize("is_async", [False, True], ids=["plain", "async"])


@both
def test_what_is_found_is_handed_on_and_noted(store: FeatureStore, is_async: bool) -> None:  # noqa: FBT001 - a case
    found = [
        "a bare text",
        {
            "content": "a mapping",
            "chunk_id": "c1",
            "document_id": "d1",
            "similarity_score": 0.5,
            "as_of": "2026-01-01T11:59:00",
        },
        Passage("an object", 7, 0.25, NOON - 10 * MINUTE),
        {
            "content": None,
            "text": "the other name",
            "source_url": "https://example.org/a",
            "last_updated": NOON + MINUTE,
        },
    ]
    search = make(found, store=store, stale_after="5m", is_async=is_async)

    with tracking() as tracker:
        assert search("brims") is found
    [lineage] = tracker.retrievers
    assert lineage == RetrieverLineage(
        retriever_name="search",
        query="brims",
        results_count=4,
        latency_ms=lineage.latency_ms,
        timestamp=NOON,
        chunks_returned=(
            DocumentLineage(hash_of("a bare text"), None, hash_of("a bare text"), "a bare text", None, 0),
            DocumentLineage(
                "c1", "d1", hash_of("a mapping"), "a mapping", 0.5, 1, as_of=NOON - MINUTE, freshness_ms=60_000
            ),
            DocumentLineage(
                *("7", None, hash_of("an object"), "an object", 0.25, 2, None),
                as_of=NOON - 10 * MINUTE,
                freshness_ms=600_000,
                is_stale=True,
            ),
            DocumentLineage(
                *(hash_of("the other name"), None, hash_of("the other name"), "the other name", None, 3),
                source_url="https://example.org/a",
                as_of=NOON + MINUTE,
                freshness_ms=0,
            ),
        ),
        stale_chunks_count=1,
        oldest_chunk_ms=600_000,
    )
    assert lineage.latency_ms >= 0
    assert store.retrievers.keys() == {"search"}


def test_what_cannot_be_read_of_a_passage_is_none() -> None:
    odd = {"content": b"bytes", "id": True, "score": float("nan"), "source_url": 1.5, "as_of": "yesterday"}
    search = make([odd, 5, None, "\ud800"])

    with tracking() as tracker:
        search("brims")
    empty = hash_of("")
    assert [(each.chunk_id, each.content) for each in tracker.retrievers[0].chunks_returned] == [
        *[(empty, "")] * 3,
        (hash_of("\ufffd"), "\ufffd"),
    ]
    first = tracker.retrievers[0].chunks_returned[0]
    assert (first.similarity_score, first.source_url, first.as_of, first.freshness_ms) == (None, None, None, None)


@pytest.mark.parametrize(
    ("arguments", "query"),
    [((("a"),), "a"), (("a", 5), "a"), ((5,), ""), ((["a"],), "")],
)
def test_the_query_is_the_argument_of_that_name(arguments: Any, query: str) -> None:
    search = make([])
    with tracking() as tracker:
        search(*arguments)

    assert tracker.retrievers[0].query == query


def test_without_that_name_the_query_is_the_first_text() -> None:
    @retriever()
    def search(top_k: int, text: str, language: str) -> list[str]:
        return [text, language] * top_k

    with tracking() as tracker:
        search(1, "brims", "en")
    assert (tracker.retrievers[0].retriever_name, tracker.retrievers[0].query) == ("search", "brims")


@both
def test_results_are_kept_as_long_as_they_may_be(
    store: FeatureStore,
    clock: Clock,
    is_async: bool,  # noqa: FBT001 - a case
) -> None:
    search = make([{"content": "a", "as_of": NOON}], store=store, cache_ttl="1m", is_async=is_async)

    with tracking() as tracker:
        search("q").append("of the caller")
        clock.moment += MINUTE
        assert search(query="q", top_k=3) == [{"content": "a", "as_of": NOON}]
        clock.moment += timedelta(milliseconds=1)
        search("q")
    assert asked(search) == [("q", 3), ("q", 3)]
    assert [lineage.served_from_cache for lineage in tracker.retrievers] == [False, True, False]
    assert [lineage.oldest_chunk_ms for lineage in tracker.retrievers] == [0, 60_000, 60_001]


def test_a_kept_result_tells_of_the_features_that_it_was_made_with(store: FeatureStore) -> None:
    store.write_feature("language", "u1", "en")

    @retriever(store, cache_ttl="1m")
    def search(query: str) -> list[str]:
        return [query, store.read_feature("language", "u1")]

    with tracking() as tracker:
        assert search("q") == search("q") == ["q", "en"]
    assert [(lineage.feature_name, lineage.timestamp) for lineage in tracker.features] == [("language", NOON)] * 2
    assert [lineage.served_from_cache for lineage in tracker.retrievers] == [False, True]


def test_other_arguments_are_other_questions() -> None:
    search = make([], cache_ttl="1h")
    for query in ("q", 1, 1.0, True, None, ["q"], {"q": 1}, "q", 1, 1.0, True, None, ["q"], {"q": 1}):
        search(query)
    search("q", 4)

    assert [query for query, _ in asked(search)] == ["q", 1, 1.0, True, None, ["q"], {"q": 1}, "q"]


def test_arguments_that_are_no_json_are_asked_each_time() -> None:
    search = make([], cache_ttl="1h")
    for _ in range(2):
        search({1, 2})

    assert len(asked(search)) == 2


def test_nothing_is_kept_of_a_time_travel() -> None:
    search = make([], cache_ttl="1h")
    search("q")
    with tracking(as_of=NOON) as tracker:
        search("q")

    assert len(asked(search)) == 2
    assert tracker.retrievers[0].served_from_cache is False


@pytest.mark.parametrize("ttl", [None, "0s"])
def test_without_a_ttl_nothing_is_kept(ttl: str | None) -> None:
    search = make([], cache_ttl=ttl)
    search("q")
    search("q")

    assert len(asked(search)) == 2


def test_what_was_not_asked_for_the_longest_goes_first() -> None:
    search = make([], cache_ttl="1h")
    search("first")
    search("second")
    for number in range(LIMIT - 1):
        search("first")
        search(number)
    search("first")
    search("second")

    assert [query for query, _ in asked(search) if isinstance(query, str)] == ["first", "second", "second"]


@both
@pytest.mark.parametrize(
    "found", [None, "text", {"content": "a"}, iter(["a"]), 5], ids=lambda value: type(value).__name__
)
def test_what_is_no_list_is_refused(found: Any, is_async: bool) -> None:  # noqa: FBT001 - a case
    search = make(found, is_async=is_async, cache_ttl="1m")

    with tracking() as tracker, pytest.raises(RetrievalError, match="retriever 'search' must return a list, got"):
        search("q")
    assert tracker.retrievers == []


def test_an_awaitable_of_a_plain_function_is_refused_and_closed() -> None:
    async def later() -> list[str]:
        return []

    with pytest.raises(RetrievalError, match="must return a list, got <coroutine"):
        make(later())("q")


def test_what_a_retriever_raises_passes() -> None:
    @retriever(cache_ttl="1m")
    def search(_query: str) -> list[str]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search("q")
    with pytest.raises(TypeError, match="missing a required argument: '_query'"):
        search()  # type: ignore[call-arg]


def test_a_retriever_still_is_the_function_that_it_was() -> None:
    @retriever()
    async def search(query: str) -> list[str]:
        """Find passages."""
        return [query]

    assert (search.__name__, search.__doc__) == ("search", "Find passages.")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cache_ttl": 5}, "cache_ttl must be a duration such as"),
        ({"stale_after": "soon"}, "stale_after must be a duration such as"),
        ({"name": ""}, "name must be a str that is not empty"),
    ],
)
def test_options_that_cannot_be(options: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        retriever(**options)(lambda query: [query])


def test_equal_questions_of_tasks_and_threads_are_asked_once(store: FeatureStore) -> None:
    store.write_feature("language", "u1", "en")
    runs: list[str] = []

    @retriever(store, cache_ttl="1m")
    async def search_later(query: str) -> list[str]:
        runs.append(query)
        await asyncio.sleep(0.02)
        return [await store.get_feature("language", "u1")]

    async def ask_all() -> list[list[str]]:
        return await asyncio.gather(*(search_later("q") for _ in range(20)))

    with tracking() as tracker:
        found = asyncio.run(ask_all())
    assert (runs, found) == (["q"], [["en"]] * 20)
    assert len({id(passages) for passages in found}) == 20
    assert sorted(lineage.served_from_cache for lineage in tracker.retrievers) == [False] + [True] * 19
    assert len(tracker.features) == 20

    @retriever(store, cache_ttl="1m")
    def search(query: str) -> list[str]:
        begun.wait(LONG_S)
        runs.append(query)
        return [query]

    begun = threading.Event()
    runs.clear()
    with ThreadPoolExecutor(20) as pool:
        answers = [pool.submit(search, "p") for _ in range(20)]
        begun.set()
        assert [answer.result(LONG_S) for answer in answers] == [["p"]] * 20
    assert runs == ["p"]
