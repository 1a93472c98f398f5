"""Texts cut to size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimful.config import MAX_TOKENS, Boundary, Cut, Encoding, EstimateRule, TruncationOptions, check_integer
from brimful.kernels import active
from brimful.kernels.texts import check_text, repair_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


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
