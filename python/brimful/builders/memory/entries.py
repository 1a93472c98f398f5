"""What competes for a place in the text: constraints first, then retrieved cards, explored ones, clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from brimful.builders.memory.duplicates import Repeats
from brimful.render.memory import render_cluster, render_item
from brimful.stages.filtering import why_unfit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brimful.builders.memory.builder import ContextBuilder
    from brimful.builders.memory.gathering import Found, Gathered
    from brimful.stores.cards import Card, Cluster
    from brimful.stores.fields import Vector

Tier = Literal["constraint", "retrieved", "exploration", "cluster"]
RECORDED: Final = ("retrieved", "exploration")
"""Tiers whose cards have an access recorded: that of the constraints has cards that nobody looked for."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One item. `keys` are what it shares with others that are the same card; `line` is how it is shown."""

    tier: Tier
    label: str
    text: str
    line: str
    keys: frozenset[str]
    vector: Vector | None = None
    score: float | None = None
    card: Card | None = None

    @property
    def required(self) -> bool:
        """Whether it is always shown."""
        return self.tier == "constraint"


def list_entries(gathered: Gathered, explored: Sequence[Found], builder: ContextBuilder) -> list[Entry]:
    """Return everything that competes, in the order in which it is let in."""
    cards = [*gathered.retrieved, *explored]
    return [
        *(_card_entry("constraint", card, None) for card in active_constraints(gathered, cards)),
        *(_card_entry("retrieved", found.card, found.score) for found in gathered.retrieved),
        *(_card_entry("exploration", found.card, found.score) for found in explored),
        *map(_cluster_entry, relevant_clusters(gathered.clusters, cards)[: builder.cluster_limit]),
    ]


def explore(gathered: Gathered, builder: ContextBuilder) -> list[Found]:
    """Return the least exposed of the loosely relevant cards; ties by similarity, then by id.

    An active constraint is shown anyhow.
    """
    tracker, now = builder.exposure, gathered.now
    known = {key for found in gathered.retrieved for key in _keys(found.card)}
    exposures = {found.card.id: tracker.exposure_score(found.card, now=now) for found in gathered.candidates}
    fresh = [
        found
        for found in gathered.candidates
        if exposures[found.card.id] < builder.exposure_threshold
        and not _keys(found.card) & known
        and not _is_active(found.card)
    ]
    fresh.sort(key=lambda found: (exposures[found.card.id], -(found.score or 0.0), found.card.id))
    return _take_unlike(fresh, gathered.retrieved, builder)


def _take_unlike(fresh: Sequence[Found], retrieved: Sequence[Found], builder: ContextBuilder) -> list[Found]:
    """Return the first that say something, and not what others say: a card never shown stays the least exposed.

    It would take the place of all others in every build.
    """
    entries = [_card_entry("retrieved", found.card, found.score) for found in (*retrieved, *fresh)]
    repeats = Repeats(entries, builder.duplicate_similarity, builder.near_duplicates, unlike=False)
    shown = list(range(len(retrieved)))
    taken: list[Found] = []
    for item, found in enumerate(fresh, start=len(retrieved)):
        if len(taken) == builder.exploration_count:
            break
        unfit = why_unfit(found.card.text, None, 0, min_score=None, min_tokens=0)
        if unfit is None and repeats.find(item, shown) is None:
            shown.append(item)
            taken.append(found)
    return taken


def active_constraints(gathered: Gathered, cards: Iterable[Found]) -> list[Card]:
    """Return all constraints that were not merged into others, those of the store and those found; weightiest first.

    Of two copies that of the store counts: a retriever may give an old one, or one that has lost its type.
    """
    constraints = {found.card.id: found.card for found in cards}
    constraints |= {card.id: card for card in gathered.constraints}
    return sorted(filter(_is_active, constraints.values()), key=lambda card: (-card.importance, card.id))


def relevant_clusters(clusters: Iterable[Cluster], cards: Iterable[Found]) -> list[Cluster]:
    """Return the clusters that have some of the cards, those with the most of them first, ties by id."""
    there = {found.card.id for found in cards}
    shared = [(len(there.intersection(cluster.card_ids)), cluster) for cluster in clusters]
    ranked = sorted(shared, key=lambda pair: (-pair[0], pair[1].id))
    return [cluster for count, cluster in ranked if count]


def _is_active(card: Card) -> bool:
    return card.type == "constraint" and not card.merged


def _keys(card: Card) -> frozenset[str]:
    return frozenset(key for key in (card.id, card.canonical_id) if key is not None)


def _card_entry(tier: Tier, card: Card, score: float | None) -> Entry:
    return Entry(tier, card.id, card.text, render_item(card.text), _keys(card), card.vector, score, card)


def _cluster_entry(cluster: Cluster) -> Entry:
    line = render_cluster(cluster.title, cluster.summary)
    return Entry("cluster", cluster.id, cluster.summary, line, frozenset([f"cluster {cluster.id}"]))
