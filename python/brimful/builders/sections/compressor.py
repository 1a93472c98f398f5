"""`MemoryCompressor`: fewer memories that say the same, without a model."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from brimful.builders.qualified import Qualified
from brimful.builders.sections.kinds import MemoryType
from brimful.builders.sections.memories import MemoryEntry
from brimful.config import check_callable, check_number, show
from brimful.errors import ConfigError
from brimful.kernels.vectors import as_row, as_rows, check_finite_rows
from brimful.render.sections import Roles, describe_memory
from brimful.stages.inputs import check_fields, read_items
from brimful.stages.similarity import cosines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from brimful.kernels.vectors import Rows

LEAST_CHARACTERS: Final = 10
LEAST_WORDS: Final = 3
LEAST_ALPHANUMERIC: Final = 0.3
"""Of the characters of a memory; with less, or fewer of the others, it is noise."""

BETWEEN: Final = " | "
SUMMARY_PART: Final = 80
SUMMARY: Final = 500
"""Characters of a memory in a summary, and of the summary."""

SUMMARY_BOOST: Final = 0.1
SPOKEN: Final = Roles("user", "assistant")


def is_noise(entry: MemoryEntry) -> bool:
    """Return whether a memory says too little: shorter than 10 characters or 3 words, or mostly signs.

    Letters and numbers are those of this Python's Unicode.

    >>> is_noise(MemoryEntry("ok, thanks", 0.0, MemoryType.WORKING))
    True
    """
    text = str(entry.content).strip()
    if len(text) < LEAST_CHARACTERS or len(text.split()) < LEAST_WORDS:
        return True
    return sum(character.isalnum() for character in text) / len(text) < LEAST_ALPHANUMERIC


@dataclass(repr=False, eq=False)
class MemoryCompressor(Qualified):
    """Drops noise, merges memories with nearly the same embedding, and puts many in one, all without a model.

    `llm` is there for the order of the arguments and must be None. Two memories whose embeddings have a cosine of at
    least `merge_similarity_threshold` are merged. `tenant_id` is written into the metadata of new memories. Added:
    `clock` gives their timestamp. Holds nothing but its configuration. Raises ConfigError for an option out of range.
    """

    llm: object = None
    merge_similarity_threshold: float = 0.92
    tenant_id: str = "default"
    clock: Callable[[], float] = field(default=time.time, kw_only=True)

    def __post_init__(self) -> None:
        """Check the fields."""
        if self.llm is not None:
            message = f"llm must be None, got {show(self.llm)}\nhint: summaries by a model are not part of this package"
            raise ConfigError(message)
        check_number("merge_similarity_threshold", self.merge_similarity_threshold)
        check_callable("clock", self.clock)

    def remove_noise(self, entries: Iterable[MemoryEntry]) -> tuple[list[MemoryEntry], int]:
        """Return the memories that say something, and how many do not. Linear."""
        listed = _read_entries(entries)
        clean = [entry for entry in listed if not is_noise(entry)]
        return clean, len(listed) - len(clean)

    def merge_duplicates(self, entries: Iterable[MemoryEntry]) -> tuple[list[MemoryEntry], int]:
        """Return the memories after merging, and how many pairs were merged.

        Each is merged with the first later one that is near enough, once. Those without an embedding come first.
        O(n^2 d) for n embeddings of d components.

        Raises InputError for embeddings that differ in length or have a component that is not finite.

        >>> compressor = MemoryCompressor(clock=lambda: 0.0)
        >>> tea, cup = (MemoryEntry(text, 0.0, MemoryType.SEMANTIC, embedding=[1.0, 0.1]) for text in ("tea", "cup"))
        >>> [entry.content["merged"] for entry in compressor.merge_duplicates([tea, cup])[0]]
        ['tea | cup']
        """
        listed = _read_entries(entries)
        places = [index for index, entry in enumerate(listed) if entry.has_embedding]
        placed = [listed[index] for index in places]
        partners = self._find_partners(_read_embeddings(listed, places)) if places else {}
        result = [entry for entry in listed if not entry.has_embedding]
        merged = set(partners.values())
        for index, entry in enumerate(placed):
            if index in partners:
                result.append(self._merge(entry, placed[partners[index]]))
            elif index not in merged:
                result.append(entry)
        return result, len(partners)

    def summarise(
        self,
        entries: Iterable[MemoryEntry],
        max_tokens: int = 256,
        target_type: MemoryType = MemoryType.LONG_TERM,
    ) -> MemoryEntry | None:
        """Return one memory with the beginnings of all, None where there is none. `max_tokens` is for a model's only.

        >>> entries = [MemoryEntry(text, 0.0, MemoryType.WORKING) for text in ("likes tea", "has a cat")]
        >>> MemoryCompressor(clock=lambda: 0.0).summarise(entries).content
        {'summary': 'likes tea | has a cat', 'source_count': 2}
        """
        del max_tokens
        listed = _read_entries(entries)
        if not listed:
            return None
        text = BETWEEN.join(str(entry.content)[:SUMMARY_PART] for entry in listed)[:SUMMARY]
        total = 0.0
        for entry in listed:
            total += entry.importance
        return MemoryEntry(
            {"summary": text, "source_count": len(listed)},
            self.clock(),
            target_type,
            min(1.0, total / len(listed) + SUMMARY_BOOST),
            tags=["compressed", "summary"],
            metadata={"tenant_id": self.tenant_id, "source_ids": [entry.id for entry in listed]},
        )

    def compress_batch(
        self,
        entries: Iterable[MemoryEntry],
        *,
        remove_noise: bool = True,
        merge: bool = True,
        summarise: bool = False,
        summarise_threshold: int = 20,
    ) -> dict[str, Any]:
        """Return what is left (`entries`) after the steps asked for, and what each did.

        `noise_removed` and `merges` are numbers; `summarised` says whether more than `summarise_threshold` were left
        and became one.
        """
        kept, noise, merges = _read_entries(entries), 0, 0
        if remove_noise:
            kept, noise = self.remove_noise(kept)
        if merge:
            kept, merges = self.merge_duplicates(kept)
        summary = self.summarise(kept) if summarise and len(kept) > summarise_threshold else None
        return {
            "noise_removed": noise,
            "merges": merges,
            "summarised": summary is not None,
            "entries": kept if summary is None else [summary],
        }

    def _find_partners(self, rows: Rows) -> dict[int, int]:
        """Return, for each embedding that is merged with a later one, which that is."""
        partners: dict[int, int] = {}
        free = [True] * len(rows)
        for index in range(len(rows) - 1):
            if not free[index]:
                continue
            near = cosines(rows[index], rows[index + 1 :])
            found = (later for later, cosine in enumerate(near, index + 1) if free[later] and self._is_near(cosine))
            if (partner := next(found, None)) is not None:
                partners[index], free[partner] = partner, False
        return partners

    def _is_near(self, cosine: float) -> bool:
        return cosine >= self.merge_similarity_threshold

    def _merge(self, one: MemoryEntry, other: MemoryEntry) -> MemoryEntry:
        """Return a memory of two: both texts, the greater importance, the tags of both in their order."""
        text = BETWEEN.join(describe_memory(entry.content, SPOKEN) for entry in (one, other))
        return MemoryEntry(
            {"merged": text, "sources": [one.id, other.id]},
            self.clock(),
            one.memory_type,
            max(one.importance, other.importance),
            tags=list(dict.fromkeys([*one.tags, *other.tags])),
            metadata={"tenant_id": self.tenant_id, "merged_from": [one.id, other.id]},
        )


def _read_entries(entries: object) -> list[MemoryEntry]:
    listed = read_items("entries", entries)
    for index, entry in enumerate(listed):
        check_fields(f"entries[{index}]", entry, ("content", "id", "importance", "has_embedding"), "a MemoryEntry")
    return listed


def _read_embeddings(entries: Sequence[MemoryEntry], places: Sequence[int]) -> Rows:
    """Return the embeddings of the entries at these places.

    Raises InputError for one of another length than the first and for a component that is no finite number, each with
    the index of the entry.
    """
    given = [cast("Sequence[float]", entries[place].embedding) for place in places]
    like = as_rows([[0.0] * len(given[0])])
    for place, embedding in zip(places, given, strict=True):
        name = f"entries[{place}].embedding"
        check_finite_rows(as_row(embedding, like=like, name=name, of="embeddings before it"), name=name)
    return as_rows(given, name="embeddings")
