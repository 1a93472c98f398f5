"""What a search finds, against a search of everything in float64; and memory."""

from __future__ import annotations

import math
import tracemalloc
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.kernels import active
from brimful.stores import matrix
from brimful.stores.fields import read_vector
from brimful.stores.index import CardIndex, Wanted
from brimful.stores.matrix import cosine

if TYPE_CHECKING:
    from collections.abc import Sequence

# Huge, tiny and equal ones: float32 overflows, loses them, and cannot part them.
numbers = st.sampled_from([0.0, 1.0, -1.0, 3.0, 1e-3, 1e30, -1e30, 1e-30, 1e-45, 0.1, 0.30000001])
vectors = st.lists(numbers, min_size=3, max_size=3)
texts = st.sampled_from(["apple", "apple pear", "pear pear plum", "", "plum"])
cards = st.lists(st.tuples(texts, st.one_of(st.none(), vectors)), max_size=12)
limits = st.one_of(st.none(), st.sampled_from([-1.0, 0.0, 0.5, 1.0]))


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "BLOCK", 4)
    monkeypatch.setattr(matrix, "SLICE", 3)


def name(keys: Sequence[int]) -> list[str]:
    """Ids in another order than the keys."""
    return [f"{999 - key}" for key in keys]


def fill_index(rows: Sequence[tuple[str, list[float] | None]], gone: set[int]) -> CardIndex:
    index = CardIndex()
    for key, (text, vector) in enumerate(rows):
        index.put(3 * key, text, None if vector is None else read_vector("v", vector))
    for key in gone:
        index.remove(3 * key)
    return index


def search_naively(
    rows: Sequence[tuple[str, list[float] | None]],
    gone: set[int],
    wanted: Wanted,
    *,
    top_k: int,
    threshold: float | None,
    ceiling: float | None,
) -> list[tuple[str, float]]:
    there = [key for key in range(len(rows)) if key not in gone]
    words = active().bm25_scores(wanted.words or "", [rows[key][0] for key in there]).tolist()
    best = max(words, default=0.0) or 1.0
    found = []
    for key, word in zip(there, words, strict=True):
        vector = rows[key][1]
        if vector is None and wanted.words is None:
            continue
        similarity = 0.0
        if vector is not None and wanted.embedding is not None:
            similarity = cosine(wanted.embedding, read_vector("v", vector))
        score = wanted.semantic_weight * similarity
        if wanted.words is not None:
            score += wanted.keyword_weight * (word / best)
        if (-math.inf if threshold is None else threshold) <= score <= (math.inf if ceiling is None else ceiling):
            found.append((f"{999 - 3 * key}", score))
    return sorted(found, key=lambda match: (-match[1], match[0]))[:top_k]


@given(
    rows=cards,
    gone=st.sets(st.integers(0, 11), max_size=6),
    query=vectors,
    words=st.one_of(st.none(), st.sampled_from(["apple", "plum pear", "kiwi"])),
    options=st.fixed_dictionaries({"top_k": st.integers(0, 6), "threshold": limits, "ceiling": limits}),
)
def test_a_search_finds_what_comparing_everything_finds(
    rows: Any, gone: set[int], query: list[float], words: str | None, options: dict[str, Any]
) -> None:
    wanted = Wanted(read_vector("q", query), words, 0.5, 0.5)

    expected = search_naively(rows, gone, wanted, **options)
    assert expected == fill_index(rows, gone).search(wanted, name, **options)


@pytest.mark.parametrize("width", [1, 3, 384])
def test_near_ties_are_decided_exactly(width: int) -> None:
    """Rows so alike that float32 sees no difference, and the order of the sums would decide."""
    chance = np.random.default_rng(width)
    base = chance.standard_normal(width).astype(np.float32)
    rows: list[tuple[str, list[float] | None]] = [
        ("", (base * np.float32(1 + 2.0**-23 * chance.integers(4)) + np.float32(1e-7)).tolist()) for _ in range(40)
    ]
    wanted = Wanted(read_vector("q", chance.standard_normal(width)))
    options: dict[str, Any] = {"top_k": 5, "threshold": None, "ceiling": None}

    expected = search_naively(rows, set(), wanted, **options)
    assert expected == fill_index(rows, set()).search(wanted, name, **options)


def test_the_bound_holds() -> None:
    chance = np.random.default_rng(7)
    rows = [row.tolist() for row in chance.standard_normal((200, 96)).astype(np.float32)]
    index = matrix.EmbeddingMatrix(96)
    for row in rows:
        index.append(read_vector("v", row))
    query = read_vector("q", chance.standard_normal(96))
    bounded = index.bound(query)
    off = np.abs(bounded.cosines.astype(np.float64) - index.exact(query, range(200)))

    assert 0 < off.max() <= bounded.margin < 1e-4


def test_an_index_that_shrinks_holds_what_is_left() -> None:
    index = fill_index([(f"text {n}", [n, 1.0, 0.0]) for n in range(50)], set(range(49)))

    assert len(index) == 1
    assert index.search(Wanted(read_vector("q", [1, 0, 0])), name, top_k=9)[0].id == name([147])[0]
    assert index.embedding(147) is not None
    assert index.embedding(0) is None
    assert index.embedding(1) is None


def test_embeddings_take_the_memory_of_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most a tenth more than 4 bytes a component, texts left out."""
    monkeypatch.setattr(matrix, "BLOCK", 2048)
    rows = np.random.default_rng(1).standard_normal((10_000, 384)).astype(np.float32)
    text, query = "a text", read_vector("q", rows[0])
    tracemalloc.start()
    index = CardIndex()
    for key, row in enumerate(rows):
        index.put(key, text, row)
    grown = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    index.search(Wanted(query), name, top_k=15)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert rows.nbytes < grown <= 1.1 * rows.nbytes
    assert peak <= 1.1 * rows.nbytes
