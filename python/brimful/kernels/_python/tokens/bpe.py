"""Byte pair encoding: the bytes of a pretoken, merged into tokens."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brimful.kernels._python.tokens.rank_file import Ranks


def count_parts(pretoken: bytes, ranks: Ranks) -> int:
    """Return the number of tokens of a pretoken that is not empty.

    A pretoken that is a token is one. n log n: the pairs that may be merged wait in a heap, the lowest rank first and
    of equal ones the leftmost; a pair of which a half has been merged otherwise is dropped when its turn comes.

    >>> from brimful.kernels._python.tokens.rank_file import load_ranks
    >>> count_parts(b" internationalx", load_ranks("cl100k_base"))
    2
    """
    return 1 if pretoken in ranks else len(merge(pretoken, ranks))


def merge(pretoken: bytes, ranks: Ranks) -> list[bytes]:
    """Return the tokens of a pretoken, in order, by merging pairs of neighbours until no pair is a token."""
    length = len(pretoken)
    # By the beginning of a part: its end, or the end of everything where no part begins any more.
    ends = [*range(1, length + 1)]
    before = [*range(-1, length - 1)]
    pairs = [
        (rank, start, start + 2)
        for start in range(length - 1)
        if (rank := ranks.get(pretoken[start : start + 2])) is not None
    ]
    heapify(pairs)
    while pairs:
        _, start, end = heappop(pairs)
        middle = ends[start]
        if middle >= end or ends[middle] != end:
            continue
        ends[start], ends[middle] = end, length
        if start:
            _offer(pairs, pretoken, ranks, before[start], end)
        if end < length:
            before[end] = start
            _offer(pairs, pretoken, ranks, start, ends[end])
    return _parts(pretoken, ends)


def _offer(pairs: list[tuple[int, int, int]], pretoken: bytes, ranks: Ranks, start: int, end: int) -> None:
    rank = ranks.get(pretoken[start:end])
    if rank is not None:
        heappush(pairs, (rank, start, end))


def _parts(pretoken: bytes, ends: list[int]) -> list[bytes]:
    parts, start = [], 0
    while start < len(pretoken):
        parts.append(pretoken[start : ends[start]])
        start = ends[start]
    return parts
