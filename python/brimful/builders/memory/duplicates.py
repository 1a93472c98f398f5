"""Which items repeat one that is shown already: by id, by what they were merged into, by meaning, by text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from brimful.kernels import active
from brimful.stores.matrix import cosines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.builders.memory.entries import Entry
    from brimful.config import NearDuplicateOptions
    from brimful.types import Reason


class Repeat(NamedTuple):
    """Which entry is repeated, in which way, and how similar both are."""

    of: int
    reason: Reason
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Repeats:
    """Compares entries with those that are shown.

    Constraints are the same only as cards and to the letter: two that sound alike may forbid different things.
    """

    entries: Sequence[Entry]
    least_similarity: float | None
    texts: NearDuplicateOptions | None
    unlike: bool
    """Whether no text repeats an earlier one."""

    def find(self, item: int, shown: Sequence[int]) -> Repeat | None:
        """Return what an entry repeats among those that are shown, the earliest by the first rule that applies."""
        entry = self.entries[item]
        for other in shown:
            if self.entries[other].keys & entry.keys:
                return Repeat(other, "same_card")
        if entry.required:
            return self._same_words(item, shown)
        return self._same_meaning(item, shown) or self._same_text(item, shown)

    def _same_words(self, item: int, shown: Sequence[int]) -> Repeat | None:
        text = self.entries[item].text
        same = (other for other in shown if self.entries[other].text == text)
        return next((Repeat(other, "near_duplicate", 1.0) for other in same), None)

    def _same_meaning(self, item: int, shown: Sequence[int]) -> Repeat | None:
        import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

        vector = self.entries[item].vector
        if self.least_similarity is None or vector is None:
            return None
        rows = {other: row for other in shown if (row := self.entries[other].vector) is not None}
        alike = [other for other, row in rows.items() if len(row) == len(vector)]
        if not alike:
            return None
        similar = zip(alike, cosines(vector, np.stack([rows[other] for other in alike])).tolist(), strict=True)
        return next(
            (Repeat(other, "same_meaning", cosine) for other, cosine in similar if cosine >= self.least_similarity),
            None,
        )

    def _same_text(self, item: int, shown: Sequence[int]) -> Repeat | None:
        if self.texts is None or self.unlike:
            return None
        for other in shown:  # one by one: among several at once a repeat of a repeat is not compared with
            pair = [self.entries[other].text, self.entries[item].text]
            found = active().near_duplicates(pair, self.texts)
            if found.duplicate_of[1] == 0:
                return Repeat(other, "near_duplicate", float(found.similarity[1]))
        return None


def compare_entries(
    entries: Sequence[Entry], least_similarity: float | None, texts: NearDuplicateOptions | None
) -> Repeats:
    """Return what compares these entries; one pass over all texts tells whether any two need a closer look."""
    unlike = (
        texts is None
        or not (active().near_duplicates([entry.text for entry in entries], texts).duplicate_of >= 0).any()
    )
    return Repeats(entries, least_similarity, texts, bool(unlike))
