"""Near-duplicates as seed 001 finds them, in the plainest form; its parts are for peers that need shingles."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Verdicts: TypeAlias = tuple[list[int], list[float]]

SHINGLE_SIZE: Final = 5
THRESHOLD: Final = 0.85


def naive_verdicts(texts: Sequence[str]) -> Verdicts:
    """Judge as seed 001 says: first by a hash of the content, then against the shingles of every kept text."""
    by_hash: dict[bytes, int] = {}
    kept: dict[int, set[str]] = {}
    verdicts: list[tuple[int, float]] = []
    for position, text in enumerate(texts):
        key = content_hash(text)
        if key in by_hash:
            verdicts.append((by_hash[key], 1.0))
            continue
        own = shingles(text)
        match = first_match(own, kept)
        verdicts.append(match or (-1, 0.0))
        if match is None:
            by_hash[key] = position
            kept[position] = own
    return [origin for origin, _ in verdicts], [similarity for _, similarity in verdicts]


def first_match(own: set[str], kept: dict[int, set[str]]) -> tuple[int, float] | None:
    """Find the earliest kept text that is similar enough."""
    for position, other in kept.items():
        similarity = len(own & other) / len(own | other)
        if similarity >= THRESHOLD:
            return position, similarity
    return None


def content_hash(text: str) -> bytes:
    """Hash a text without regard to capitals and the amount of white space."""
    return hashlib.md5(re.sub(r"\s+", " ", text.lower()).encode(), usedforsecurity=False).digest()


def shingles(text: str) -> set[str]:
    """Return the windows of 5 words."""
    words = text.lower().split()
    return {" ".join(words[at : at + SHINGLE_SIZE]) for at in range(max(1, len(words) - SHINGLE_SIZE + 1))}
