"""The options of packets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args

from brimful.builders.packets.counters import read_counter
from brimful.builders.packets.embedders import MemoryAdapter, check_embedder, check_memory_embedder
from brimful.builders.packets.spelling import Spelling
from brimful.config import (
    MAX_TOKENS,
    check_choice,
    check_finite,
    check_flag,
    check_integer,
    check_positive,
    check_share,
    show,
)
from brimful.errors import ConfigError

if TYPE_CHECKING:
    from brimful.builders.packets.counters import AnyCounter
    from brimful.builders.packets.embedders import MemoryEmbedder, TextEmbedder
    from brimful.protocols import TokenCounter

SystemOverflow = Literal["keep", "truncate", "raise"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketConfig:
    """What a builder of packets goes by; the names and defaults are those of seed 004. Immutable.

    `max_tokens`: the whole budget, in which the query is not counted. `enable_mmr`: choose packets that are relevant
    and unlike each other; `mmr_lambda` is then the share of relevance (0: diversity alone). `min_relevance`: packets of
    a lower score are dropped; those without one pass up to 1. `recency_weight`: the share of recency in what a packet
    is worth, and `recency_tau` the milliseconds in which recency falls to 1/e. `embedder`: a function of texts that
    gives a vector each, or `memory_embedder`: an object whose `encode` does; either may be async, for `abuild`.
    `system_token_budget` and `history_token_budget`: caps in tokens. `token_counter`: a function of a text, or an
    object with `count`; without one a quarter of the UTF-16 units. `system_overflow`: what becomes of system
    instructions over their cap: "keep" them and warn, "truncate" them at a word, or "raise" BudgetError.

    Raises ConfigError for an option out of range.

    >>> PacketConfig(mmr_lambda=2)
    Traceback (most recent call last):
    brimful.errors.ConfigError: mmr_lambda must be between 0 and 1, got 2
    """

    max_tokens: int = 4_096
    enable_mmr: bool = False
    mmr_lambda: float = 0.5
    min_relevance: float = 0.0
    recency_weight: float = 0.3
    recency_tau: float = 3_600_000.0
    embedder: TextEmbedder | None = None
    memory_embedder: MemoryEmbedder | None = None
    system_token_budget: int = 512
    history_token_budget: int = 1_024
    token_counter: AnyCounter | None = None
    system_overflow: SystemOverflow = "keep"

    def __post_init__(self) -> None:
        """Check every field, and store plain ints and floats."""
        for name in ("max_tokens", "system_token_budget", "history_token_budget"):
            object.__setattr__(self, name, check_integer(name, getattr(self, name), low=0, high=MAX_TOKENS))
        for name in ("mmr_lambda", "recency_weight"):
            object.__setattr__(self, name, check_share(name, getattr(self, name)))
        object.__setattr__(self, "min_relevance", check_finite("min_relevance", self.min_relevance))
        object.__setattr__(self, "recency_tau", check_positive("recency_tau", self.recency_tau))
        check_flag("enable_mmr", self.enable_mmr)
        check_choice("system_overflow", self.system_overflow, get_args(SystemOverflow))
        read_counter(self.token_counter)
        if self.embedder is not None:
            check_embedder("embedder", self.embedder)
        if self.memory_embedder is not None:
            check_memory_embedder("memory_embedder", self.memory_embedder)

    @property
    def counter(self) -> TokenCounter:
        """The counter that the budget goes by."""
        return read_counter(self.token_counter)

    @property
    def text_embedder(self) -> TextEmbedder | None:
        """The embedder that is asked: the explicit one before that of memories."""
        if self.embedder is not None or self.memory_embedder is None:
            return self.embedder
        return MemoryAdapter(self.memory_embedder)


SPELLING: Final = Spelling(tuple(field.name for field in fields(PacketConfig)), ConfigError)


def read_config(given: PacketConfig | Mapping[str, Any] | None) -> PacketConfig:
    """Return the options that are given, in either spelling; an option that is None has its default.

    Raises ConfigError for an option that there is not.

    >>> read_config({"enableMmr": True, "maxTokens": 100}).max_tokens
    100
    """
    if given is None:
        return PacketConfig()
    if isinstance(given, PacketConfig):
        return given
    if isinstance(cast("object", given), Mapping):
        return PacketConfig(**SPELLING.read("config", given))
    message = f"config must be a PacketConfig, a mapping or None, got {show(given)}"
    raise ConfigError(message)
