"""The options of `@context`, checked when a function is decorated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args

from brimful.builders.priority.assembly import AssemblyOptions
from brimful.builders.priority.freshness import Limits
from brimful.config import MAX_TOKENS, check_choice, check_flag, check_integer, show
from brimful.errors import ConfigError
from brimful.stages.durations import read_duration
from brimful.stages.model_prices import find_rates
from brimful.stages.models import for_model
from brimful.stages.taken_counters import take_counter

if TYPE_CHECKING:
    from collections.abc import Callable

    from brimful.builders.priority.assembly import ItemOrder, Overflow
    from brimful.protocols import TokenCounter
    from brimful.stages.model_prices import Prices, Rates

EvidenceMode = Literal["best_effort", "required"]

CACHE_TTL: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `@context` was told. `counter` is None where nothing is counted: without a budget and without a counter.

    `rates` are the prices of the model.
    """

    name: str | None
    max_tokens: int | Callable[..., int | None] | None
    cache_ttl: timedelta | None
    counter: TokenCounter | None
    limits: Limits
    version: str
    assembly: AssemblyOptions
    evidence: EvidenceMode
    rates: Rates


def read_options(
    *,
    name: object,
    max_tokens: object,
    cache_ttl: object,
    token_counter: object,
    max_staleness: object,
    version: object,
    model: object,
    freshness_sla: object,
    freshness_strict: object,
    on_overflow: Overflow,
    backfill: bool,
    order: ItemOrder,
    evidence: object,
    prices: Prices | None,
) -> Options:
    """Return the options as they are used; raises ConfigError that names the one that is wrong."""
    limits = Limits(
        sla_ms=read_duration("freshness_sla", None if freshness_sla == "" else freshness_sla),
        max_staleness_ms=read_duration("max_staleness", max_staleness),
        strict=check_flag("freshness_strict", freshness_strict),
    )
    return Options(
        name=None if name is None else _read_text("name", name),
        max_tokens=max_tokens if callable(max_tokens) else read_budget("max_tokens", max_tokens),
        cache_ttl=_read_ttl(cache_ttl),
        counter=_choose_counter(token_counter, cast("str", model), counts=max_tokens not in (None, 0)),
        limits=limits,
        version=_read_text("version", version),
        assembly=AssemblyOptions(on_overflow=on_overflow, backfill=backfill, order=order),
        evidence=cast("EvidenceMode", check_choice("evidence", evidence, get_args(EvidenceMode))),
        rates=find_rates(cast("str", model), prices),
    )


def name_options(options: Options, function: Callable[..., Any]) -> Options:
    """Return the options with the name of the function where they have none."""
    return options if options.name else replace(options, name=_read_text("name", getattr(function, "__name__", None)))


def read_budget(name: str, value: object) -> int | None:
    """Return a budget in tokens: None and 0 are none, and below 0 nothing optional fits."""
    return None if value is None else check_integer(name, value, low=-MAX_TOKENS, high=MAX_TOKENS)


def _choose_counter(given: object, model: str, *, counts: bool) -> TokenCounter | None:
    """Return the counter that was given, as the original takes them too, else that of the model (D12)."""
    by_model = for_model(model)
    if given is None:
        return by_model if counts else None
    return take_counter(given)


def _read_ttl(value: object) -> timedelta | None:
    milliseconds = read_duration("cache_ttl", value)
    try:
        return timedelta(milliseconds=milliseconds) if milliseconds else None
    except OverflowError:
        return timedelta.max


def _read_text(name: str, value: object) -> str:
    if isinstance(value, str) and value:
        return value
    message = f"{name} must be a str that is not empty, got {show(value)}"
    raise ConfigError(message)
