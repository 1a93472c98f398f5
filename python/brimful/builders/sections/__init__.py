"""The drop-in for seed 000: profile, memories, documents and history in four sections, each within its own budget."""

from __future__ import annotations

from brimful.builders.sections.builder import ContextBuilder
from brimful.builders.sections.compressor import MemoryCompressor
from brimful.builders.sections.kinds import MemoryPriority, MemoryType
from brimful.builders.sections.memories import MemoryEntry
from brimful.builders.sections.selector import MemorySelector, ScoredMemory, SelectionConfig
from brimful.builders.sections.types import BuiltContext, Document

__all__ = [
    "BuiltContext",
    "ContextBuilder",
    "Document",
    "MemoryCompressor",
    "MemoryEntry",
    "MemoryPriority",
    "MemorySelector",
    "MemoryType",
    "ScoredMemory",
    "SelectionConfig",
]
