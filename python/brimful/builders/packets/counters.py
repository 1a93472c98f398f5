"""Counting tokens as the seed does: a quarter of the UTF-16 units, or whatever counter is given."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, overload

from brimful.builders.packets.spelling import Spelling
from brimful.config import check_positive, show
from brimful.errors import ConfigError
from brimful.kernels.texts import check_text, check_texts
from brimful.stages.counters import ExactCounter, count_with, is_approximate
from brimful.stages.counting import RuleCounter
from brimful.stages.taken_counters import take_counter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from brimful.config import Encoding
    from brimful.protocols import TokenCounter
    from brimful.stages.taken_counters import TextCounter

    AnyCounter: TypeAlias = "TokenCounter | TextCounter | Callable[[str], int]"

OPTIONS: Final = Spelling(("chars_per_token", "encoding_name"), ConfigError)
DEFAULT: Final = RuleCounter("utf16_div_4")
UNITS_A_TOKEN: Final = 4.0
"""What `DEFAULT` goes by."""


@dataclass(frozen=True, slots=True)
class RatioCounter:
    """A `TokenCounter` of UTF-16 units, which are JavaScript's length: `ceil(units / chars_per_token)`.

    Raises ConfigError for a ratio that is not above 0.

    >>> RatioCounter(2).count(["abcde", "向量"])
    [3, 1]
    """

    chars_per_token: float
    approximate: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the ratio."""
        object.__setattr__(self, "chars_per_token", check_positive("chars_per_token", self.chars_per_token))

    def count(self, texts: Sequence[str], /) -> list[int]:
        """Return the estimate of each text."""
        return [math.ceil(_utf16_units(text) / self.chars_per_token) for text in check_texts(texts)]


@dataclass(frozen=True, slots=True)
class OneOrMany:
    """A `TokenCounter` that takes one text as well, as the seed's counters do."""

    counter: TokenCounter

    @property
    def approximate(self) -> bool:
        """Whether the counter estimates."""
        return is_approximate(self.counter)

    @overload  # a str is a sequence of str as well
    def count(  # type: ignore[overload-overlap]
        self, texts: str, /
    ) -> int: ...
    @overload
    def count(self, texts: Sequence[str], /) -> list[int]: ...
    def count(self, texts: str | Sequence[str], /) -> int | list[int]:
        """Return the tokens of one text, or of each of a list."""
        if isinstance(texts, str):
            return count_with(self.counter, [texts])[0]
        return count_with(self.counter, check_texts(texts))


def create_token_counter(
    options: Mapping[str, Any] | None = None,
    *,
    chars_per_token: float = UNITS_A_TOKEN,
    encoding_name: Encoding | None = None,
) -> OneOrMany:
    """Return a counter of one text or of many: by a ratio, or exactly where an encoding is named.

    `options` are the same two in a mapping, in either spelling, and go before them.

    Raises ConfigError for a ratio that is not above 0 and for an encoding that is not built in.

    >>> create_token_counter({"charsPerToken": 3.5}).count("abcdefgh")
    3
    >>> create_token_counter(encoding_name="cl100k_base").count(["hello world", ""])
    [2, 0]
    """
    given = read_options(options)
    ratio = RatioCounter(given.get("chars_per_token", chars_per_token))
    encoding = given.get("encoding_name", encoding_name)
    if encoding is not None:
        return OneOrMany(ExactCounter(encoding))
    return OneOrMany(DEFAULT if ratio.chars_per_token == UNITS_A_TOKEN else ratio)


def read_options(options: object) -> dict[str, Any]:
    """Return the options of a counter that a mapping gives.

    Raises ConfigError for what is no mapping, and for an option that there is not.
    """
    if options is None:
        return {}
    if isinstance(options, Mapping):
        return OPTIONS.read("options", options)
    message = f"options must be a mapping or None, got {show(options)}"
    raise ConfigError(message)


def estimate_tokens(text: str, token_counter: AnyCounter | None = None) -> int:
    """Return the tokens of a text: a quarter of its UTF-16 units, rounded up, or what the counter says.

    Raises InputError for what is no `str` and for a counter that fails, ConfigError for what is none.

    >>> estimate_tokens("hello world"), estimate_tokens("one two", lambda text: len(text.split()))
    (3, 2)
    """
    return count_with(read_counter(token_counter), [check_text(text, name="text")])[0]


def read_counter(given: object) -> TokenCounter:
    """Return a counter of many texts: the seed's where None is given, a function's, or an object's with `count`.

    Raises ConfigError for anything else.
    """
    if given is None:
        return DEFAULT
    if isinstance(given, OneOrMany):
        return given.counter
    return given if isinstance(given, RatioCounter) else take_counter(given)


def _utf16_units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
