"""`MemorySelector`: which memories deserve a place."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from brimful.builders.qualified import Qualified
from brimful.config import MAX_TOKENS, as_finite, check_callable, check_finite, check_integer, show
from brimful.errors import ConfigError, InputError
from brimful.stages.budgeting import PlainAccount, fill
from brimful.stages.counting import RuleCounter
from brimful.stages.filtering import at_least
from brimful.stages.inputs import check_fields, read_items
from brimful.stages.scoring import halved, rank, weighted_sums

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from brimful.builders.sections.memories import MemoryEntry

UNKNOWN_RELEVANCE: Final = 0.5
SECONDS_AN_HOUR: Final = 3600.0
SHOWN_CONTENT: Final = 120
CHARS_DIV_4: Final = RuleCounter("chars_div_4")
FIELDS: Final = ("id", "content", "timestamp", "effective_importance")


@dataclass(repr=False)
class ScoredMemory(Qualified):
    """A memory and what it is worth."""

    entry: MemoryEntry
    relevance_score: float = 0.0
    recency_score: float = 0.0
    importance_score: float = 0.0
    composite_score: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the scores with four decimals, the id and the beginning of the content."""
        names = ("relevance", "recency", "importance", "composite")
        scores = {name: round(getattr(self, f"{name}_score"), 4) for name in names}
        return {"id": self.entry.id, "content": str(self.entry.content)[:SHOWN_CONTENT], **scores}


@dataclass(repr=False)
class SelectionConfig(Qualified):
    """How memories are scored and how many are taken.

    The weights must add up to 1, to within a thousandth. `recency_half_life_hours`: the recency halves in that time.
    Memories below `min_composite_score` are dropped; at most `top_k` are taken, of at most `token_budget` tokens, a
    token being four characters.

    Raises ConfigError for an option out of range.

    >>> SelectionConfig(0.5, 0.2, 0.2)
    Traceback (most recent call last):
    brimful.errors.ConfigError: Weights must sum to 1.0, got 0.900
    """

    relevance_weight: float = 0.50
    recency_weight: float = 0.20
    importance_weight: float = 0.30
    recency_half_life_hours: float = 24.0
    min_composite_score: float = 0.10
    top_k: int = 10
    token_budget: int = 3000

    def __post_init__(self) -> None:
        """Check every field."""
        names = ("relevance_weight", "recency_weight", "importance_weight")
        total = sum(check_finite(name, getattr(self, name)) for name in names)
        if not math.isclose(total, 1.0, rel_tol=1e-3):
            message = f"Weights must sum to 1.0, got {total:.3f}"
            raise ConfigError(message)
        if not check_finite("recency_half_life_hours", self.recency_half_life_hours) > 0:
            message = f"recency_half_life_hours must be above 0, got {show(self.recency_half_life_hours)}"
            raise ConfigError(message)
        check_finite("min_composite_score", self.min_composite_score)
        check_integer("top_k", self.top_k, low=0, high=MAX_TOKENS)
        check_integer("token_budget", self.token_budget, low=0, high=MAX_TOKENS)


@dataclass(repr=False, eq=False)
class MemorySelector(Qualified):
    """Scores memories by relevance, recency and importance, and takes the best that fit.

    Added: `clock` gives the seconds since 1970 that ages are counted to. Holds nothing but its configuration.

    >>> from brimful.builders.sections import MemoryEntry, MemoryType
    >>> old, new = (MemoryEntry(text, at, MemoryType.SEMANTIC) for text, at in (("old", 0.0), ("new", 86_400.0)))
    >>> [entry.content for entry in MemorySelector(clock=lambda: 86_400.0).select_entries("", [old, new])]
    ['new', 'old']
    """

    config: SelectionConfig = field(default_factory=SelectionConfig)
    clock: Callable[[], float] = field(default=time.time, kw_only=True)

    def __post_init__(self) -> None:
        """Take the default for None, as the original does, and check the fields."""
        config: object = self.config
        if config is None:
            self.config = SelectionConfig()
        elif not isinstance(config, SelectionConfig):
            message = f"config must be a SelectionConfig or None, got {show(config)}"
            raise ConfigError(message)
        check_callable("clock", self.clock)

    def select(
        self, query: str, candidates: Iterable[MemoryEntry], similarity_scores: Mapping[str, float] | None = None
    ) -> list[ScoredMemory]:
        """Return the memories that are taken, best first, with their scores.

        The relevance of a memory is what `similarity_scores` has for its id, 0.5 where it has nothing; the query
        itself is not looked at. One that does not fit is passed over. n log n in the candidates.

        Raises InputError for a candidate or a score that cannot be used, with its index or id.
        """
        del query
        entries = read_items("candidates", candidates)
        columns = self._score(entries, _read_similarities(similarity_scores))
        config = self.config
        totals = weighted_sums(columns, (config.relevance_weight, config.recency_weight, config.importance_weight))
        worthy = set(at_least(totals, config.min_composite_score))
        costs = [max(1, tokens) for tokens in CHARS_DIV_4.count([str(entry.content) for entry in entries])]
        line = (item for item in rank(totals) if item in worthy)
        taken = fill(line, PlainAccount(costs, config.token_budget)).taken[: config.top_k]
        rows = [*zip(entries, *columns, totals, strict=True)]
        return [ScoredMemory(*rows[item]) for item in taken]

    def select_entries(
        self, query: str, candidates: Iterable[MemoryEntry], similarity_scores: Mapping[str, float] | None = None
    ) -> list[MemoryEntry]:
        """Return the memories that are taken, best first."""
        return [scored.entry for scored in self.select(query, candidates, similarity_scores)]

    def explain(
        self, query: str, candidates: Iterable[MemoryEntry], similarity_scores: Mapping[str, float] | None = None
    ) -> list[dict[str, Any]]:
        """Return the scores of the memories that are taken, as dicts."""
        return [scored.to_dict() for scored in self.select(query, candidates, similarity_scores)]

    def _score(
        self, entries: list[MemoryEntry], known: Mapping[str, float]
    ) -> tuple[list[float], list[float], list[float]]:
        """Return relevance, recency and importance of each entry."""
        now = self.clock()
        for index, entry in enumerate(entries):
            check_fields(f"candidates[{index}]", entry, FIELDS, "a MemoryEntry")
        relevance = [
            _finite(f"similarity_scores[{show(entry.id)}]", known.get(entry.id, UNKNOWN_RELEVANCE)) for entry in entries
        ]
        hours = [
            (now - _finite(f"candidates[{index}].timestamp", entry.timestamp)) / SECONDS_AN_HOUR
            for index, entry in enumerate(entries)
        ]
        importance = [
            _finite(f"candidates[{index}].effective_importance", entry.effective_importance)
            for index, entry in enumerate(entries)
        ]
        return relevance, halved(hours, self.config.recency_half_life_hours), importance


def _finite(place: str, value: object) -> float:
    number = as_finite(value)
    if number is not None:
        return number
    message = f"{place} must be a finite number, got {show(value)}"
    raise InputError(message)


def _read_similarities(scores: object) -> Mapping[str, float]:
    if scores is None:
        return {}
    if isinstance(scores, Mapping):
        return scores
    message = f"similarity_scores must be a mapping or None, got {show(scores)}"
    raise InputError(message)
