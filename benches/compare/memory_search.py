"""Times searches of card stores beside numpy's product of the same rows, and tells the memory of the first search.

make bench-memory

Prints Markdown: CPU milliseconds, the least of rounds in which all take turns, one thread. A ratio stands beside the
target, in bold where it misses. Ends with an error only where results differ.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from brimful.builders.memory import Card, ContextBuilder, HybridRetriever, InMemoryAdapter, SqliteAdapter
from brimful.kernels import active
from compare.process import status
from compare.timing import cpu_time, least_times, milliseconds, table, times
from workloads import write_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from brimful.stores.indexed import CardStore

    Rows = NDArray[np.float32]

WIDTH: Final = 384
COUNTS: Final = (1_000, 10_000, 100_000)
TOP_K: Final = 15
TARGET: Final = 2.0
"""Times numpy's product that a search may take, BM25 left out."""
MEMORY: Final = 1.1
"""Times the bytes of the embeddings that may be held, texts left out."""
BATCH: Final = 5_000
HEAD: Final = (
    *("cards", "first search", "numpy", "in memory", "SQLite", "in memory / numpy", "SQLite / numpy"),
    *("BM25", "by words and meaning", "that / (2 numpy + BM25)"),
)
BUILD_HEAD: Final = ("cards", "build, read only", "build", "accesses of 15 cards")


