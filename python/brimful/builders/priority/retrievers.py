"""Retrievers: functions that find passages; what they find is noted in the context that is being built."""

from __future__ import annotations

import functools
import inspect
import json
from collections import OrderedDict
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, cast

from brimful.builders.priority.lineage import RetrieverLineage
from brimful.builders.priority.passages import read_passages
from brimful.builders.priority.tracking import Tracker, current_tracker, tracking
from brimful.config import check_callable, show
from brimful.errors import ConfigError, InputError, RetrievalError
from brimful.stages.awaiting import give_up
from brimful.stages.durations import read_duration
from brimful.stages.fork_locks import new_lock
from brimful.stages.instants import MILLISECOND
from brimful.stages.sharing import Sharing
from brimful.stores.features import copy_json
from brimful.stores.fields import read_id
from brimful.stores.moments import utc_now

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, timedelta
    from threading import Lock

    from brimful.builders.priority.feature_store import FeatureStore
    from brimful.stores.moments import Clock

Function = TypeVar("Function", bound="Callable[..., Any]")
Passages = list[Any] | tuple[Any, ...]

LIMIT: Final = 1024
"""Results that a retriever keeps; the one that was not asked for the longest goes first."""


def retriever(
    store: FeatureStore | None = None,
    *,
    name: str | None = None,
    cache_ttl: timedelta | str | None = None,
    stale_after: timedelta | str | None = None,
) -> Callable[[Function], Function]:
    """Make a plain or async function that returns a list of passages a retriever.

    Passages are texts, or mappings or objects with `content` or `text`, and where they have them `id` or `chunk_id`,
    `document_id`, `score` or `similarity_score`, `source_url`, `last_updated` or `as_of`. The list is handed on as it
    is. With `cache_ttl` it is kept that long in memory and given again for the same arguments, as far as these are
    JSON, and equal calls at the same time run once; not where a context is built as of another time. `stale_after` is
    the age from which a passage is stale.

    Raises ConfigError for a duration or a name that is none. A call raises RetrievalError for what is no list.

    >>> @retriever(cache_ttl="1m")
    ... def search_docs(query: str) -> list[str]:
    ...     return [f"All about {query}."]
    >>> search_docs("brims")
    ['All about brims.']
    """
    kept_ms = read_duration("cache_ttl", cache_ttl)
    stale_ms = read_duration("stale_after", stale_after)

    def decorate(function: Function) -> Function:
        check_callable("function", function)
        called = _check_name(getattr(function, "__name__", None) if name is None else name)
        now = utc_now if store is None else store.now
        asking = _Retriever(called, inspect.signature(function), now, kept_ms, stale_ms)
        wrapper = asking.wrap_async(function) if inspect.iscoroutinefunction(function) else asking.wrap(function)
        if store is not None:
            store.retrievers[called] = wrapper
        return cast("Function", wrapper)

    return decorate


def _check_name(name: object) -> str:
    try:
        return read_id("name", name)
    except InputError as error:
        raise ConfigError(str(error)) from None


@dataclass(slots=True)
class _Call:
    """A call of a retriever: what is asked, under which key the answer is kept (None: it is not), when it began.

    `found` is what the function gave to this very call, None where it is another's. `notes` are of what the function
    itself read: of a kept answer, too.
    """

    query: str
    key: str | None
    moment: datetime
    begun: float
    notes: Tracker = field(default_factory=Tracker)
    found: Passages | None = None


class _Kept(NamedTuple):
    """What was found, when that was asked, and what the function read on the way."""

    moment: datetime
    found: Passages
    notes: Tracker


@dataclass(frozen=True, slots=True)
class _Retriever:
    """What all calls of a retriever share."""

    name: str
    signature: inspect.Signature
    now: Clock
    kept_ms: int | None
    stale_ms: int | None
    kept: OrderedDict[str, _Kept] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=new_lock)
    sharing: Sharing[_Kept] = field(default_factory=Sharing)

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def retrieve(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - the function's own
            call = self._begin(args, kwargs)

            def ask() -> _Kept:
                with tracking() as call.notes:
                    found = function(*args, **kwargs)
                return self._keep(call, found)

            kept = self._recall(call)
            if kept is None:
                kept = ask() if call.key is None else self.sharing.run(call.key, lambda: self._recall(call) or ask())
            return self._take(call, kept)

        return retrieve

    def wrap_async(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        async def retrieve(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - the function's own
            call = self._begin(args, kwargs)

            async def ask() -> _Kept:
                kept = self._recall(call)
                if kept is None:
                    with tracking() as call.notes:
                        found = await function(*args, **kwargs)
                    kept = self._keep(call, found)
                return kept

            kept = await ask() if call.key is None else await self.sharing.arun(call.key, ask)
            return self._take(call, kept)

        return retrieve

    def _begin(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Call:
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        texts = (value for value in bound.arguments.values() if isinstance(value, str))
        query = bound.arguments.get("query")
        return _Call(
            query if isinstance(query, str) else next(texts, ""), self._key(bound.arguments), self.now(), perf_counter()
        )

    def _key(self, arguments: dict[str, Any]) -> str | None:
        """Return the arguments as JSON, which tells 1 from 1.0 and True; None where nothing is to be kept."""
        tracker = current_tracker()
        if not self.kept_ms or (tracker is not None and tracker.as_of is not None):
            return None
        try:
            return json.dumps(copy_json("arguments", arguments), sort_keys=True)
        except ValueError:  # InputError is one
            return None

    def _recall(self, call: _Call) -> _Kept | None:
        """Return what was found before, None where there is nothing that may be given."""
        if call.key is None or self.kept_ms is None:
            return None
        with self.lock:
            kept = self.kept.get(call.key)
            if kept is None or (call.moment - kept.moment) / MILLISECOND > self.kept_ms:
                return None
            self.kept.move_to_end(call.key)
        return kept

    def _keep(self, call: _Call, found: object) -> _Kept:
        """Check what the function gave, and keep a list of one's own."""
        if not isinstance(found, (list, tuple)):
            give_up(found)
            message = f"retriever {show(self.name)} must return a list, got {show(found)}"
            raise RetrievalError(message)
        call.found, kept = found, _Kept(call.moment, found[:], call.notes)
        if call.key is not None:
            with self.lock:
                self.kept[call.key] = kept
                self.kept.move_to_end(call.key)
                if len(self.kept) > LIMIT:
                    self.kept.popitem(last=False)
        return kept

    def _take(self, call: _Call, kept: _Kept) -> Passages:
        """Return what the function gave as it is, or a list of one's own of what it gave to another; note either."""
        found = call.found
        if found is None:
            call.notes, found = kept.notes, kept.found[:]
        self._note(call, found)
        return found

    def _note(self, call: _Call, found: Passages) -> None:
        tracker = current_tracker()
        if tracker is None:
            return
        tracker.join(call.notes)
        passages = read_passages(found, call.moment, self.stale_ms)
        ages = [passage.freshness_ms for passage in passages if passage.freshness_ms is not None]
        tracker.record_retriever(
            RetrieverLineage(
                retriever_name=self.name,
                query=call.query,
                results_count=len(found),
                latency_ms=(perf_counter() - call.begun) * 1_000,
                timestamp=call.moment,
                chunks_returned=passages,
                stale_chunks_count=sum(passage.is_stale for passage in passages),
                oldest_chunk_ms=max(ages, default=None),
                served_from_cache=call.found is None,
            )
        )
