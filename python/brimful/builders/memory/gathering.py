"""Everything that is read before a context is put together: cards, what may be explored, clusters, constraints."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from brimful.builders.memory.retriever import Hits, HybridRetriever, read_cards
from brimful.builders.memory.steps import Plan, Step
from brimful.config import as_finite, show
from brimful.errors import InputError, RetrievalError, StoreError
from brimful.kernels.texts import is_unordered
from brimful.stores.cards import Card, Cluster
from brimful.stores.index import Match, Wanted
from brimful.stores.indexed import CardStore

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from brimful.builders.memory.builder import ContextBuilder
    from brimful.builders.memory.context import MemoryContext
    from brimful.builders.memory.failures import Failures, Part
    from brimful.stores.fields import Vector

log = logging.getLogger("brimful.memory")
SHOWN: Final = 61
"""Characters of the query in the log."""


class Found(NamedTuple):
    """A card, and how well it matches the query, where that is known."""

    card: Card
    score: float | None = None


@dataclass(slots=True)
class Gathered:
    """What was read for one context. `beyond` are retrieved cards that nobody asked for."""

    query: str
    now: datetime
    retrieved: list[Found] = field(default_factory=list)
    beyond: list[Found] = field(default_factory=list)
    candidates: list[Found] = field(default_factory=list)
    clusters: list[Cluster] = field(default_factory=list)
    constraints: list[Card] = field(default_factory=list)
    embedding: Vector | None = None


def gather(builder: ContextBuilder, query: str, now: datetime, failures: Failures) -> Plan[Gathered]:
    """Read what the builder needs, in the order in which the original does."""
    log.debug("build: query=%r", query[:SHOWN])
    gathered = Gathered(query, now)
    with timed("retriever.search(top_k=%d)", builder.retrieval_top_k):
        yield from _retrieve(builder, gathered, failures)
    with timed("exploration candidates"):
        yield from _find_candidates(builder, gathered, failures)
    with timed("clusters and constraints"):
        yield from _read_tiers(builder, gathered, failures)
    return gathered


@contextmanager
def timed(stage: str, *arguments: object) -> Iterator[None]:
    """Say how many milliseconds a stage took."""
    start = time.perf_counter()
    yield
    log.debug("%s: %.1f ms", stage % arguments, (time.perf_counter() - start) * 1e3)


def log_counts(gathered: Gathered, context: MemoryContext) -> None:
    """Say how many of each there were."""
    tiers = [row.tier for row in context.trace]
    log.debug(
        "retrieved=%d exploration=%d clusters=%d constraints=%d shown=%d accessed=%d notes=%d",
        len(gathered.retrieved),
        *(tiers.count(tier) for tier in ("exploration", "cluster", "constraint")),
        sum(row.fate == "included" for row in context.trace),
        len(context.accessed),
        len(context.notes),
    )


def _retrieve(builder: ContextBuilder, gathered: Gathered, failures: Failures) -> Plan[None]:
    name = "hits" if type(builder.retriever) is HybridRetriever else "search"
    options = {"top_k": builder.retrieval_top_k}
    found = yield from failures.attempt("retriever", Step(builder.retriever, name, (gathered.query,), options))
    if isinstance(found, Hits):
        failures.notes += [f"retriever: {note}" for note in found.notes]
        gathered.embedding = found.embedding
        read = [Found(*pair) for pair in zip(found.cards, found.scores, strict=True)]
    else:
        read = [Found(card) for card in _read_found(found, failures)]
    if len(read) > builder.retrieval_top_k:
        failures.notes.append(f"retriever gave {len(read):,} cards, asked for {builder.retrieval_top_k:,}")
    gathered.retrieved = read[: builder.retrieval_top_k]
    gathered.beyond = read[builder.retrieval_top_k :]


def _read_found(found: object, failures: Failures) -> list[Card]:
    """Return the cards that a retriever gave; what is none is refused, or noted and left out."""
    if found is None and failures.notes:  # it failed
        return []
    if is_unordered(found):
        failures.meet("retriever", RetrievalError(f"retriever must give cards in an order, got {show(found)}"))
        return []
    cards = []
    for index, item in enumerate(cast("Iterable[object]", found)):
        try:
            cards.append(item if isinstance(item, Card) else Card.from_dict(cast("Mapping[str, Any]", item)))
        except InputError as error:
            refused = RetrievalError(f"retriever must give cards, got {show(item)} at {index}: {error}")
            refused.__cause__ = error
            failures.meet("retriever", refused)
    return cards


def _find_candidates(builder: ContextBuilder, gathered: Gathered, failures: Failures) -> Plan[None]:
    """Read the cards that are loosely relevant: those nearest to the upper end of the band first."""
    if not builder.exploration_count:
        return
    wanted = Wanted(None, gathered.query, 0.0, 1.0)
    if builder.embedder is not None:
        vector = gathered.embedding if getattr(builder.retriever, "embedder", None) is builder.embedder else None
        if vector is None:
            vector = yield from failures.embed(Step(builder.embedder, "embed", ([gathered.query],)))
        if vector is None:
            return
        wanted = Wanted(vector)
    step = _search_step(builder, wanted, builder.exploration_pool + len(gathered.retrieved))
    if step is None:
        return
    part: Part = "store" if wanted.embedding is None else "embedder"  # what a store refuses is the embedding
    matches = _read_matches((yield from failures.attempt(part, step)) or (), failures)
    low, high = builder.exploration_band
    known = {found.card.id for found in gathered.retrieved}
    fresh = [match for match in matches if low <= match.score <= high and match.id not in known]
    scores = dict(fresh[: builder.exploration_pool])
    cards = yield from failures.attempt("store", Step(_Reader(builder.adapter), "read", (list(scores),)))
    gathered.candidates = [Found(card, scores[card.id]) for card in cards or ()]


def _search_step(builder: ContextBuilder, wanted: Wanted, count: int) -> Step | None:
    """Return the step that searches within the band; None where the adapter has no search of that kind."""
    low, high = builder.exploration_band
    adapter = builder.adapter
    if isinstance(adapter, CardStore):
        return Step(adapter, "match_cards", (wanted,), {"top_k": count, "threshold": low, "ceiling": high})
    if wanted.embedding is None or not callable(getattr(adapter, "vector_search", None)):
        return None
    return Step(adapter, "vector_search", (wanted.embedding,), {"top_k": count, "threshold": low})


def _read_matches(matches: Iterable[Any], failures: Failures) -> list[Match]:
    """Return matches as ours: an adapter may give pairs, or mappings with `id` and `similarity`."""
    read = []
    for match in matches:
        try:
            id_, score = (match["id"], match["similarity"]) if isinstance(match, Mapping) else match
            number = as_finite(score)
            if not isinstance(id_, str) or number is None:
                raise TypeError  # noqa: TRY301 - one message for all of it
        except (KeyError, TypeError, ValueError):
            failures.meet("store", StoreError(f"vector_search must give (id, score), got {show(match)}", kind="failed"))
        else:
            read.append(Match(id_, number))
    return read


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads cards of anybody's adapter, in one step."""

    adapter: Any

    def read(self, ids: Sequence[str]) -> list[Card]:
        """Return the cards with these ids."""
        return read_cards(self.adapter, ids) if ids else []


def _read_tiers(builder: ContextBuilder, gathered: Gathered, failures: Failures) -> Plan[None]:
    """Read clusters and constraints, where the adapter has them."""
    adapter = builder.adapter
    if callable(getattr(adapter, "list_clusters", None)):
        clusters = yield from failures.attempt("store", Step(adapter, "list_clusters"))
        gathered.clusters = list(clusters or ())
    if callable(getattr(adapter, "list_cards", None)):
        options = {"type": "constraint"} if isinstance(adapter, CardStore) else {}
        cards = yield from failures.attempt("store", Step(adapter, "list_cards", (), options))
        gathered.constraints = [card for card in cards or () if card.type == "constraint"]
