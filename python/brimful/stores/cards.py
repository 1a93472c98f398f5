"""What a memory is made of: cards, clusters of them, and edges between them.

The fields and defaults of `Card` are the documented ones of the system that seed 002 describes. Of its clusters and
edges only the names are known: their fields here are ours.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, cast, get_args

from brimful.stores.fields import (
    CheckedFields,
    optional,
    read_amount,
    read_choice,
    read_count,
    read_id,
    read_names,
    read_share,
    read_text,
    read_vector,
)
from brimful.stores.moments import read_moment, utc_now

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from numpy.typing import ArrayLike

    from brimful.stores.fields import Vector

CardType = Literal["fact", "concept", "decision", "constraint", "preference", "incident"]
CARD_TYPES: Final = get_args(CardType)
MOST_COMPRESSED: Final = 4
"""0 is the text as it was, 1 a summary, 2 bullets, 3 entities and type, 4 an embedding and a title."""


def _new_card_id() -> str:
    return f"card_{uuid.uuid4().hex}"


def _new_cluster_id() -> str:
    return f"cluster_{uuid.uuid4().hex}"


@dataclass(slots=True, eq=False)
class Card(CheckedFields):
    """One memory, a text that stands on its own.

    `importance` and `confidence` are from 0 to 1. `access_count` and `last_accessed` tell how often and when it last
    was in a context, `dwell` how long; `canonical_id` names the card that it was merged into. `embedding` becomes a
    read-only float32 array. Fields may be set anew, and are checked when they are; `id`, `type` and `created_at` are
    read-only.

    Raises InputError that names the field and the value.

    >>> card = Card("We deploy with Ansible.", type="decision", importance=0.8)
    >>> Card.from_dict(card.to_dict()) == card
    True
    >>> card.importance = 2
    Traceback (most recent call last):
    brimful.errors.InputError: importance must be between 0 and 1, got 2
    """

    text: str
    type: CardType = field(default="fact", kw_only=True)
    entities: list[str] = field(default_factory=list, kw_only=True)
    source_turn_ids: list[str] = field(default_factory=list, kw_only=True)
    id: str = field(default_factory=_new_card_id, kw_only=True)
    embedding: ArrayLike | None = field(default=None, kw_only=True, repr=False)
    importance: float = field(default=0.5, kw_only=True)
    confidence: float = field(default=1.0, kw_only=True)
    access_count: int = field(default=0, kw_only=True)
    last_accessed: datetime | None = field(default=None, kw_only=True)
    dwell: float = field(default=0.0, kw_only=True)
    compression_level: int = field(default=0, kw_only=True)
    canonical_id: str | None = field(default=None, kw_only=True)
    created_at: datetime = field(default_factory=utc_now, kw_only=True)
    updated_at: datetime = field(default_factory=utc_now, kw_only=True)

    REQUIRED: ClassVar[tuple[str, ...]] = ("text",)
    FIXED: ClassVar[frozenset[str]] = frozenset({"id", "type", "created_at"})
    CHECKS: ClassVar[Mapping[str, Callable[[str, Any], object]]] = {
        "text": read_text,
        "type": read_choice(*CARD_TYPES),
        "entities": read_names,
        "source_turn_ids": read_names,
        "id": read_id,
        "embedding": optional(read_vector),
        "importance": read_share,
        "confidence": read_share,
        "access_count": read_count,
        "last_accessed": optional(read_moment),
        "dwell": read_amount,
        "compression_level": partial(read_count, high=MOST_COMPRESSED),
        "canonical_id": optional(read_id),
        "created_at": read_moment,
        "updated_at": read_moment,
    }

    @property
    def vector(self) -> Vector | None:
        """The embedding, by the type that it has once it is set."""
        return cast("Vector | None", self.embedding)

    @property
    def merged(self) -> bool:
        """Whether it was merged into another card."""
        return self.canonical_id is not None

    def record_access(self, at: datetime | None = None) -> None:
        """Count one more access, now or at that moment; the last access only moves forward."""
        moment = utc_now() if at is None else read_moment("at", at)
        self.access_count += 1
        self.last_accessed = moment if self.last_accessed is None else max(moment, self.last_accessed)


@dataclass(slots=True, eq=False)
class Cluster(CheckedFields):
    """Cards that belong together, and what they say as a whole.

    >>> Cluster(summary="How we deploy.", card_ids=["card_1", "card_2"]).card_ids
    ['card_1', 'card_2']
    """

    title: str = field(default="", kw_only=True)
    summary: str = field(default="", kw_only=True)
    card_ids: list[str] = field(default_factory=list, kw_only=True)
    id: str = field(default_factory=_new_cluster_id, kw_only=True)
    centroid: ArrayLike | None = field(default=None, kw_only=True, repr=False)
    created_at: datetime = field(default_factory=utc_now, kw_only=True)
    updated_at: datetime = field(default_factory=utc_now, kw_only=True)

    REQUIRED: ClassVar[tuple[str, ...]] = ()
    FIXED: ClassVar[frozenset[str]] = frozenset({"id", "created_at"})
    CHECKS: ClassVar[Mapping[str, Callable[[str, Any], object]]] = {
        "title": read_text,
        "summary": read_text,
        "card_ids": read_names,
        "id": read_id,
        "centroid": optional(read_vector),
        "created_at": read_moment,
        "updated_at": read_moment,
    }


@dataclass(slots=True, eq=False)
class Edge(CheckedFields):
    """How one card bears on another; `contradicts` is the type that tells of a conflict, all others support.

    There is one edge of a type from a card to another. `weight` is from 0 to 1.

    >>> Edge("card_1", "card_2", type="contradicts").weight
    1.0
    """

    source_id: str
    target_id: str
    type: str = field(default="supports", kw_only=True)
    weight: float = field(default=1.0, kw_only=True)
    created_at: datetime = field(default_factory=utc_now, kw_only=True)

    REQUIRED: ClassVar[tuple[str, ...]] = ("source_id", "target_id")
    FIXED: ClassVar[frozenset[str]] = frozenset({"source_id", "target_id", "type", "created_at"})
    CHECKS: ClassVar[Mapping[str, Callable[[str, Any], object]]] = {
        "source_id": read_id,
        "target_id": read_id,
        "type": read_id,
        "weight": read_share,
        "created_at": read_moment,
    }

    @property
    def key(self) -> tuple[str, str, str]:
        """What no two edges of a store share: both cards and the type."""
        return self.source_id, self.target_id, self.type
