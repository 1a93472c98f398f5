"""The front door: what a context is made of, read once; what cannot be shown in a line is left out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from brimful.config import show
from brimful.errors import InputError
from brimful.kernels.texts import plain_text
from brimful.stages.inputs import read_field, read_items


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a build works on: contents with sources, contents of memories, turns (None for what is none)."""

    profile: str
    memories: list[object]
    documents: list[tuple[object, object]]
    history: list[Mapping[str, object] | None]
    query: str | None


def gather(*, documents: object, memories: object, history: object, profile: object, query: str | None) -> Gathered:
    """Read the arguments of `build`: None is nothing, and an iterator will do.

    Raises InputError for what is in no order, for a document without `page_content` and a memory without `content`,
    with the index, and for a profile that is no text.
    """
    if profile and not isinstance(profile, str):
        message = f"user_profile_text must be a str or None, got {show(profile)}"
        raise InputError(message)
    return Gathered(
        plain_text(profile) if isinstance(profile, str) else "",
        read_field("memories", read_items("memories", memories), "content", "a MemoryEntry"),
        _read_documents(documents),
        [turn if isinstance(turn, Mapping) else None for turn in read_items("history", history)],
        query,
    )


def _read_documents(documents: object) -> list[tuple[object, object]]:
    items = read_items("documents", documents)
    contents = read_field("documents", items, "page_content", "a Document")
    return [(content, _source_of(item)) for content, item in zip(contents, items, strict=True)]


def _source_of(document: Any) -> object:  # noqa: ANN401 - whatever has a content
    metadata = getattr(document, "metadata", None)
    return metadata.get("source") if isinstance(metadata, Mapping) else None
