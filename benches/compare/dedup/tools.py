"""The tools that are held against each other: how each is called to keep the texts that repeat no earlier one.

Five-word shingles, Jaccard at least 0.85, greedy in the order of the texts. rensa, datasketch and SetSimilaritySearch
take shingles, which a user makes in Python; gaoya and polars make them themselves. MinHash signatures have 128 hashes.
"""

from __future__ import annotations

import functools
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from compare.dedup.verdicts import Verdicts
from naive_form import SHINGLE_SIZE, THRESHOLD, content_hash, naive_verdicts, shingles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

BATCH: Final = 2_000
"""Texts that are shingled at once: all of them would take more memory than the rest of the work."""
HASHES: Final = 128
OURS: Final = "brimful"
FLAGSHIP: Final = "brimful, flagship"
OPTIONS: Final[Mapping[str, dict[str, Any]]] = {
    OURS: {},
    FLAGSHIP: {"threshold": 0.5, "containment": 0.8, "words": "alphanumeric", "distinguish_facts": True},
}
"""The defaults of `near_duplicates`, and those of `ContextBuilder`."""


@dataclass(slots=True)
class Shingling:
    """Cuts shingles for who needs them, and tells the CPU seconds that it took."""

    seconds: float = 0

    def batches(self, texts: Sequence[str], *, coded: bool = False) -> Iterator[list[list[Any]]]:
        """Give the shingles of the texts batch by batch, each text's as a list of `str`, or of `bytes`."""
        for first in range(0, len(texts), BATCH):
            start = time.process_time()
            cut = [list(shingles(text)) for text in texts[first : first + BATCH]]
            batch = [[shingle.encode() for shingle in own] for own in cut] if coded else cut
            self.seconds += time.process_time() - start
            yield batch


def judge_with_ours(texts: Sequence[str], _: Shingling, *, options: Mapping[str, Any]) -> Verdicts:
    """One call, as a user of the package makes it."""
    from brimful import near_duplicates

    found = near_duplicates(texts, **options)
    return Verdicts(found.kept, found.duplicate_of, found.similarity)


def judge_naively(texts: Sequence[str], _: Shingling) -> Verdicts:
    """Compare each text with every kept one."""
    return Verdicts.of_origins(*naive_verdicts(texts))


def judge_with_datasketch(texts: Sequence[str], shingling: Shingling) -> Verdicts:
    """MinHash LSH; what it finds is compared once more by the whole signature. Its way for many texts is the faster."""
    import datasketch

    index, kept = datasketch.MinHashLSH(threshold=THRESHOLD, num_perm=HASHES), dict[int, Any]()
    coded = (own for batch in shingling.batches(texts, coded=True) for own in batch)
    for position, own in enumerate(datasketch.MinHash.generator(coded, num_perm=HASHES)):
        if not any(own.jaccard(kept[other]) >= THRESHOLD for other in index.query(own)):
            index.insert(position, own)
            kept[position] = own
    return Verdicts.of_kept(list(kept))


def judge_with_rensa(texts: Sequence[str], shingling: Shingling) -> Verdicts:
    """MinHash signatures of a batch at once, then its own deduplicator."""
    import rensa

    seen = rensa.RMinHashDeduplicator(THRESHOLD, HASHES, True)  # noqa: FBT003 - its third argument: with an index
    signed = (own for batch in shingling.batches(texts) for own in rensa.RMinHash.from_token_sets(batch, HASHES, 42))
    return Verdicts.of_kept([position for position, own in enumerate(signed) if seen.add(str(position), own)])


