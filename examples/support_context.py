"""What a help desk sent to its model, and the proof of it a week later.

Usage: python support_context.py [FOLDER]

Features of customers and the records of contexts are SQLite files, in a folder that is thrown away unless FOLDER names
one. The clock is a made-up one, so that every run prints the same but for ids and hashes. Look at the records with
`brimful context list --store FOLDER/records.sqlite`.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from brimful.builders.priority import ContextItem, FeatureStore, SqliteFeatures, areplay, context, retriever
from brimful.records import SigningKey, SqliteRecordStore, diff, explain

KEY: Final = SigningKey("a key that is kept elsewhere", "2026-03")
MANUAL: Final = {
    "refund": "Refunds are paid within 14 days, to the card that was charged.",
    "delivery": "Parcels to Lisbon take two days, to the islands five.",
    "opening": "The desk answers from 8 to 18 o'clock.",
}
HISTORY: Final = "The customer asked about a late parcel last week, and about an invoice before that. " * 6


class Clock:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return the moment it shows."""
        return self.now


async def main(folder: Path) -> None:
    """Answer twice, a week apart, and show what the first answer was made from."""
    clock = Clock()
    with (
        SqliteFeatures(folder / "features.sqlite") as values,
        SqliteRecordStore(folder / "records.sqlite") as records,
    ):
        store = FeatureStore(values, records=records, signing_key=KEY, clock=clock)

        @store.feature(ttl="1d")
        def open_orders(customer: str) -> int:
            return len(customer) % 3

        @retriever(store)
        async def search_manual(query: str) -> list[dict[str, str]]:
            words = query.lower().split()
            return [{"id": name, "text": text} for name, text in MANUAL.items() if name in words]

        @context(store, max_tokens=90, freshness_sla="1h", evidence="required", backfill=True)
        async def answer(customer: str, query: str) -> list[ContextItem]:
            tier = await store.get_feature("tier", customer)
            orders = await store.get_feature("open_orders", customer)
            passages = await search_manual(query)
            return [
                ContextItem("You answer for a shop. Be brief.", required=True, source_id="system"),
                *(
                    ContextItem(passage["text"], priority=1, required=True, source_id=f"manual:{passage['id']}")
                    for passage in passages
                ),
                ContextItem(HISTORY, priority=3, source_id="history"),
                ContextItem(f"The customer is {tier}, with {orders} open orders.", priority=2, source_id="customer"),
            ]

        await store.set_feature("tier", "mara", "gold")
        first = await answer("mara", "when is my refund")
        print(first.content)
        print(f"{first.meta['token_usage']} of {first.meta['max_tokens']} tokens, {first.meta['freshness_status']}\n")

        clock.now += timedelta(days=7)
        await store.set_feature("tier", "mara", "silver", event_time=clock.now - timedelta(hours=2))
        second = await answer("mara", "when is my refund")
        for violation in second.meta["freshness_violations"]:
            print(f"{violation['feature']} is {violation['age_ms']:,} ms old, over {violation['sla_ms']:,}\n")

        record, later = records.read(first.id), records.read(second.id)
        proof = records.verify(first.id, keys=[KEY])
        if record is None or later is None or proof is None:  # evidence is required: all are there
            raise SystemExit(1)
        print(*explain(record).lines()[1:], sep="\n")
        print(f"\nfrom then to now: {diff(record, later).change_summary}")
        print(f"verified: {proof.ok}")
        again = await areplay(record, store=store)
        print(f"replayed as of then, to the letter: {again.content == first.content}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(main(Path(sys.argv[1])))
    else:
        with tempfile.TemporaryDirectory() as thrown_away:
            asyncio.run(main(Path(thrown_away)))
