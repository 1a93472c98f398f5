"""The drop-in for seed 001: retrieved documents become an ordered, deduplicated, numbered block within a budget."""

from __future__ import annotations

from brimful.builders.documents.builder import ContextManager
from brimful.builders.documents.types import ContextResult, Document, Message, PromptRequest

__all__ = ["ContextManager", "ContextResult", "Document", "Message", "PromptRequest"]
