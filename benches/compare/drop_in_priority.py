"""Times the priority builder beside fabra-ai, which it replaces, over the same items, results compared first.

make bench-drop-in

Prints Markdown: CPU milliseconds a context without a store, the least of rounds in which both take turns, one thread.
Both count exactly, in o200k_base. fabra-ai is as it is installed, but that its log goes nowhere; a column more has it
with the log off. Ends with an error where contents differ.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

import structlog
from fabra import context as fabra_module
from fabra.context import ContextItem as FabraItem
from fabra.context import context as fabra_context
from fabra.utils.tokens import OpenAITokenCounter

from brimful.builders.priority import ContextItem, context
from brimful.builders.priority.dropping import order_of_dropping
from brimful.kernels import active
from compare.timing import beside, cpu_time, least_times, milliseconds, table
from compare.timing import times as ratio
from references.offline_tiktoken import write_rank_file
from workloads import write_texts

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

HEAD: Final = (
    *("builder", "items", "dropped", "texts", "brimful", "fabra-ai", "its log off"),
    *("fabra-ai / brimful", "its log off / brimful", "equal"),
)
DROPPED: Final = {10: 3, 100: 34, 1_000: 934}
"""Of so many items, so many have no room."""
WORDS: Final = 120
PRIORITIES: Final = 7
REQUESTS: Final = {10: 40, 100: 20, 1_000: 5}
"""Of so many items, so many requests with texts of their own."""
CALLS: Final = 10
"""Of the same items again, in a loop that runs: a service does not start one for each."""
TARGET: Final = 20
MODEL: Final = "gpt-4o"
QUIET: Final = structlog.wrap_logger(None, wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


class Request:
    """The same items for both, a budget that has room for all but some of them, and who answers."""

    def __init__(self, count: int, number: int, counter: OpenAITokenCounter) -> None:
        texts = list(write_texts(count, f"priority {count} {number}", copies=0, shortest=WORDS, longest=WORDS))
        priorities = [index % PRIORITIES for index in range(count)]
        gone = {*order_of_dropping(range(1, count), priorities)[: DROPPED[count]]}
        kept = "\n".join(text for index, text in enumerate(texts) if index not in gone)
        self.budget = counter.count(kept)
        rows = [(text, index == 0, priorities[index], f"s{index}") for index, text in enumerate(texts)]
        self.items = [ContextItem(*row) for row in rows]
        self.theirs = [
            FabraItem(content=text, required=required, priority=priority, source_id=source)
            for text, required, priority, source in rows
        ]
        self._ours = context(max_tokens=self.budget, model=MODEL)(self._give)
        self._theirs = fabra_context(max_tokens=self.budget, token_counter=counter)(self._give_theirs)

    async def _give(self) -> list[ContextItem]:
        return self.items

    async def _give_theirs(self) -> list[FabraItem]:
        return self.theirs

    def build(self, loop: asyncio.AbstractEventLoop, calls: int = 1) -> Any:  # noqa: ANN401 - of either library
        """Build the context, again and again."""
        return loop.run_until_complete(_repeat(self._ours, calls))

    def replaced(self, loop: asyncio.AbstractEventLoop, calls: int = 1) -> Any:  # noqa: ANN401 - of either library
        """Have fabra-ai build it."""
        return loop.run_until_complete(_repeat(self._theirs, calls))


async def _repeat(make: Callable[[], Awaitable[Any]], calls: int) -> Any:  # noqa: ANN401 - of either library
    for _ in range(calls - 1):
        await make()
    return await make()


def main() -> None:
    """Print the table."""
    assert active().name == "rust", "the extension is what is measured"
    with asyncio.Runner() as runner, Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(nowhere))
        sys.stdout.write(table(HEAD, lines(load_counter(), runner.get_loop())))


def load_counter() -> OpenAITokenCounter:
    """Return fabra-ai's counter; its tiktoken finds our rank file in its cache, and asks no network."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, TIKTOKEN_CACHE_DIR=folder):
        write_rank_file(Path(folder), "o200k_base")
        counter = OpenAITokenCounter(MODEL)
    assert counter.encoder is not None, "tiktoken cannot be loaded"
    return counter


def lines(counter: OpenAITokenCounter, loop: asyncio.AbstractEventLoop) -> Iterator[tuple[str, ...]]:
    """Give two lines for each number of items: requests with texts of their own, and one of them again and again."""
    for count in DROPPED:
        requests = [Request(count, number, counter) for number in range(REQUESTS[count])]
        yield line(count, "new ones", least_of_each(requests, loop), target=None)
        for request in requests:
            compare(request, counter, loop)
        total = least_times(contenders(requests[0], loop, CALLS))
        yield line(count, "the same again", {name: time / CALLS for name, time in total.items()}, target=TARGET)


def contenders(request: Request, loop: asyncio.AbstractEventLoop, calls: int = 1) -> dict[str, Callable[[], object]]:
    """Return who answers a request so many times: we, fabra-ai, and fabra-ai without its log."""
    return {
        "ours": partial(request.build, loop, calls),
        "theirs": partial(request.replaced, loop, calls),
        "quiet": partial(replace_quietly, request, loop, calls),
    }


def replace_quietly(request: Request, loop: asyncio.AbstractEventLoop, calls: int) -> None:
    """Have fabra-ai build contexts with its log off."""
    with mock.patch.object(fabra_module, "logger", QUIET):
        request.replaced(loop, calls)


def compare(request: Request, counter: OpenAITokenCounter, loop: asyncio.AbstractEventLoop) -> None:
    """Hold both results against each other, and our count against tiktoken's; theirs leaves newlines out (D11)."""
    ours, theirs = request.build(loop), request.replaced(loop)
    dropped = [[item.source_id for item in made.lineage.dropped_items_detail] for made in (ours, theirs)]
    assert (ours.content, dropped[0]) == (theirs.content, dropped[1])
    assert ours.meta["token_usage"] == counter.count(ours.content) == request.budget


def least_of_each(requests: Sequence[Request], loop: asyncio.AbstractEventLoop) -> dict[str, float]:
    """Return the least time of a request that we have not seen before."""
    times = [{name: cpu_time(run) for name, run in contenders(request, loop).items()} for request in requests]
    return {name: min(found[name] for found in times) for name in times[0]}


def line(count: int, texts: str, times: dict[str, float], *, target: float | None) -> tuple[str, ...]:
    """Write a line of the table; the target is for a function that is called again."""
    ours, theirs, quiet = times["ours"], times["theirs"], times["quiet"]
    figures = milliseconds(ours), milliseconds(theirs), milliseconds(quiet)
    ratios = beside(theirs / ours, target), ratio(quiet / ours)
    return ("priority", f"{count:,}", f"{DROPPED[count]:,}", texts, *figures, *ratios, "content, what is dropped")


if __name__ == "__main__":
    main()
