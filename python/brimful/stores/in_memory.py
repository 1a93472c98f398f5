"""Cards in the memory of one process."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from brimful.stores.cards import Card, Cluster, Edge
from brimful.stores.index import CardIndex
from brimful.stores.indexed import CardStore, check_ids, check_items, check_widths, keep_access
from brimful.stores.moments import read_moment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from brimful.stores.index import Match, Wanted


class InMemoryAdapter(CardStore):
    """A card store that ends with its process. Cards are copied in and out; embeddings are held once.

    >>> store = InMemoryAdapter()
    >>> store.write_card(Card("We deploy with Ansible.", id="card_1", embedding=[1.0, 0.0]))
    >>> store.vector_search([1.0, 1.0], top_k=1)
    [Match(id='card_1', score=0.7071067811865475)]
    """

    def __init__(self) -> None:
        self._lock: Final = threading.RLock()
        self._index = CardIndex()
        self._cards: dict[str, Card] = {}
        self._keys: dict[str, int] = {}
        self._ids: dict[int, str] = {}
        self._clusters: dict[str, Cluster] = {}
        self._edges: dict[tuple[str, str, str], Edge] = {}
        self._next = 0

    def write_cards(self, cards: Iterable[Card]) -> None:
        """Write cards, in one batch; of two with one id the later one."""
        with self._lock:
            listed = check_items("cards", cards, Card)
            check_widths(listed, self._index.width)
            for card in listed:
                old = self._cards.get(card.id)
                if old is None:
                    self._keys[card.id], self._ids[self._next] = self._next, card.id
                    self._next += 1
                self._index.put(self._keys[card.id], card.text, card.vector)
                card.embedding = None
                self._cards[card.id] = keep_access(card, old)

    def read_cards(self, ids: Iterable[str]) -> list[Card]:
        """Return the cards with these ids, in their order; those that are not there are left out."""
        with self._lock:
            return [self._give(id_) for id_ in check_ids(ids) if id_ in self._cards]

    def list_cards(self, *, type: str | None = None) -> list[Card]:  # noqa: A002 - the name of the field
        """Return all cards, or those of a type, in the order of their ids."""
        with self._lock:
            return [self._give(id_) for id_ in sorted(self._cards) if type in (None, self._cards[id_].type)]

    def delete_cards(self, ids: Iterable[str]) -> int:
        """Delete cards; return how many there were."""
        with self._lock:
            there = [id_ for id_ in dict.fromkeys(check_ids(ids)) if id_ in self._cards]
            for id_ in there:
                del self._cards[id_]
                key = self._keys.pop(id_)
                del self._ids[key]
                self._index.remove(key)
            return len(there)

    def record_access(self, ids: Iterable[str], at: datetime) -> int:
        """Count one more access of each card; return how many of them there are."""
        moment = read_moment("at", at)
        with self._lock:
            there = [self._cards[id_] for id_ in check_ids(ids) if id_ in self._cards]
            for card in there:
                card.record_access(moment)
            return len(there)

    def write_clusters(self, clusters: Iterable[Cluster]) -> None:
        """Write clusters, over those with the same id."""
        with self._lock:
            self._clusters |= {cluster.id: cluster for cluster in check_items("clusters", clusters, Cluster)}

    def list_clusters(self) -> list[Cluster]:
        """Return all clusters, in the order of their ids."""
        with self._lock:
            return [self._clusters[id_].own() for id_ in sorted(self._clusters)]

    def write_edges(self, edges: Iterable[Edge]) -> None:
        """Write edges, over those of the same type between the same cards."""
        with self._lock:
            self._edges |= {edge.key: edge for edge in check_items("edges", edges, Edge)}

    def list_edges(self) -> list[Edge]:
        """Return all edges, in the order of their cards and types."""
        with self._lock:
            return [self._edges[key].own() for key in sorted(self._edges)]

    def match_cards(
        self, wanted: Wanted, *, top_k: int, threshold: float | None = None, ceiling: float | None = None
    ) -> list[Match]:
        """Return the best matches; see `CardIndex.search`."""
        with self._lock:
            return self._index.search(wanted, self._identify, top_k=top_k, threshold=threshold, ceiling=ceiling)

    def __len__(self) -> int:
        """Return how many cards there are."""
        return len(self._cards)

    def _identify(self, keys: Sequence[int]) -> list[str]:
        return [self._ids[key] for key in keys]

    def _give(self, id_: str) -> Card:
        card = self._cards[id_].own()
        card.embedding = self._index.embedding(self._keys[id_])
        return card
