"""Search by words and by meaning."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from brimful.builders.memory.failures import Failures, OnError
from brimful.builders.memory.steps import Plan, Step, arun, run
from brimful.config import check_choice, check_share
from brimful.errors import ConfigError, EmbeddingError, InputError
from brimful.stores.fields import read_text
from brimful.stores.index import CardIndex, Match, Wanted, check_top_k
from brimful.stores.indexed import CardStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.protocols import Embedder
    from brimful.stores.cards import Card
    from brimful.stores.fields import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """What a search found, best first: cards and their scores; the query's embedding, and what went wrong."""

    cards: tuple[Card, ...] = ()
    scores: tuple[float, ...] = ()
    embedding: Vector | None = field(default=None, compare=False)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HybridRetriever:
    """Finds cards by words and, where there is an embedder, by meaning.

    A card scores `semantic_weight * cosine + keyword_weight * BM25 / (BM25 of the best card)`; a word that matches
    never lowers it. Without an embedder BM25 counts alone. Cards without an embedding have cosine 0. Cards that score 0
    or less are not found; ties go by id. `on_error="degrade"` goes on by words alone where the embedder fails, with a
    note in `hits`. An adapter that is none of ours may have `list_cards` only: every search reads all of them then.

    Raises ConfigError for a weight outside 0 to 1, or where both are 0.

    >>> from brimful.builders.memory import Card, InMemoryAdapter
    >>> store = InMemoryAdapter()
    >>> store.write_cards([Card("We deploy with Ansible.", id="a"), Card("Ida likes tea.", id="b")])
    >>> [card.id for card in HybridRetriever(store).search("How do we deploy?")]
    ['a']
    """

    adapter: Any
    embedder: Embedder | None = None
    semantic_weight: float = field(default=0.5, kw_only=True)
    keyword_weight: float = field(default=0.5, kw_only=True)
    on_error: OnError = field(default="raise", kw_only=True)

    def __post_init__(self) -> None:
        """Check the options."""
        for name in ("semantic_weight", "keyword_weight"):
            object.__setattr__(self, name, check_share(name, getattr(self, name)))
        if self.semantic_weight == self.keyword_weight == 0:
            message = "one of semantic_weight and keyword_weight must be above 0, got 0 for both"
            raise ConfigError(message)
        check_choice("on_error", self.on_error, get_args(OnError))

    def search(self, query: str, *, top_k: int = 15) -> list[Card]:
        """Return at most `top_k` cards, the best first.

        Raises InputError for a query that is no `str`, EmbeddingError where the embedder fails, StoreError where the
        store does.
        """
        return list(self.hits(query, top_k=top_k).cards)

    async def asearch(self, query: str, *, top_k: int = 15) -> list[Card]:
        """Return the same; an embedder's `aembed` is awaited, everything else runs in threads."""
        return list((await self.ahits(query, top_k=top_k)).cards)

    def hits(self, query: str, *, top_k: int = 15) -> Hits:
        """Return the same with the scores, the query's embedding and notes."""
        return run(self._find(query, top_k))

    async def ahits(self, query: str, *, top_k: int = 15) -> Hits:
        """Return the same as `hits`, without holding up the event loop."""
        return await arun(self._find(query, top_k))

    def _find(self, query: str, top_k: int) -> Plan[Hits]:
        text, count = read_text("query", query), check_top_k(top_k)
        failures = Failures(self.on_error)
        vector = None
        if self.embedder is not None:
            vector = yield from failures.embed(Step(self.embedder, "embed", ([text],)))
        try:
            matches: list[Match] = yield Step(self, "_match", (text, vector, count))
        except InputError as error:  # the query is sound, so it is the embedding
            failures.meet("embedder", EmbeddingError(str(error)))
            vector = None
            matches = yield Step(self, "_match", (text, None, count))
        cards = yield Step(self, "_read", (matches,))
        scores = {match.id: match.score for match in matches}
        return Hits(
            cards=tuple(cards),
            scores=tuple(scores[card.id] for card in cards),
            embedding=vector,
            notes=tuple(failures.notes),
        )

    def _match(self, query: str, vector: Vector | None, top_k: int) -> list[Match]:
        semantic, keyword = (0.0, 1.0) if vector is None else (self.semantic_weight, self.keyword_weight)
        if isinstance(self.adapter, CardStore):
            return self.adapter.hybrid_search(
                query, vector, top_k=top_k, semantic_weight=semantic, keyword_weight=keyword
            )
        return scan(self.adapter.list_cards(), Wanted(vector, query, semantic, keyword), top_k)

    def _read(self, matches: Sequence[Match]) -> list[Card]:
        return read_cards(self.adapter, [match.id for match in matches])


def scan(cards: Sequence[Card], wanted: Wanted, top_k: int) -> list[Match]:
    """Return the best of these cards that score above 0."""
    index = CardIndex()
    for key, card in enumerate(cards):
        index.put(key, card.text, card.vector)
    found = index.search(wanted, lambda keys: [cards[key].id for key in keys], top_k=top_k)
    return [match for match in found if match.score > 0]


def read_cards(adapter: Any, ids: Sequence[str]) -> list[Card]:  # noqa: ANN401 - anybody's
    """Return the cards with these ids, of an adapter that reads them in a batch or one by one."""
    if hasattr(adapter, "read_cards"):
        return list(adapter.read_cards(ids))
    return [card for id_ in ids if (card := adapter.read_card(id_)) is not None]
