"""What a store keeps in memory to search its cards: a key, a text and an embedding each."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

from brimful.config import show
from brimful.errors import InputError
from brimful.kernels import active
from brimful.stores.matrix import EmbeddingMatrix

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from brimful.stores.fields import Vector

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

SPARSE: Final = 16
"""Rows are moved together once more than one in so many is of a card that is gone."""


class Match(NamedTuple):
    """A card that was found, and how well it matches."""

    id: str
    score: float


class Wanted(NamedTuple):
    """What a search asks for; a part that weighs 0 or is None does not count."""

    embedding: Vector | None = None
    words: str | None = None
    semantic_weight: float = 1.0
    keyword_weight: float = 0.0


class Band(NamedTuple):
    """Which scores are asked for: so many of the best from `threshold` to `ceiling`."""

    top_k: int
    threshold: float | None
    ceiling: float | None

    def possible(self, rough: Floats, margin: float, there: Flags) -> NDArray[np.int64]:
        """Return the rows that may be among them, by scores that may be off by `margin`; NaN says nothing."""
        import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

        highest = np.inf if self.ceiling is None else self.ceiling
        # The k-th best of the rows that are in the band for certain is a floor for all.
        sure = rough[there & (rough <= highest - margin)]
        floors = [-np.inf if self.threshold is None else self.threshold - margin]
        if len(sure) > self.top_k:
            floors.append(_kth(sure, self.top_k) - 2 * margin)
        return np.flatnonzero(there & ~(rough > highest + margin) & ~(rough < max(floors)))

    def chosen(self, rows: NDArray[np.int64], scores: Floats) -> tuple[NDArray[np.int64], Floats]:
        """Return the rows whose exact scores are wanted, and those: all that tie for the last place."""
        import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

        low = -np.inf if self.threshold is None else self.threshold
        high = np.inf if self.ceiling is None else self.ceiling
        inside = (scores >= low) & (scores <= high)
        rows, scores = rows[inside], scores[inside]
        if len(scores) > self.top_k:
            best = scores >= _kth(scores, self.top_k)
            rows, scores = rows[best], scores[best]
        return rows, scores


def _kth(scores: Floats, place: int) -> float:
    """Return the score in that place from the top."""
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    return float(np.partition(scores, len(scores) - place)[len(scores) - place])


class CardIndex:
    """Cards by key, an int that grows from card to card, in rows in the order of the keys.

    A search costs one float32 product of all rows with the query, BM25 of all texts where words count, and what
    decides between those that float32 does not part. Not safe between threads: a store locks it.
    """

    def __init__(self) -> None:
        self._keys = array("q")
        self._texts: list[str] = []
        self._there = bytearray()
        self._embedded = bytearray()
        self._matrix: EmbeddingMatrix | None = None
        self._gone = 0

    def __len__(self) -> int:
        """Return how many cards there are."""
        return len(self._keys) - self._gone

    @property
    def width(self) -> int | None:
        """Components of an embedding; None while there is none."""
        return None if self._matrix is None else self._matrix.width

    def put(self, key: int, text: str, embedding: Vector | None) -> None:
        """Add a card, whose key is above all others, or overwrite the one with that key."""
        if embedding is not None and self._matrix is None:
            self._matrix = EmbeddingMatrix(len(embedding))
            for _ in self._keys:
                self._matrix.append(None)
        row = bisect_left(self._keys, key)
        if row == len(self._keys):
            self._keys.append(key)
            self._texts.append(text)
            self._there.append(True)
            self._embedded.append(embedding is not None)
            if self._matrix is not None:
                self._matrix.append(embedding)
            return
        self._texts[row], self._embedded[row] = text, embedding is not None
        if self._matrix is not None:
            self._matrix.set(row, embedding)

    def remove(self, key: int) -> None:
        """Take a card out, if it is there."""
        row = self._find(key)
        if row is None:
            return
        self._texts[row], self._there[row], self._embedded[row] = "", False, False
        self._gone += 1
        if self._gone * SPARSE > len(self._keys):
            self._compact()

    def embedding(self, key: int) -> Vector | None:
        """Return a copy of a card's embedding."""
        row = self._find(key)
        return None if row is None or self._matrix is None or not self._embedded[row] else self._matrix.row(row)

    def search(
        self,
        wanted: Wanted,
        identify: Callable[[Sequence[int]], Sequence[str]],
        *,
        top_k: int,
        threshold: float | None = None,
        ceiling: float | None = None,
    ) -> list[Match]:
        """Return the best `top_k` cards, best first, ties by id; scores from `threshold` to `ceiling`.

        A score is `semantic_weight * cosine + keyword_weight * BM25 / best BM25`. Without words only cards that have an
        embedding take part. `identify` gives the ids of keys.
        """
        if not top_k or not len(self):
            return []
        band = Band(top_k, threshold, ceiling)
        words = None if wanted.words is None else wanted.keyword_weight * self._score_words(wanted.words)
        rows = band.possible(*self._bound(wanted, words))
        scores = self._decide(wanted, words, rows)
        rows, scores = band.chosen(rows, scores)
        ids = identify([self._keys[row] for row in rows.tolist()])
        found = [Match(*pair) for pair in zip(ids, scores.tolist(), strict=True)]
        return sorted(found, key=lambda match: (-match.score, match.id))[:top_k]

    def _bound(self, wanted: Wanted, words: Floats | None) -> tuple[Floats, float, Flags]:
        """Return scores of all rows, how far they may be off, and which rows take part."""
        import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

        rough, margin = np.zeros(len(self._keys)) if words is None else words, 0.0
        if wanted.embedding is not None and self._matrix is not None:
            self.check_width(wanted.embedding, "embedding")
            bounded = self._matrix.bound(wanted.embedding)
            rough = rough + wanted.semantic_weight * bounded.cosines.astype(np.float64)
            margin = wanted.semantic_weight * bounded.margin
        return rough, margin, _flags(self._embedded if words is None else self._there)

    def _decide(self, wanted: Wanted, words: Floats | None, rows: NDArray[np.int64]) -> Floats:
        """Return the scores of some rows, exactly."""
        import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

        scores: Floats = np.zeros(len(rows))
        if wanted.embedding is not None and self._matrix is not None:
            scores = wanted.semantic_weight * self._matrix.exact(wanted.embedding, rows)
        return scores if words is None else scores + words[rows]

    def _score_words(self, words: str) -> Floats:
        """Return the BM25 score of every row over the best one: 0 for no match, so a match never lowers a score."""
        import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

        rows = np.flatnonzero(_flags(self._there))
        found = active().bm25_scores(words, [self._texts[row] for row in rows.tolist()] if self._gone else self._texts)
        scores = np.zeros(len(self._keys))
        scores[rows] = found / (found.max(initial=0.0) or 1.0)
        return scores

    def check_width(self, embedding: Vector, name: str) -> None:
        """Raise InputError for an embedding that is not as wide as those that are here."""
        if self.width is not None and len(embedding) != self.width:
            message = f"{name} must have {self.width:,} components as those of the store have, got {len(embedding):,}"
            raise InputError(message)

    def _find(self, key: int) -> int | None:
        row = bisect_left(self._keys, key)
        return row if row < len(self._keys) and self._keys[row] == key and self._there[row] else None

    def _compact(self) -> None:
        kept = [row for row, there in enumerate(self._there) if there]
        for place, row in enumerate(kept):
            if self._matrix is not None and place != row:
                self._matrix.set(place, self._matrix.row(row) if self._embedded[row] else None)
        if self._matrix is not None:
            self._matrix.cut(len(kept))
        self._keys = array("q", [self._keys[row] for row in kept])
        self._texts = [self._texts[row] for row in kept]
        self._embedded = bytearray(self._embedded[row] for row in kept)
        self._there = bytearray(b"\1" * len(kept))
        self._gone = 0


def _flags(flags: bytearray) -> Flags:
    """Return a copy: while an array looks at a bytearray, that cannot grow."""
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    return np.frombuffer(bytes(flags), dtype=bool)


def check_top_k(top_k: object) -> int:
    """`top_k`, which must be a whole number of at least 0."""
    if isinstance(top_k, int) and not isinstance(top_k, bool) and top_k >= 0:
        return top_k
    message = f"top_k must be a whole number of at least 0, got {show(top_k)}"
    raise InputError(message)
