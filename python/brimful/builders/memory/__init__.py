"""An agent's memory as messages: the drop-in for the system of seed 002, with real stores."""

from __future__ import annotations

from brimful.builders.memory.builder import ContextBuilder
from brimful.builders.memory.context import MemoryContext
from brimful.builders.memory.exposure import ExposureTracker
from brimful.builders.memory.retriever import Hits, HybridRetriever
from brimful.render.memory import MemoryWords
from brimful.stores.cards import Card, Cluster, Edge
from brimful.stores.filesystem_cards import FilesystemAdapter
from brimful.stores.in_memory import InMemoryAdapter
from brimful.stores.index import Match
from brimful.stores.sqlite_cards import SqliteAdapter

__all__ = [
    "Card",
    "Cluster",
    "ContextBuilder",
    "Edge",
    "ExposureTracker",
    "FilesystemAdapter",
    "Hits",
    "HybridRetriever",
    "InMemoryAdapter",
    "Match",
    "MemoryContext",
    "MemoryWords",
    "SqliteAdapter",
]
