"""A conversation over several days, and what its memory brings back on the last of them.

Usage: python conversation_memory.py [FILE]

The memory is a SQLite file, in a folder that is thrown away unless FILE names one. The embedder is a small one without
a model: words hashed to axes. Put your own in its place.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from brimful.builders.memory import Card, Cluster, ContextBuilder, HybridRetriever, SqliteAdapter

if TYPE_CHECKING:
    from collections.abc import Sequence

MONDAY: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)
AXES: Final = 96
SAID: Final[tuple[tuple[int, str, str], ...]] = (
    (0, "preference", "Mara wants short answers, with the command first."),
    (0, "fact", "The shop's web service is called orchard; it runs on three machines in Lisbon."),
    (0, "constraint", "Never deploy orchard between Friday noon and Monday morning."),
    (1, "decision", "Orchard is deployed with Ansible; the playbook is deploy/orchard.yml."),
    (1, "decision", "Orchard is deployed with Ansible, the playbook is deploy/orchard.yml!"),
    (1, "incident", "On Tuesday the deploy of orchard failed: the disk of machine two was full of old logs."),
    (1, "fact", "Old logs are deleted by hand for now; Mara will write a timer for it."),
    (2, "fact", "Mara spends the next weekend in Porto, with her brother who repairs trams there."),
    (2, "preference", "Mara drinks mate, not coffee."),
    (3, "decision", "Passwords of orchard are rotated on the first of each month by the team in Lisbon."),
    (3, "fact", "The trial of the new search engine begins in April."),
)
"""The day, the type and the text of what was worth keeping."""
LAST_TURNS: Final = [
    {"role": "user", "content": "Good morning! It is Friday."},
    {"role": "assistant", "content": "Good morning, Mara."},
    {"role": "user", "content": "How do I deploy orchard, and what went wrong last time?"},
]


class HashedWords:
    """Embeds a text as the axes that its words are hashed to: alike are texts that share words."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one row a text."""
        return [self._embed(text) for text in texts]

    def _embed(self, text: str) -> list[float]:
        row = [0.0] * AXES
        for word in re.findall("[a-z]{4,}", text.lower()):
            row[int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest()) % AXES] += 1.0
        return row


def remember(store: SqliteAdapter, embedder: HashedWords) -> None:
    """Write what was said as cards, and a summary of what belongs together."""
    rows = embedder.embed([text for _, _, text in SAID])
    cards: list[Any] = [
        {
            "text": text,
            "type": kind,
            "id": f"card_{number}",
            "embedding": row,
            "created_at": MONDAY + timedelta(days=day),
        }
        for number, ((day, kind, text), row) in enumerate(zip(SAID, rows, strict=True))
    ]
    store.write_cards([Card.from_dict(card) for card in cards])
    store.write_clusters(
        [
            Cluster(
                id="orchard",
                title="Orchard",
                summary="The shop's web service.",
                card_ids=["card_1", "card_3", "card_5"],
            )
        ]
    )


def talk(path: Path) -> None:
    """Build the context of the last question, and show it with what became of every card."""
    embedder = HashedWords()
    with SqliteAdapter(path) as store:
        remember(store, embedder)
        builder = ContextBuilder(
            HybridRetriever(store, embedder),
            store,
            retrieval_top_k=5,
            embedder=embedder,
            associative_memory=True,
            exploration_band=(0.05, 0.5),
            max_tokens=300,
            model="gpt-4o",
            clock=lambda: MONDAY + timedelta(days=4),
        )
        context = builder.build(LAST_TURNS[-1]["content"], LAST_TURNS, "You help Mara run the shop's servers.")
        for message in context:
            print(f"{message['role']}: {message['content']}\n")
        print(f"{context.tokens} of {context.max_tokens} tokens\n{context.explain()}")
        seen = sum(card.access_count for card in store.list_cards())
        print(f"accesses recorded: {seen}")


def main() -> None:
    """Talk with the memory in the file that is named, or in one that is thrown away."""
    if len(sys.argv) > 1:
        talk(Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        talk(Path(folder) / "memory.sqlite")


if __name__ == "__main__":
    main()
