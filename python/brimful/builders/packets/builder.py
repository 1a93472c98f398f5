"""`brimful.builders.packets.ContextBuilder`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, cast

from brimful.builders.packets.assembly import assemble
from brimful.builders.packets.config import read_config
from brimful.builders.packets.front_door import open_request
from brimful.builders.packets.similarity import aembed, choose_embedder, embed
from brimful.config import show
from brimful.errors import ConfigError
from brimful.stages.instants import read_instant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from brimful.builders.packets.config import PacketConfig
    from brimful.builders.packets.front_door import Request
    from brimful.builders.packets.types import BuiltContext, ContextPacket, Message

MOST_ON_THE_LOOP: Final = 2**16
"""Characters that `abuild` works through without leaving the event loop: about a millisecond."""


def read_clock() -> float:
    """Return the milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class ContextBuilder:
    """Assembles the messages for a model within a token budget, as seed 004 does.

    `config`: a `PacketConfig`, or a mapping of its options in either spelling. `clock` gives the present in
    milliseconds since 1970; it is read once a build. Immutable, reusable, safe to share between threads as far as its
    counter and its embedder are.

    Raises ConfigError for an option out of range.

    >>> builder = ContextBuilder(config={"maxTokens": 8})
    >>> result = builder.build(user_query="Is it wet?", additional_packets=[{"content": "Water is wet."}])
    >>> result.total_tokens, [packet.content for packet in result.included_packets]
    (4, ['Water is wet.'])
    """

    __slots__ = ("_clock", "_config")

    def __init__(
        self, config: PacketConfig | Mapping[str, Any] | None = None, *, clock: Callable[[], float] | None = None
    ) -> None:
        self._config = read_config(config)
        if clock is not None and not callable(cast("object", clock)):
            message = f"clock must be a function that gives milliseconds, got {show(clock)}"
            raise ConfigError(message)
        self._clock = read_clock if clock is None else clock

    @property
    def config(self) -> PacketConfig:
        """The options."""
        return self._config

    def build(
        self,
        *,
        user_query: str,
        conversation_history: Iterable[Message | Mapping[str, Any]] | None = None,
        system_instructions: str | None = None,
        additional_packets: Iterable[ContextPacket | Mapping[str, Any]] | None = None,
    ) -> BuiltContext:
        """Return the context of these inputs.

        History is kept from the newest message back to the first that does not fit its budget, or 60 % of what the
        system instructions leave. Packets get the rest: by what they are worth, each that still fits, or by MMR.
        Nothing is mutated. Time is that of `mmr_select` with MMR, else n log n in the packets.

        Raises InputError for an input that cannot be used, with its index; ConfigError for an async embedder,
        EmbeddingError for vectors that are too few or no vectors, BudgetError where `system_overflow` says so. An
        embedder that fails is a warning, and words decide.
        """
        request = self._open(user_query, conversation_history, system_instructions, additional_packets)
        embedded = embed(choose_embedder(request, self._config), request)
        return assemble(request, embedded, self._config)

    async def abuild(
        self,
        *,
        user_query: str,
        conversation_history: Iterable[Message | Mapping[str, Any]] | None = None,
        system_instructions: str | None = None,
        additional_packets: Iterable[ContextPacket | Mapping[str, Any]] | None = None,
    ) -> BuiltContext:
        """Return what `build` does, with an embedder that may be async; one that is not is called in a thread.

        What takes longer than about a millisecond is done in a thread as well.
        """
        request = self._open(user_query, conversation_history, system_instructions, additional_packets)
        embedded = await aembed(choose_embedder(request, self._config), request)
        if sum(map(len, request.to_embed())) <= MOST_ON_THE_LOOP:
            return assemble(request, embedded, self._config)
        import asyncio  # noqa: PLC0415 - importing brimful must not load asyncio

        return await asyncio.to_thread(assemble, request, embedded, self._config)

    def _open(self, query: object, history: object, system: object, packets: object) -> Request:
        now = read_instant("clock()", self._clock())
        return open_request(query, history, system, packets, config=self._config, now=now)