def judge_with_gaoya(texts: Sequence[str], _: Shingling) -> Verdicts:
    """Its index of strings, 16 bands of 8 hashes, which shingles each text itself."""
    import gaoya

    size = SHINGLE_SIZE, SHINGLE_SIZE
    index = gaoya.minhash.MinHashStringIndex(32, THRESHOLD, HASHES // 8, 8, None, "word", True, size, "vec")  # noqa: FBT003
    kept = []
    for position, text in enumerate(texts):
        if not index.query(text):
            kept.append(position)
            index.insert_document(position, text)
    return Verdicts.of_kept(kept)


def judge_with_set_similarity_search(texts: Sequence[str], shingling: Shingling) -> Verdicts:
    """All pairs of similar sets, exact repeats collapsed before."""
    from SetSimilaritySearch import all_pairs

    first: dict[bytes, int] = {}
    for position, text in enumerate(texts):
        first.setdefault(content_hash(text), position)
    unique = list(first.values())
    sets = [own for batch in shingling.batches([texts[position] for position in unique]) for own in batch]
    pairs = all_pairs(sets, "jaccard", THRESHOLD)
    return keep_greedily(unique, ((unique[one], unique[other]) for one, other, _ in pairs))


def judge_with_polars(texts: Sequence[str], _: Shingling) -> Verdicts:
    """Join the table of shingles with itself, without the rows of shingles that one text only has."""
    import polars as pl

    split = pl.col("text").str.to_lowercase().str.extract_all(r"\S+").alias("word")
    frame = pl.DataFrame({"doc": range(len(texts)), "text": texts}).with_columns(split)
    frame = frame.with_columns(pl.col("word").list.join(" ").hash().alias("content"))
    frame = frame.unique("content", keep="first", maintain_order=True)
    words = frame.select("doc", "word").explode("word")
    later = [pl.col("word").shift(-by).over("doc").alias(f"word{by}") for by in range(1, SHINGLE_SIZE)]
    joined = pl.concat_str("word", *(f"word{by}" for by in range(1, SHINGLE_SIZE)), separator=" ")
    windows = words.with_columns(later).drop_nulls().select("doc", joined.hash().alias("shingle")).unique()
    sizes = windows.group_by("doc").len("size")
    shared = windows.filter(pl.len().over("shingle") > 1)
    pairs = shared.join(shared, on="shingle").filter(pl.col("doc") < pl.col("doc_right"))
    pairs = pairs.group_by("doc", "doc_right").len("both").join(sizes, on="doc")
    pairs = pairs.join(sizes, left_on="doc_right", right_on="doc", suffix="_right")
    union = pl.col("size") + pl.col("size_right") - pl.col("both")
    similar = pairs.filter(pl.col("both") / union >= THRESHOLD).select("doc", "doc_right")
    return keep_greedily(frame["doc"].to_list(), similar.rows())


def keep_greedily(positions: Sequence[int], pairs: Iterable[tuple[int, int]]) -> Verdicts:
    """Keep those of the positions, ascending, that are in no pair with one kept before."""
    earlier = defaultdict[int, list[int]](list)
    for one, other in pairs:
        earlier[max(one, other)].append(min(one, other))
    kept: dict[int, None] = {}
    for position in positions:
        if not any(other in kept for other in earlier.get(position, ())):
            kept[position] = None
    return Verdicts.of_kept(list(kept))


Judge: TypeAlias = "Callable[[Sequence[str], Shingling], Verdicts]"
NAIVE: Final = "naive"
JOIN: Final = "SetSimilaritySearch"
JUDGES: Final[dict[str, Judge]] = {
    OURS: functools.partial(judge_with_ours, options=OPTIONS[OURS]),
    FLAGSHIP: functools.partial(judge_with_ours, options=OPTIONS[FLAGSHIP]),
    NAIVE: judge_naively,
    "datasketch": judge_with_datasketch,
    "rensa": judge_with_rensa,
    "gaoya": judge_with_gaoya,
    JOIN: judge_with_set_similarity_search,
    "polars": judge_with_polars,
}
MINHASH: Final = ("datasketch", "rensa", "gaoya")
SHINGLED: Final = ("datasketch", "rensa")
"""MinHash tools that take shingles."""
EXACT: Final = (JOIN, "polars")
