"""Seed 003: prioritised items under a budget, features and their freshness, records of what was sent.

The public names. Each is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from brimful.builders.priority.decorator import context as context
    from brimful.builders.priority.feature_store import FeatureStore as FeatureStore
    from brimful.builders.priority.features import feature as feature
    from brimful.builders.priority.lineage import ContextLineage as ContextLineage
    from brimful.builders.priority.lineage import DocumentLineage as DocumentLineage
    from brimful.builders.priority.lineage import FeatureLineage as FeatureLineage
    from brimful.builders.priority.lineage import RetrieverLineage as RetrieverLineage
    from brimful.builders.priority.replaying import areplay as areplay
    from brimful.builders.priority.replaying import replay as replay
    from brimful.builders.priority.result import Context as Context
    from brimful.builders.priority.retrievers import retriever as retriever
    from brimful.builders.priority.types import ContextItem as ContextItem
    from brimful.builders.priority.types import DroppedItem as DroppedItem
    from brimful.builders.priority.types import ItemDecision as ItemDecision
    from brimful.errors import FreshnessError as FreshnessError
    from brimful.errors import FreshnessError as FreshnessSLAError
    from brimful.stores.feature_memory import InMemoryFeatures as InMemoryFeatures
    from brimful.stores.sqlite_features import SqliteFeatures as SqliteFeatures

_HERE: Final = "brimful.builders.priority"
_HOMES: Final = {
    "Context": (f"{_HERE}.result", "Context"),
    "ContextItem": (f"{_HERE}.types", "ContextItem"),
    "ContextLineage": (f"{_HERE}.lineage", "ContextLineage"),
    "DocumentLineage": (f"{_HERE}.lineage", "DocumentLineage"),
    "DroppedItem": (f"{_HERE}.types", "DroppedItem"),
    "FeatureLineage": (f"{_HERE}.lineage", "FeatureLineage"),
    "FeatureStore": (f"{_HERE}.feature_store", "FeatureStore"),
    "FreshnessError": ("brimful.errors", "FreshnessError"),
    "FreshnessSLAError": ("brimful.errors", "FreshnessError"),
    "InMemoryFeatures": ("brimful.stores.feature_memory", "InMemoryFeatures"),
    "ItemDecision": (f"{_HERE}.types", "ItemDecision"),
    "RetrieverLineage": (f"{_HERE}.lineage", "RetrieverLineage"),
    "SqliteFeatures": ("brimful.stores.sqlite_features", "SqliteFeatures"),
    "areplay": (f"{_HERE}.replaying", "areplay"),
    "context": (f"{_HERE}.decorator", "context"),
    "feature": (f"{_HERE}.features", "feature"),
    "replay": (f"{_HERE}.replaying", "replay"),
    "retriever": (f"{_HERE}.retrievers", "retriever"),
}

__all__ = [
    "Context",
    "ContextItem",
    "ContextLineage",
    "DocumentLineage",
    "DroppedItem",
    "FeatureLineage",
    "FeatureStore",
    "FreshnessError",
    "FreshnessSLAError",
    "InMemoryFeatures",
    "ItemDecision",
    "RetrieverLineage",
    "SqliteFeatures",
    "areplay",
    "context",
    "feature",
    "replay",
    "retriever",
]


def __getattr__(name: str) -> object:
    """Import a public name from its home; raises AttributeError for any other."""
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    module, attribute = _HOMES[name]
    value = getattr(importlib.import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted({*globals(), *_HOMES})
