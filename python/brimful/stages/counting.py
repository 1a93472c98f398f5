"""Tokens of texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, get_args, overload

from brimful.config import AdditiveRule, EstimateRule, check_choice, check_flag, show
from brimful.errors import ConfigError
from brimful.kernels import active

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from brimful.config import Encoding


# A str is an iterable of str as well: the overload that comes first is meant for it.
@overload
def count_tokens(  # type: ignore[overload-overlap]
    texts: str, *, encoding: Encoding = "o200k_base"
) -> int: ...
@overload
def count_tokens(texts: Iterable[str], *, encoding: Encoding = "o200k_base") -> NDArray[np.int64]: ...
def count_tokens(texts: str | Iterable[str], *, encoding: Encoding = "o200k_base") -> int | NDArray[np.int64]:
    """Return the exact tokens of each text (int64), or of one text (int), without the network.

    Equal to what tiktoken's `encode_ordinary` gives for every text: a special token's text, as `<|endoftext|>`, is
    ordinary text, and a lone surrogate counts as U+FFFD. `"o200k_base"` is what GPT-4o and later models read,
    `"cl100k_base"` what GPT-4 and GPT-3.5 do. The vocabularies come with the package; the first call unpacks the one
    it needs. Linear in the length of the texts. Counts do not add up: that of a whole is not the sum of its parts.

    The compiled back end remembers words a thread (2.1 MiB an encoding) and, in 512 KiB an encoding for all threads,
    the counts of texts of 128 bytes to 16 KiB, by their length and 128 bits of a keyed hash.

    Raises InputError for what is no `str`, with its index, and ConfigError for an unknown encoding.

    >>> count_tokens("hello world")
    2
    >>> count_tokens(["<|endoftext|>", "café", ""], encoding="cl100k_base").tolist()
    [7, 2, 0]
    """
    if isinstance(texts, str):
        return int(active().count_tokens([texts], encoding=encoding)[0])
    return active().count_tokens(texts, encoding=encoding)


@overload
def estimate_tokens(  # type: ignore[overload-overlap]
    texts: str, *, rule: EstimateRule = "script", safe: bool = False
) -> int: ...
@overload
def estimate_tokens(
    texts: Iterable[str], *, rule: EstimateRule = "script", safe: bool = False
) -> NDArray[np.int64]: ...
def estimate_tokens(
    texts: str | Iterable[str], *, rule: EstimateRule = "script", safe: bool = False
) -> int | NDArray[np.int64]:
    """Return the estimated tokens of each text (int64), or of one text (int), without a vocabulary.

    Rules: `"script"` weighs the bytes by script, fitted to `o200k_base`; `"words_div_4"` is `max(1, words // 4)`,
    `"words_times_1_3"` is `int(words * 1.3)`, `"utf16_div_4"` is `ceil(UTF-16 units / 4)`, `"chars_div_4"` is
    `code points // 4`. Linear in the length of the texts.

    `safe=True` makes `"script"` err high, for `o200k_base` and `cl100k_base`. Where a rule alone is asked for, as in
    `truncate`, that is the rule `"script_safe"`. How often both are right is in `benches/README.md`.

    Raises InputError for what is no `str`, with its index, and ConfigError for an unknown rule or one that `safe` is
    not for.

    >>> estimate_tokens("Привет, мир!") <= estimate_tokens("Привет, мир!", safe=True)
    True
    >>> estimate_tokens("one two three four five", rule="words_times_1_3")
    6
    >>> estimate_tokens(["", "one two three four"], rule="words_div_4").tolist()
    [1, 1]
    """
    chosen = _choose_rule(rule, safe=safe)
    if isinstance(texts, str):
        return int(active().estimate_tokens([texts], rule=chosen)[0])
    return active().estimate_tokens(texts, rule=chosen)


def _choose_rule(rule: EstimateRule, *, safe: bool) -> EstimateRule:
    check_choice("rule", rule, get_args(EstimateRule))
    if not check_flag("safe", safe):
        return rule
    if rule != "script":
        message = f"safe must be False unless rule is `script`, got rule {show(rule)}"
        raise ConfigError(message)
    return "script_safe"


@dataclass(frozen=True, slots=True)
class RuleCounter:
    """A `TokenCounter` by any rule of `estimate_tokens`; what it counts does not add up.

    Raises ConfigError for an unknown rule.

    >>> RuleCounter("words_times_1_3").count(["one two three four", ""])
    [5, 0]
    """

    approximate: ClassVar[bool] = True
    rule: EstimateRule

    def __post_init__(self) -> None:
        """Check the rule."""
        check_choice("rule", self.rule, get_args(EstimateRule))

    def count(self, texts: Sequence[str], /) -> list[int]:
        """Return the estimate of each text."""
        counts: list[int] = active().estimate_tokens(texts, rule=self.rule).tolist()
        return counts


PARTS_A_TOKEN: Final = 1024
"""What `EstimateCounter.weigh` weighs in."""


@dataclass(frozen=True, slots=True)
class EstimateCounter:
    """A `TokenCounter` that adds up weights of bytes: what it weighs in parts of a token adds up exactly.

    >>> counter = EstimateCounter("script")
    >>> counter.count(["one, two, three"])
    [5]
    """

    approximate: ClassVar[bool] = True
    rule: AdditiveRule = "script"

    def __post_init__(self) -> None:
        """Check the rule."""
        check_choice("rule", self.rule, get_args(AdditiveRule))

    def count(self, texts: Sequence[str], /) -> list[int]:
        """Return the estimate of each text."""
        counts: list[int] = active().estimate_tokens(texts, rule=self.rule).tolist()
        return counts

    def weigh(self, texts: Sequence[str], /) -> list[int]:
        """Return the weight of each text in parts of a token; rounded up to whole tokens it is the count."""
        weights: list[int] = active().weigh_tokens(texts, rule=self.rule).tolist()
        return weights
