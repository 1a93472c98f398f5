"""Selection by maximal marginal relevance, beside numpy, pyversity and LangChain: float32 rows, lambda 0.5."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import pyversity
from langchain_core.vectorstores.utils import maximal_marginal_relevance

from brimful import mmr_select
from compare.timing import against, least_times, milliseconds, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.float32]
    Wide: TypeAlias = NDArray[np.float64]

MMR_LAMBDA: Final = 0.5
TIE: Final = 1e-12
"""Two scores of the reference that lie closer are a tie: either may be picked."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many rows, of how many components, how many picks; and how many times as long the peers shall take."""

    rows: int
    width: int
    picks: int
    numpy_random: float
    numpy_clustered: float
    langchain: float


SIZES: Final = (
    Size(50, 384, 10, 4, 4, 50),
    Size(200, 768, 20, 4, 4, 90),
    Size(1_000, 1_024, 50, 5, 2.5, 150),
    Size(10_000, 1_024, 100, 10, 10, 300),
)
HEAD: Final = (
    *("data", "n, d, k", "brimful", "numpy", "pyversity", "LangChain"),
    *("numpy / brimful", "pyversity / brimful", "LangChain / brimful", "equal picks: numpy, pyversity, LangChain"),
)


def make_data(kind: str, rows: int, width: int) -> tuple[Rows, Rows]:
    """Make a query and rows: independent ones, or clusters that lean to one side as embeddings do."""
    chance = np.random.default_rng(1)
    if kind == "random":
        return normal(chance, width).astype(np.float32), normal(chance, rows, width).astype(np.float32)
    centres = normal(chance, max(5, rows // 20), width) + 1.5 * normal(chance, width)
    clustered = centres[chance.integers(len(centres), size=rows)] + 0.35 * normal(chance, rows, width)
    return (centres[0] + 0.5 * normal(chance, width)).astype(np.float32), clustered.astype(np.float32)


def normal(chance: np.random.Generator, *shape: int) -> Wide:
    """Draw from the normal distribution."""
    return chance.standard_normal(shape)


def ours(query: Rows, rows: Rows, picks: int) -> list[int]:
    """Select as a user of the package does."""
    found: list[int] = mmr_select(query, rows, limit=picks, mmr_lambda=MMR_LAMBDA).indices.tolist()
    return found


def with_numpy(query: Rows, rows: Rows, picks: int) -> list[int]:
    """Select with the largest similarities kept up to date: one product of the rows with a row a pick."""
    units = unit(rows)
    relevance = units @ unit(query)
    nearest, closed = np.full(len(rows), -np.inf, np.float32), np.zeros(len(rows), np.float32)
    chosen = [int(relevance.argmax())]
    while len(chosen) < min(picks, len(rows)):
        closed[chosen[-1]] = -np.inf
        np.maximum(nearest, units @ units[chosen[-1]], out=nearest)
        chosen.append(int((MMR_LAMBDA * relevance - (1 - MMR_LAMBDA) * nearest + closed).argmax()))
    return chosen


def with_pyversity(query: Rows, rows: Rows, picks: int) -> list[int]:
    """Select with pyversity, which takes relevances: they are part of the work."""
    relevance = unit(rows) @ unit(query)
    found = pyversity.mmr(rows, relevance, picks, diversity=1 - MMR_LAMBDA)
    return [int(index) for index in found.indices]


def with_langchain(query: Rows, rows: Rows, picks: int) -> list[int]:
    """Select with LangChain, which is given arrays: lists would cost it more."""
    return [int(index) for index in maximal_marginal_relevance(query, rows, MMR_LAMBDA, picks)]


PEERS: Final[dict[str, Callable[[Rows, Rows, int], list[int]]]] = {
    "numpy": with_numpy,
    "pyversity": with_pyversity,
    "langchain": with_langchain,
}


def unit(rows: Rows) -> Rows:
    """Scale rows, or one row, to length 1."""
    scaled: Rows = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return scaled


def assert_exact(query: Rows, rows: Rows, picks: list[int]) -> None:
    """Hold every pick against the best score in float64 at that point, by the literal formula."""
    units, asked = rows.astype(np.float64), query.astype(np.float64)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    relevance: Wide = units @ (asked / np.linalg.norm(asked))
    nearest = np.full(len(rows), -np.inf)
    scores = relevance.copy()
    for pick in picks:
        gap = scores.max() - scores[pick]
        assert gap < TIE, f"{pick} was picked, {scores.argmax()} is better by {gap}"
        np.maximum(nearest, units @ units[pick], out=nearest)
        relevance[pick] = -np.inf
        scores = MMR_LAMBDA * relevance - (1 - MMR_LAMBDA) * nearest


def mmr_table() -> str:
    """Compare, then time, every size with both kinds of data."""
    return table(HEAD, lines())


def lines() -> Iterator[tuple[str, ...]]:
    """Give a line of the table for each kind and size."""
    for kind in ("random", "clustered"):
        for size in SIZES:
            yield line(kind, size)


def line(kind: str, size: Size) -> tuple[str, ...]:
    """Compare and time one size with one kind of data."""
    query, rows = make_data(kind, size.rows, size.width)
    found = ours(query, rows, size.picks)
    assert len(found) == size.picks
    assert_exact(query, rows, found)
    largest = size is SIZES[-1]
    picks: dict[str, list[int]] = {}
    runs = {name: partial(keep_picks, picks, name, query, rows, size.picks) for name in PEERS}
    times = least_times({"ours": partial(ours, query, rows, size.picks), **runs}, once=["langchain"] if largest else [])
    by_numpy = size.numpy_random if kind == "random" else size.numpy_clustered
    targets = {"numpy": by_numpy, "pyversity": None, "langchain": size.langchain}
    return (
        kind,
        f"{size.rows:,}, {size.width:,}, {size.picks}",
        *(milliseconds(times[name]) for name in ("ours", *PEERS)),
        *(against(times[name], times["ours"], targets[name]) for name in PEERS),
        ", ".join(f"{equal(picks[name], found)}" for name in PEERS),
    )


def keep_picks(picks: dict[str, list[int]], name: str, query: Rows, rows: Rows, count: int) -> None:
    """Let a peer select, and keep what it picked."""
    picks[name] = PEERS[name](query, rows, count)


def equal(theirs: list[int], found: list[int]) -> str:
    """Say how many picks are the same and in the same place."""
    same = sum(one == other for one, other in zip(theirs, found, strict=True))
    return "all" if same == len(found) else f"{same} of {len(found)}"
