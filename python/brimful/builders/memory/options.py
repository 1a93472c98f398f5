"""What the options of the builder may be."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, cast, get_args

from brimful.builders.memory.exposure import ExposureTracker
from brimful.builders.memory.failures import OnError
from brimful.config import (
    MAX_TOKENS,
    NearDuplicateOptions,
    check_choice,
    check_finite,
    check_flag,
    check_integer,
    show,
)
from brimful.errors import ConfigError
from brimful.render.memory import MemoryWords
from brimful.stages.counters import check_counter
from brimful.stages.models import check_model

if TYPE_CHECKING:
    from brimful.builders.memory.builder import ContextBuilder


def check_options(builder: ContextBuilder) -> dict[str, Any]:
    """Return the numbers as plain ones; raise ConfigError for an option out of range."""
    _check_parts(builder)
    _check_counting(builder)
    check_flag("associative_memory", builder.associative_memory)
    check_choice("on_error", builder.on_error, get_args(OnError))
    checked: dict[str, Any] = {
        name: check_integer(name, getattr(builder, name), low=low, high=sys.maxsize)
        for name, low in (
            ("retrieval_top_k", 0),
            ("exploration_count", 0),
            ("exploration_pool", 1),
            ("cluster_limit", 0),
        )
    }
    checked["exploration_band"] = _check_band(builder.exploration_band)
    checked["exposure_threshold"] = check_finite("exposure_threshold", builder.exposure_threshold)
    if builder.duplicate_similarity is not None:
        checked["duplicate_similarity"] = check_finite("duplicate_similarity", builder.duplicate_similarity)
    if builder.max_tokens is not None:
        checked["max_tokens"] = check_integer("max_tokens", builder.max_tokens, low=0, high=MAX_TOKENS)
    return checked


def _check_parts(builder: ContextBuilder) -> None:
    _check_methods("retriever", builder.retriever, "search", "asearch")
    if builder.adapter is None:
        message = "adapter must be a store of cards, got None"
        raise ConfigError(message)
    if builder.embedder is not None:
        _check_methods("embedder", builder.embedder, "embed", "aembed")
    for name, kind, optional in (
        ("exposure", ExposureTracker, False),
        ("near_duplicates", NearDuplicateOptions, True),
        ("words", MemoryWords, False),
    ):
        value = getattr(builder, name)
        if not isinstance(value, kind) and not (optional and value is None):
            message = f"{name} must be {kind.__name__}{' or None' if optional else ''}, got {show(value)}"
            raise ConfigError(message)
    if not callable(cast("object", builder.clock)):
        message = f"clock must be callable, got {show(builder.clock)}"
        raise ConfigError(message)


def _check_methods(name: str, part: object, *methods: str) -> None:
    """Refuse a part that has none of the methods."""
    if not any(callable(getattr(part, method, None)) for method in methods) or isinstance(part, type):
        message = f"{name} must have a method `{methods[0]}`, got {show(part)}"
        raise ConfigError(message)


def _check_counting(builder: ContextBuilder) -> None:
    if builder.model is not None:
        check_model(builder.model)
    if builder.token_counter is not None:
        check_counter(builder.token_counter)
    if builder.model is not None and builder.token_counter is not None:
        message = "model and token_counter both say how to count: give one, got both"
        raise ConfigError(message)


def _check_band(band: object) -> tuple[float, float]:
    if not isinstance(band, (tuple, list)) or len(band) != 2:  # noqa: PLR2004 - both ends
        message = f"exploration_band must be (low, high), got {show(band)}"
        raise ConfigError(message)
    low, high = (check_finite(f"exploration_band[{end}]", value) for end, value in enumerate(band))
    if low > high:
        message = f"exploration_band must be (low, high), got {show(band)}"
        raise ConfigError(message)
    return low, high
