"""Texts cut to size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from brimful.config import MAX_TOKENS, Boundary, Cut, Encoding, EstimateRule, TruncationOptions, check_integer
from brimful.kernels import active
from brimful.kernels.texts import check_text, repair_surrogates
from brimful.stages.counters import ExactCounter, count_with
from brimful.stages.counting import EstimateCounter, RuleCounter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from brimful.protocols import TokenCounter


def truncate(
    text: str,
    max_tokens: int,
    *,
    encoding: Encoding | None = None,
    rule: EstimateRule | None = None,
    cut: Cut = "end",
    boundary: Boundary = "word",
    marker: str = "",
) -> str:
    """Return the longest piece of the text of at most `max_tokens` tokens, the marker included.

    Tokens are exact ones in `encoding`, by default `"o200k_base"`, as `count_tokens` has them; or, with `rule`, those
    of `estimate_tokens`. It is the piece itself that is counted, joined with its marker: its tokens are not taken from
    those of the text.

    `cut` is where text is removed, `marker` what stands there instead. The piece begins and ends at a `boundary`: never
    inside a grapheme, at whole words, or at whole sentences; where none fits at sentences, words are tried, then
    graphemes. A text that fits is given back as it is. The marker is left out where nothing fits beside it.

    Linear in the length of the text, as a rule. Raises InputError for a text that is no `str`, ConfigError for an
    option out of range and for both an encoding and a rule.

    >>> truncate("one two three four five", 4, marker=" ...")
    'one two three ...'
    >>> truncate("international treaty", 1, encoding="cl100k_base")
    'international'
    >>> truncate("one two three four five", 3, cut="start", rule="script")
    'three four five'
    """
    check_integer("max_tokens", max_tokens, low=0, high=MAX_TOKENS)
    if encoding is None and rule is None:
        encoding = "o200k_base"
    options = TruncationOptions(encoding=encoding, rule=rule, cut=cut, boundary=boundary, marker=marker)
    [piece] = cut_texts([check_text(text, name="text")], [max_tokens], options)
    return piece


@dataclass(frozen=True, slots=True)
class Piece:
    """The beginning of a text: `kept` code points, and whether a marker stands behind them."""

    text: str
    kept: int
    marked: bool

    def join(self, marker: str) -> str:
        """Return the beginning with its marker."""
        return f"{self.text[: self.kept]}{marker if self.marked else ''}"


def shorten(
    texts: Sequence[str], budgets: Sequence[int], counter: TokenCounter, *, boundary: Boundary, marker: str
) -> list[Piece]:
    """Return the longest beginning of each text that is within its budget with the marker, by any counter.

    It ends at a boundary, as in `truncate`. By a counter that is not of this package it is the longest to within four
    code points, where shorter beginnings never count more: such a counter is asked a logarithm of times a text.
    A budget below 0 is 0.

    >>> [piece] = shorten(["one two three four"], [3], RuleCounter("chars_div_4"), boundary="word", marker=" ...")
    >>> piece.join(" ...")
    'one two ...'
    """
    sound = [repair_surrogates(text) for text in texts]
    limits = [max(0, min(budget, MAX_TOKENS)) for budget in budgets]
    if type(counter) is ExactCounter:
        return _shorten(sound, limits, TruncationOptions(encoding=counter.encoding, boundary=boundary, marker=marker))
    if type(counter) in (EstimateCounter, RuleCounter):
        rule: EstimateRule = counter.rule  # type: ignore[attr-defined]  # its type is known by now
        return _shorten(sound, limits, TruncationOptions(rule=rule, boundary=boundary, marker=marker))
    options = TruncationOptions(rule="chars_div_4", boundary=boundary, marker=marker)
    return [_search(text, limit, counter, options) for text, limit in zip(sound, limits, strict=True)]


def _shorten(texts: Sequence[str], budgets: Sequence[int], options: TruncationOptions) -> list[Piece]:
    kept = active().truncate(texts, budgets, options)
    rows = zip(texts, kept.head.tolist(), kept.marked.tolist(), strict=True)
    return [Piece(text, head, bool(marked)) for text, head, marked in rows]


def _search(text: str, budget: int, counter: TokenCounter, options: TruncationOptions) -> Piece:
    def piece(size: int) -> Piece:
        return _shorten([text], [size - 1], options)[0]

    def fits(size: int) -> bool:
        return count_with(counter, [piece(size).join(options.marker)])[0] <= budget

    if count_with(counter, [text])[0] <= budget:
        return Piece(text, len(text), marked=False)
    size = longest(len(text) // 4 + 1, fits)
    return piece(size) if size else Piece(text, 0, marked=False)


def cut_texts(texts: Sequence[str], budgets: Sequence[int], options: TruncationOptions) -> list[str]:
    """Return what is left of each text within its budget."""
    sound = [repair_surrogates(text) for text in texts]
    kept = active().truncate(sound, budgets, options)
    marker = repair_surrogates(options.marker)
    rows = zip(sound, kept.head.tolist(), kept.tail.tolist(), kept.marked.tolist(), strict=True)
    return [f"{text[:head]}{marker if marked else ''}{text[tail:]}" for text, head, tail, marked in rows]


def longest(count: int, fits: Callable[[int], bool]) -> int:
    """Return the greatest size from 1 to `count` that fits, found by halving; 0 where not even 1 is seen to.

    Where a larger size may fit although a smaller one does not, what is returned fits all the same, but may not be
    the greatest.

    >>> longest(10, lambda size: size * size <= 50)
    7
    """
    low, high = 0, count
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low
