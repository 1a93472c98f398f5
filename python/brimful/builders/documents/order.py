"""In which order the documents are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from brimful.stages.ordering import edges_first

if TYPE_CHECKING:
    from brimful.builders.documents.builder import ContextManager

REORDERED_FROM: Final = 4
"""Fewer documents stay in the order of their scores."""


def reorder(ranked: list[int], config: ContextManager) -> list[int]:
    """Return the order for reading."""
    return edges_first(ranked) if config.use_lost_in_middle and len(ranked) >= REORDERED_FROM else ranked


def reading_order(items: list[int], config: ContextManager) -> list[int]:
    """Return what was taken from the line in the order for reading: the line has it already, or it comes now."""
    return reorder(items, config) if config.lost_in_middle_first_served else items