def make_rows(count: int) -> Rows:
    """Make embeddings in clusters that lean to one side, as those of texts do."""
    chance = np.random.default_rng(1)
    centres = chance.standard_normal((max(5, count // 20), WIDTH)) + chance.standard_normal(WIDTH)
    rows: Rows = (centres[chance.integers(len(centres), size=count)] + chance.standard_normal((count, WIDTH))).astype(
        np.float32
    )
    return rows


def make_texts(count: int) -> list[str]:
    """Make texts of 20 to 40 words."""
    return list(write_texts(count, "memory", copies=0, shortest=20, longest=40))


def fill(store: CardStore, rows: Rows, texts: Sequence[str]) -> None:
    """Write a card a row."""
    for start in range(0, len(rows), BATCH):
        part = range(start, min(start + BATCH, len(rows)))
        store.write_cards([Card(texts[row], id=f"card_{row:06}", embedding=rows[row]) for row in part])


def assert_exact(store: CardStore, rows: Rows, query: Rows) -> None:
    """Hold what is found against cosines in float64."""
    wide, asked = rows.astype(np.float64), query.astype(np.float64)
    cosines = wide @ asked / (np.linalg.norm(wide, axis=1) * np.linalg.norm(asked))
    expected = np.argsort(-cosines, kind="stable")[:TOP_K]
    found = store.vector_search(query, top_k=TOP_K)
    assert [match.id for match in found] == [f"card_{row:06}" for row in expected]
    np.testing.assert_allclose([match.score for match in found], cosines[expected], rtol=1e-12)


def search_lines(folder: str) -> Iterator[tuple[str, ...]]:
    """Give a line of the first table for each number of cards."""
    for count in COUNTS:
        rows, texts = make_rows(count), make_texts(count)
        query = (rows[count // 2] + np.random.default_rng(2).standard_normal(WIDTH)).astype(np.float32)
        with SqliteAdapter(f"{folder}/{count}.sqlite") as lasting:
            fill(lasting, rows, texts)
            first = cpu_time(partial(lasting.vector_search, query, top_k=TOP_K))
            fleeting = InMemoryAdapter()
            fill(fleeting, rows, texts)
            for store in (lasting, fleeting):
                assert_exact(store, rows, query)
            words = " ".join(texts[7].split()[:8])
            found = least_times(
                {
                    "numpy": partial(np.matmul, rows, query),
                    "in memory": partial(fleeting.vector_search, query, top_k=TOP_K),
                    "SQLite": partial(lasting.vector_search, query, top_k=TOP_K),
                    "BM25": partial(active().bm25_scores, words, texts),
                    "both": partial(search_both, lasting, words, query),
                }
            )
        yield (
            f"{count:,}",
            *(milliseconds(seconds) for seconds in (first, found["numpy"], found["in memory"], found["SQLite"])),
            *(over(found[name], found["numpy"], count) for name in ("in memory", "SQLite")),
            *(milliseconds(found[name]) for name in ("BM25", "both")),
            over(found["both"], TARGET * found["numpy"] + found["BM25"], count, most=1),
        )


def search_both(store: CardStore, words: str, query: Rows) -> object:
    """Search as `HybridRetriever` does."""
    return store.hybrid_search(words, query, top_k=TOP_K, semantic_weight=0.5, keyword_weight=0.5)


def build_lines(folder: str) -> Iterator[tuple[str, ...]]:
    """Give a line of the second table for each number of cards, in the stores that the first one made."""
    for count in COUNTS:
        words = " ".join(make_texts(8)[7].split()[:8])
        query = make_rows(count)[count // 2]

        class Embedder:
            """Embeds every text as the query."""

            def embed(self, texts: Sequence[str]) -> list[Rows]:
                """Return a row a text."""
                return [query for _ in texts]  # noqa: B023 - used within the round

        with SqliteAdapter(f"{folder}/{count}.sqlite") as store:
            embedder = Embedder()
            builder = ContextBuilder(HybridRetriever(store, embedder), store, embedder=embedder, max_tokens=4_000)
            ids = list(builder.build(words).accessed)
            assert len(ids) >= TOP_K
            found = least_times(
                {
                    "read only": partial(builder.build, words, read_only=True),
                    "build": partial(builder.build, words),
                    "access": partial(store.record_access, ids, builder.clock()),
                }
            )
        yield f"{count:,}", *map(milliseconds, found.values())


def over(ours: float, theirs: float, count: int, *, most: float = TARGET) -> str:
    """Write how many times as much ours takes, beside the target for the largest number of cards."""
    return within(ours / theirs, most) if count == COUNTS[-1] else times(ours / theirs)


def within(ratio: float, most: float) -> str:
    """Write a ratio beside what it may be at most, in bold where it is more."""
    return f"**{times(ratio)}** (<= {most:g}, missed)" if ratio > most else f"{times(ratio)} (<= {most:g})"


def memory_line(folder: str) -> str:
    """Tell the memory that the first search takes in a process of its own, over the bytes of the embeddings."""
    if not Path("/proc/self/clear_refs").exists():
        return "Measured on Linux only.\n"
    path = f"{folder}/{COUNTS[-1]}.sqlite"
    done = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, "-m", "compare.memory_search", path], check=True, capture_output=True, text=True
    )
    held, peak = (int(kib) * 1024 / (COUNTS[-1] * WIDTH * 4) for kib in done.stdout.split())
    return (
        f"{COUNTS[-1]:,} cards, texts left out, over the bytes of their embeddings: held {within(held, MEMORY)}, "
        f"at the peak of the first search {within(peak, MEMORY)}.\n"
    )


def print_memory(path: str) -> None:
    """Print the KiB that the first search takes: held after it, and at its peak; the texts are taken off."""
    small = InMemoryAdapter()  # so that what is loaded once is there before
    fill(small, make_rows(100), make_texts(100))
    small.vector_search(make_rows(1)[0], top_k=TOP_K)
    with SqliteAdapter(path) as store:
        texts = sum(sys.getsizeof(text) for text in make_texts(COUNTS[-1]))
        before = status("VmRSS")
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        store.vector_search(make_rows(1)[0], top_k=TOP_K)
        taken = before + texts // 1024
        sys.stdout.write(f"{status('VmRSS') - taken} {status('VmHWM') - taken}\n")


def main() -> None:
    """Print one part after the other; with a path, the figures of memory of that store."""
    if len(sys.argv) > 1:
        print_memory(sys.argv[1])
        return
    assert active().name == "rust", "the extension is what is measured"
    with tempfile.TemporaryDirectory() as folder:
        write(f"### Search\n\n{table(HEAD, search_lines(folder))}\n")
        write(f"### Memory\n\n{memory_line(folder)}\n")
        write(f"### Build\n\n{table(BUILD_HEAD, build_lines(folder))}\n")


def write(part: str) -> None:
    """Print a part at once."""
    sys.stdout.write(part)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
