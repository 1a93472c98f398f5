"""Greedy removal of near-duplicates, over an inverted index of the kept texts' shingles."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from brimful.kernels._python.facts import Facts, contradict, facts_of
from brimful.kernels._python.jaccard import containment as containment_of
from brimful.kernels._python.jaccard import jaccard
from brimful.kernels._python.shingle import shingle_set
from brimful.kernels._python.text import comparable
from brimful.kernels._python.unicode import lower

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from brimful.config import Shingles, Words
    from brimful.kernels._python.shingle import Shingle


def near_duplicates(
    texts: Sequence[str],
    /,
    *,
    shingle_size: int,
    threshold: float,
    containment: float | None,
    words: Words,
    shingles: Shingles,
    normalize: bool,
    distinguish_facts: bool,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Find the earliest kept text that each text repeats; `contract.Kernels.near_duplicates` specifies it."""
    origins = np.full(len(texts), -1, dtype=np.int64)
    similarities = np.zeros(len(texts), dtype=np.float64)
    kept = KeptTexts(threshold, containment)
    for position, text in enumerate(texts):
        sound = comparable(text, normalize=normalize)
        own = shingle_set(lower(sound), size=shingle_size, words=words, shingles=shingles)
        facts = facts_of(sound) if distinguish_facts else None
        match = kept.find(own, facts)
        if match is None:
            kept.add(position, own, facts)
        else:
            origins[position], similarities[position] = match
    return origins, similarities


@dataclass(slots=True)
class KeptTexts:
    """The texts kept so far, by number in the order of keeping, and which of them has a shingle."""

    threshold: float
    containment: float | None
    positions: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    facts: list[Facts | None] = field(default_factory=list)
    having: defaultdict[Shingle, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, position: int, own: set[Shingle], facts: Facts | None) -> None:
        """Keep a text."""
        number = len(self.positions)
        self.positions.append(position)
        self.sizes.append(len(own))
        self.facts.append(facts)
        for shingle in own:
            self.having[shingle].append(number)

    def find(self, own: set[Shingle], facts: Facts | None) -> tuple[int, float] | None:
        """Find the earliest kept text that `own` repeats, and their similarity."""
        shared: Counter[int] = Counter()
        for shingle in own:
            shared.update(self.having.get(shingle, ()))
        for number in self._candidates(shared):
            similarity = self._repeats(shared[number], len(own), self.sizes[number])
            other = self.facts[number]
            if similarity is None or (facts and other and contradict(facts, other)):
                continue
            return self.positions[number], similarity
        return None

    def _candidates(self, shared: Counter[int]) -> Iterable[int]:
        """Give the kept texts in question, earliest first: at a bound of 0 even those that share nothing."""
        if self.threshold <= 0 or (self.containment is not None and self.containment <= 0):
            return range(len(self.positions))
        return sorted(shared)

    def _repeats(self, shared: int, own: int, other: int) -> float | None:
        similarity = jaccard(shared, own, other)
        if similarity >= self.threshold:
            return similarity
        similarity = containment_of(shared, own)
        if self.containment is not None and similarity >= self.containment:
            return similarity
        return None
