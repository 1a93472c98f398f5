"""The values that go in and come out: frozen, comparable, and safe to pickle, copy and share between threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, cast

from brimful.config import as_finite, show
from brimful.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Fate = Literal["included", "truncated", "summarised", "dropped"]
Reason = Literal[
    "fits",
    "required",
    "blank",
    "below_min_score",
    "below_min_tokens",
    "over_limit",
    "over_budget",
    "near_duplicate",
    "same_card",
    "same_meaning",
    "before_a_dropped_turn",
]


def check_score(value: object) -> float | None:
    """`value` as a finite float, or None: a score that is not finite has no place in an order."""
    number = as_finite(value)
    if value is None or number is not None:
        return number
    message = f"score must be a finite number or None, got {show(value)}"
    raise InputError(message)


def _check_str(name: str, value: object, *, optional: bool = False) -> None:
    if not (isinstance(value, str) or (optional and value is None)):
        message = f"{name} must be a str{' or None' if optional else ''}, got {show(value)}"
        raise InputError(message)


@dataclass(frozen=True, slots=True)
class Document:
    """A text that competes for the window.

    `source` is the label that a citation shows, `score` the relevance (higher is better; None: not known),
    `metadata` whatever the caller wants to find again: copied once, read-only, never rendered.

    Raises InputError for a text, id or source that is no `str` and for a score that is not finite.

    >>> Document("To declare War", source="constitution.txt", score=0.9).source
    'constitution.txt'
    """

    text: str
    id: str | None = field(default=None, kw_only=True)
    source: str | None = field(default=None, kw_only=True)
    score: float | None = field(default=None, kw_only=True)
    metadata: Mapping[str, object] = field(default_factory=dict, kw_only=True, hash=False)

    def __post_init__(self) -> None:
        """Check the fields; copy the metadata."""
        _check_str("text", self.text)
        _check_str("id", self.id, optional=True)
        _check_str("source", self.source, optional=True)
        object.__setattr__(self, "score", check_score(self.score))
        if not isinstance(cast("object", self.metadata), Mapping):
            message = f"metadata must be a mapping, got {show(self.metadata)}"
            raise InputError(message)
        object.__setattr__(self, "metadata", MappingProxyType(dict(self.metadata)))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy by value: a read-only mapping can do neither."""
        return _restore_document, (self.text, self.id, self.source, self.score, dict(self.metadata))


def _restore_document(
    text: str, id_: str | None, source: str | None, score: float | None, metadata: Mapping[str, object]
) -> Document:
    return Document(text, id=id_, source=source, score=score, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A row of the trace: what became of one input, why, and the numbers behind it.

    `item` is the index of the document as given. `tokens` counts its text alone. `relevance`
    is what the order of merit went by: the score, or what the words and embeddings say. `citation` is its number in the
    text; `duplicate_of` and `similarity` tell which kept document it repeats. `repaired` says that lone
    surrogates in it were replaced. `tier` is where it came from, for a builder with several sources.
    """

    item: int
    label: str
    fate: Fate
    reason: Reason
    tokens: int
    score: float | None = None
    relevance: float | None = None
    citation: int | None = None
    duplicate_of: int | None = None
    similarity: float | None = None
    repaired: bool = False
    tier: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Where a number in the text leads.

    `items` are the indices of the documents that said it, the shown one first and then its copies in the order of
    the input; `sources` their labels without repeats. `text[start:end]` of the context, in code points, is the
    document's text as shown.
    """

    number: int
    items: tuple[int, ...]
    sources: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NearDuplicates:
    """The verdict on each of n texts, as arrays.

    `kept` int64 indices of the texts that stay, ascending. `duplicate_of` int64, n of them: the earliest kept text
    that the text repeats, -1 for a kept one. `similarity` float64, n of them: how similar those two are, 0 for a
    kept one. `repaired` int64 indices of the texts in which lone surrogates were replaced before comparing.
    """

    kept: NDArray[np.int64]
    duplicate_of: NDArray[np.int64]
    similarity: NDArray[np.float64]
    repaired: NDArray[np.int64]

    def __eq__(self, other: object) -> bool:
        """Compare by value: two results are equal when all their numbers are."""
        if not isinstance(other, NearDuplicates):
            return NotImplemented
        return all(mine.tolist() == its.tolist() for mine, its in zip(_columns(self), _columns(other), strict=True))

    __hash__ = None  # type: ignore[assignment]  # arrays have no hash


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Selection:
    """The candidates selected, in order: int64 `indices`, and float64 `scores` when they were selected."""

    indices: NDArray[np.int64]
    scores: NDArray[np.float64]

    def __eq__(self, other: object) -> bool:
        """Compare by value."""
        if not isinstance(other, Selection):
            return NotImplemented
        mine, its = ((found.indices.tolist(), found.scores.tolist()) for found in (self, other))
        return bool(mine == its)

    __hash__ = None  # type: ignore[assignment]  # arrays have no hash


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextSimilarities:
    """What a selection among n texts goes by, as float64 arrays.

    `scores` (n,): how similar each text is to the query. `pairwise` (m, m): how similar the m chosen texts are to each
    other.
    """

    scores: NDArray[np.float64]
    pairwise: NDArray[np.float64]

    def __eq__(self, other: object) -> bool:
        """Compare by value."""
        if not isinstance(other, TextSimilarities):
            return NotImplemented
        mine, its = ((found.scores.tolist(), found.pairwise.tolist()) for found in (self, other))
        return bool(mine == its)

    __hash__ = None  # type: ignore[assignment]  # arrays have no hash


def _columns(result: NearDuplicates) -> tuple[NDArray[np.int64] | NDArray[np.float64], ...]:
    return result.kept, result.duplicate_of, result.similarity, result.repaired
