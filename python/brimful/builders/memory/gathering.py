"""Everything that is read before a context is put together: cards, what may be explored, clusters, constraints."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from brimful.builders.memory.given import CardReader, read_asked, read_items, read_matches
from brimful.builders.memory.retriever import Hits, HybridRetriever
from brimful.builders.memory.steps import Plan, Step
from brimful.stores.cards import Card, Cluster
from brimful.stores.index import Wanted
from brimful.stores.indexed import CardStore

if TYPE_CHECKING:
    from collections.abc import Iterator
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
        given = found if found is not None or not failures.notes else ()  # None where it failed
        read = [Found(card) for card in read_items("retriever", "retriever", given, Card, failures)]
    if len(read) > builder.retrieval_top_k:
        failures.notes.append(f"retriever gave {len(read):,} cards, asked for {builder.retrieval_top_k:,}")
    gathered.retrieved = read[: builder.retrieval_top_k]
    gathered.beyond = read[builder.retrieval_top_k :]


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
    found = yield from failures.attempt(part, step)
    matches = [] if found is None else read_matches(found, failures)
    low, high = builder.exploration_band
    known = {found.card.id for found in gathered.retrieved}
    fresh = [match for match in matches if low <= match.score <= high and match.id not in known]
    scores = dict(fresh[: builder.exploration_pool])
    cards = yield from failures.attempt("store", Step(CardReader(builder.adapter), "read", (list(scores),)))
    gathered.candidates = [Found(card, scores[card.id]) for card in read_asked(cards or (), scores, failures)]


def _search_step(builder: ContextBuilder, wanted: Wanted, count: int) -> Step | None:
    """Return the step that searches within the band; None where the adapter has no search of that kind."""
    low, high = builder.exploration_band
    adapter = builder.adapter
    if isinstance(adapter, CardStore):
        return Step(adapter, "match_cards", (wanted,), {"top_k": count, "threshold": low, "ceiling": high})
    readable = hasattr(adapter, "read_cards") or hasattr(adapter, "read_card")
    if wanted.embedding is None or not readable or not callable(getattr(adapter, "vector_search", None)):
        return None
    return Step(adapter, "vector_search", (wanted.embedding,), {"top_k": count, "threshold": low})


def _read_tiers(builder: ContextBuilder, gathered: Gathered, failures: Failures) -> Plan[None]:
    """Read clusters and constraints, where the adapter has them."""
    adapter = builder.adapter
    if callable(getattr(adapter, "list_clusters", None)):
        clusters = yield from failures.attempt("store", Step(adapter, "list_clusters"))
        if clusters is not None:
            gathered.clusters = read_items("store", "list_clusters", clusters, Cluster, failures)
    if callable(getattr(adapter, "list_cards", None)):
        options = {"type": "constraint"} if isinstance(adapter, CardStore) else {}
        cards = yield from failures.attempt("store", Step(adapter, "list_cards", (), options))
        if cards is not None:
            listed = read_items("store", "list_cards", cards, Card, failures)
            gathered.constraints = [card for card in listed if card.type == "constraint"]
