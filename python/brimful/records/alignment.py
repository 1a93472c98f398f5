"""What two sequences have in common, in order: near-linear however long they are and however often they repeat.

Equal beginnings and ends are taken first. What is small between them is matched as `difflib` does. What is large is cut
at the elements that each side has once, as many of them as rise on both sides (patience diff), and so on between these.
Where no element is there once, the n-th of one side stands for the n-th of the other, and that is the end of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

SMALL_CELLS: Final = 4_096
"""Product of the lengths up to which `difflib` may take its time, at most cubic."""
DEEPEST: Final = 32


class Block(NamedTuple):
    """`size` elements from `base` on in one sequence are those from `other` on in the other."""

    base: int
    other: int
    size: int


class _Window(NamedTuple):
    low: int
    high: int
    other_low: int
    other_high: int
    depth: int


def align(base: Sequence[str], other: Sequence[str]) -> list[Block]:
    """Return blocks that both sequences have, in order. O(n log n) for n elements, times at most 32 levels of cutting.

    >>> align(["a", "b", "c"], ["a", "x", "c"])
    [Block(base=0, other=0, size=1), Block(base=2, other=2, size=1)]
    """
    blocks: list[Block] = []
    windows = [_Window(0, len(base), 0, len(other), 0)]
    while windows:
        window = _strip(base, other, windows.pop(), blocks)
        rows, columns = window.high - window.low, window.other_high - window.other_low
        if not rows or not columns:
            continue
        if rows * columns <= SMALL_CELLS:
            blocks += _match(base, other, window)
            continue
        pairs = [] if window.depth == DEEPEST else _pairs(base, other, window, once=True)
        if pairs:
            windows += _between(pairs, window)
            blocks += (Block(*pair, 1) for pair in pairs)
        else:
            blocks += (Block(*pair, 1) for pair in _pairs(base, other, window, once=False))
    return sorted(blocks)


def _strip(base: Sequence[str], other: Sequence[str], window: _Window, blocks: list[Block]) -> _Window:
    """Take what both sides begin and end with; return what is left between."""
    low, high, other_low, other_high, depth = window
    while low < high and other_low < other_high and base[low] == other[other_low]:
        low, other_low = low + 1, other_low + 1
    while low < high and other_low < other_high and base[high - 1] == other[other_high - 1]:
        high, other_high = high - 1, other_high - 1
    if low > window.low:
        blocks.append(Block(window.low, window.other_low, low - window.low))
    if high < window.high:
        blocks.append(Block(high, other_high, window.high - high))
    return _Window(low, high, other_low, other_high, depth)


def _match(base: Sequence[str], other: Sequence[str], window: _Window) -> list[Block]:
    low, high, other_low, other_high, _ = window
    matcher = SequenceMatcher(None, base[low:high], other[other_low:other_high], autojunk=False)
    return [Block(low + at, other_low + there, size) for at, there, size in matcher.get_matching_blocks() if size]


def _pairs(base: Sequence[str], other: Sequence[str], window: _Window, *, once: bool) -> list[tuple[int, int]]:
    """Return positions of equal elements that rise on both sides, as many as can be.

    With `once` of elements that either side has once, else of the n-th ones on either side.
    """
    ours = _places(base, window.low, window.high, once=once)
    theirs = _places(other, window.other_low, window.other_high, once=once)
    return _rising([(place, theirs[key]) for key, place in ours.items() if key in theirs])


def _places(elements: Sequence[str], low: int, high: int, *, once: bool) -> dict[tuple[str, int], int]:
    """Return the places of elements by what they are and how often they were there before, in their order."""
    seen: Counter[str] = Counter()
    places = {}
    for place in range(low, high):
        element = elements[place]
        places[element, seen[element]] = place
        seen[element] += 1
    if once:
        return {key: place for key, place in places.items() if seen[key[0]] == 1}
    return places


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a longest run of pairs whose second numbers rise; their first ones do already."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, there) in enumerate(pairs):
        length = bisect_left(ends, there)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [there]
        last[length : length + 1] = [number]
    run = []
    number = last[-1] if last else -1
    while number >= 0:
        run.append(pairs[number])
        number = before[number]
    return run[::-1]


def _between(pairs: list[tuple[int, int]], window: _Window) -> list[_Window]:
    lows = [(window.low, window.other_low), *((at + 1, there + 1) for at, there in pairs)]
    highs = [*pairs, (window.high, window.other_high)]
    return [
        _Window(low, high, other_low, other_high, window.depth + 1)
        for (low, other_low), (high, other_high) in zip(lows, highs, strict=True)
    ]
