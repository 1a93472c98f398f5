"""What all card stores of ours do alike: searches over their index, and single cards by way of batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Self, TypeVar, cast

from brimful.config import as_finite, show
from brimful.errors import InputError
from brimful.kernels.texts import is_unordered
from brimful.stores.fields import CheckedFields, read_id, read_text, read_vector
from brimful.stores.index import Match, Wanted, check_top_k
from brimful.stores.matrix import cosine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from types import TracebackType

    from numpy.typing import ArrayLike

    from brimful.stores.cards import Card, Cluster, Edge

Item = TypeVar("Item", bound=CheckedFields)


class CardStore(ABC):
    """A store of cards, clusters and edges; safe to share between threads.

    Embeddings are float32, and all of one store have as many components as the first that was written. A card that is
    written over another with its id takes its place, but never lowers its `access_count` nor sets its `last_accessed`
    back: who wrote an old copy does not undo what others recorded. Ids, not places, break ties.

    Raises InputError for what cannot be stored or searched for, with its index, before anything is written; StoreError
    where the store fails.
    """

    @abstractmethod
    def write_cards(self, cards: Iterable[Card]) -> None:
        """Write cards, in one batch; of two with one id the later one."""

    @abstractmethod
    def read_cards(self, ids: Iterable[str]) -> list[Card]:
        """Return the cards with these ids, in their order; those that are not there are left out."""

    @abstractmethod
    def list_cards(self, *, type: str | None = None) -> list[Card]:  # noqa: A002 - the name of the field
        """Return all cards, or those of a type, in the order of their ids."""

    @abstractmethod
    def delete_cards(self, ids: Iterable[str]) -> int:
        """Delete cards; return how many there were."""

    @abstractmethod
    def record_access(self, ids: Iterable[str], at: datetime) -> int:
        """Count one more access of each card, in one batch; return how many of them there are."""

    @abstractmethod
    def write_clusters(self, clusters: Iterable[Cluster]) -> None:
        """Write clusters, over those with the same id."""

    @abstractmethod
    def list_clusters(self) -> list[Cluster]:
        """Return all clusters, in the order of their ids."""

    @abstractmethod
    def write_edges(self, edges: Iterable[Edge]) -> None:
        """Write edges, over those of the same type between the same cards."""

    @abstractmethod
    def list_edges(self) -> list[Edge]:
        """Return all edges, in the order of their cards and types."""

    @abstractmethod
    def match_cards(
        self, wanted: Wanted, *, top_k: int, threshold: float | None = None, ceiling: float | None = None
    ) -> list[Match]:
        """Return the best matches; see `CardIndex.search`."""

    @abstractmethod
    def __len__(self) -> int:
        """Return how many cards there are."""

    def close(self) -> None:  # noqa: B027 - most have nothing to let go of
        """Let go of what is held open."""

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Close it."""
        self.close()

    def write_card(self, card: Card) -> None:
        """Write one card."""
        self.write_cards([card])

    def read_card(self, id: str) -> Card | None:  # noqa: A002 - the name of the field
        """Return the card with this id, None where there is none."""
        return next(iter(self.read_cards([id])), None)

    def vector_search(
        self, embedding: ArrayLike, *, top_k: int, threshold: float | None = None, ceiling: float | None = None
    ) -> list[Match]:
        """Return the `top_k` cards nearest to an embedding by cosine, within both limits, nearest first."""
        vector = read_vector("embedding", embedding)
        limits = {"threshold": threshold, "ceiling": ceiling}
        for name, limit in limits.items():
            if limit is not None and as_finite(limit) is None:
                message = f"{name} must be a finite number or None, got {show(limit)}"
                raise InputError(message)
        return self.match_cards(Wanted(vector), top_k=check_top_k(top_k), threshold=threshold, ceiling=ceiling)

    def keyword_search(self, query: str, *, top_k: int) -> list[Match]:
        """Return the `top_k` cards that share words with the query, by BM25 over that of the best, best first."""
        return self.hybrid_search(query, None, top_k=top_k, semantic_weight=0.0, keyword_weight=1.0)

    def hybrid_search(
        self, query: str, embedding: ArrayLike | None, *, top_k: int, semantic_weight: float, keyword_weight: float
    ) -> list[Match]:
        """Return the `top_k` best cards by weighted cosine and BM25 over that of the best; scores above 0 only."""
        vector = None if embedding is None else read_vector("embedding", embedding)
        wanted = Wanted(vector, read_text("query", query), semantic_weight, keyword_weight)
        return [match for match in self.match_cards(wanted, top_k=check_top_k(top_k)) if match.score > 0]

    def similarity(self, one: ArrayLike, other: ArrayLike) -> float:
        """Return the cosine of two embeddings: 0 where one of them is zero.

        Raises InputError where they differ in length.
        """
        first, second = read_vector("one", one), read_vector("other", other)
        if len(first) != len(second):
            message = f"other must have {len(first):,} components as one has, got {len(second):,}"
            raise InputError(message)
        return cosine(first, second)


def check_widths(cards: Sequence[Card], width: int | None) -> None:
    """Raise InputError, with the card's index, for embeddings that are not all of one width, that of the store."""
    for index, card in enumerate(cards):
        if card.vector is None:
            continue
        width = len(card.vector) if width is None else width
        if len(card.vector) != width:
            message = (
                f"cards[{index}].embedding must have {width:,} components as those of the store have, "
                f"got {len(card.vector):,}"
            )
            raise InputError(message)


def check_items(name: str, items: object, kind: type[Item]) -> list[Item]:
    """`items` as a list of copies, each of that kind; a mapping is read as one.

    Raises InputError that names the item.
    """
    if is_unordered(items):
        message = f"{name} must be {kind.__name__}s in an order, got {show(items)}"
        raise InputError(message)
    return [_read_item(f"{name}[{index}]", item, kind) for index, item in enumerate(cast("Iterable[object]", items))]


def _read_item(place: str, item: object, kind: type[Item]) -> Item:
    if isinstance(item, kind):
        try:
            return item.own()
        except InputError as error:
            message = f"{place}.{error}"
            raise InputError(message) from None
    if isinstance(item, Mapping):
        return kind.from_dict(item, name=place)
    message = f"{place} must be a {kind.__name__} or a mapping, got {show(item)}"
    raise InputError(message)


def keep_access(card: Card, old: Card | None) -> Card:
    """Return the card with the accesses of the one it takes the place of, where those are more and later."""
    if old is not None:
        card.access_count = max(card.access_count, old.access_count)
        moments = [moment for moment in (card.last_accessed, old.last_accessed) if moment is not None]
        card.last_accessed = max(moments, default=None)
    return card


def check_ids(ids: object) -> list[str]:
    """`ids` as a list, each an id."""
    if is_unordered(ids):
        message = f"ids must be ids in an order, got {show(ids)}"
        raise InputError(message)
    return [read_id(f"ids[{index}]", id_) for index, id_ in enumerate(cast("Iterable[object]", ids))]
