"""What the tests of features share: stores of both kinds, reads of both kinds."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from brimful.builders.priority.feature_store import FeatureStore
from brimful.stores.sqlite_features import SqliteFeatures

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from brimful.builders.priority.tracking import Tracker
    from priority_parts import Clock

SECOND = timedelta(seconds=1)
STORES = ["memory", "sqlite"]


def open_store(kind: str, clock: Clock, folder: Path) -> FeatureStore:
    return FeatureStore(None if kind == "memory" else SqliteFeatures(folder / "features.sqlite"), clock=clock)


def reader(kind: str, store: FeatureStore) -> Callable[..., Any]:
    """Read a feature in one of the two ways; both must say the same."""
    if kind == "plain":
        return store.read_feature
    return lambda *args, **options: asyncio.run(store.get_feature(*args, **options))


def noted(tracker: Tracker) -> list[tuple[object, ...]]:
    return [(lineage.feature_name, lineage.value, lineage.freshness_ms, lineage.source) for lineage in tracker.features]
