"""What parts of others gave: read item by item, refused or noted where it cannot be used."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from brimful.builders.memory.retriever import read_cards
from brimful.config import as_finite, show
from brimful.errors import InputError
from brimful.kernels.texts import is_unordered
from brimful.stores.cards import Card, Cluster
from brimful.stores.index import Match

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.builders.memory.failures import Failures, Part

Item = TypeVar("Item", Card, Cluster)


@dataclass(frozen=True, slots=True)
class CardReader:
    """Reads cards of anybody's adapter, in one step."""

    adapter: Any

    def read(self, ids: Sequence[str]) -> list[Card]:
        """Return the cards with these ids."""
        return read_cards(self.adapter, ids) if ids else []


def read_items(part: Part, source: str, found: object, kind: type[Item], failures: Failures) -> list[Item]:
    """Return what a part gave as items of a kind; a mapping is read as one."""
    what = f"{kind.__name__.lower()}s"
    items = []
    for index, item in enumerate(_list_given(part, source, found, what, failures)):
        try:
            items.append(item if isinstance(item, kind) else kind.from_dict(cast("Mapping[str, Any]", item)))
        except InputError as error:
            failures.refuse(part, f"{source} must give {what}, got {show(item)} at {index}: {error}", error)
    return items


def read_asked(found: object, asked: Container[str], failures: Failures) -> list[Card]:
    """Return the cards that an adapter read; one that it was not asked for is none of them."""
    cards = []
    for card in read_items("store", "read_cards", found, Card, failures):
        if card.id in asked:
            cards.append(card)
        else:
            failures.refuse("store", f"read_cards gave {show(card.id)}, which it was not asked for")
    return cards


def read_matches(found: object, failures: Failures) -> list[Match]:
    """Return matches as ours: an adapter may give pairs, or mappings with `id` and `similarity`."""
    read = []
    for match in cast("list[Any]", _list_given("store", "vector_search", found, "matches", failures)):
        try:
            id_, score = (match["id"], match["similarity"]) if isinstance(match, Mapping) else match
            number = as_finite(score)
            if not isinstance(id_, str) or number is None:
                raise TypeError  # noqa: TRY301 - one message for all of it
        except (KeyError, TypeError, ValueError):
            failures.refuse("store", f"vector_search must give (id, score), got {show(match)}")
        else:
            read.append(Match(id_, number))
    return read


def _list_given(part: Part, source: str, found: object, what: str, failures: Failures) -> list[object]:
    """Return what a part gave as a list: it may give one by one, and fail on the way."""
    if is_unordered(found):
        failures.refuse(part, f"{source} must give {what} in an order, got {show(found)}")
        return []
    try:
        return list(cast("Iterable[object]", found))
    except Exception as error:  # noqa: BLE001 - it may be anybody's
        failures.meet(part, error)
    return []
