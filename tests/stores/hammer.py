"""What the tests of kills and of crowds run in processes of their own: python hammer.py TASK STORE PATH NUMBER."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from brimful.stores.cards import Card
from brimful.stores.filesystem_cards import FilesystemAdapter
from brimful.stores.sqlite_cards import SqliteAdapter

if TYPE_CHECKING:
    from brimful.stores.indexed import CardStore

STORES = {"sqlite": SqliteAdapter, "filesystem": FilesystemAdapter}
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
CARDS = 6
ROUNDS = 5


def write_and_acknowledge(store: CardStore, count: int) -> None:
    """Write cards one by one, and print each id once its card is written."""
    for number in range(count):
        card = Card(f"text {number} " * 20, id=f"card {number}", embedding=[number, 1.0, 0.5])
        store.write_card(card)
        sys.stdout.write(f"{card.id}\n")
        sys.stdout.flush()


def read(store: CardStore, _number: int) -> None:
    """Search, read and record accesses, as a build does."""
    for _ in range(ROUNDS):
        found = store.hybrid_search("shared", [1.0, 0.0], top_k=CARDS, semantic_weight=0.5, keyword_weight=0.5)
        assert len(found) == CARDS
        assert store.record_access([match.id for match in found], NOON) == CARDS


def write(store: CardStore, number: int) -> None:
    """Write new cards, and change the shared ones by old copies."""
    old = store.list_cards()[:CARDS]
    for turn in range(ROUNDS):
        store.write_cards([Card("apart", id=f"new {number} {turn}", embedding=[-1.0, 0.0]), *old])


TASKS = {"acknowledge": write_and_acknowledge, "read": read, "write": write}


def main() -> None:
    """Run one task on one store."""
    task, kind, path, number = sys.argv[1:]
    with STORES[kind](path) as store:
        TASKS[task](store, int(number))


if __name__ == "__main__":
    main()
