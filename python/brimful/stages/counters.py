"""Counters of tokens: exact ones, and whatever somebody brings along, checked."""

from __future__ import annotations

import numbers
from collections.abc import Sequence as SequenceABC
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, cast, get_args

from brimful.config import MAX_TOKENS, Encoding, check_choice, check_flag, show
from brimful.errors import ConfigError, InputError
from brimful.kernels import active
from brimful.kernels.texts import check_texts, is_unordered, sound_texts
from brimful.stages.counting import EstimateCounter, RuleCounter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from brimful.protocols import TokenCounter

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class ExactCounter:
    """A `TokenCounter` of one encoding: the counts of `brimful.count_tokens`.

    Immutable; may be pickled and shared between threads. Raises ConfigError for an unknown encoding, InputError for
    what is no `str`, with its index.

    >>> ExactCounter("cl100k_base").count(["hello world", ""])
    [2, 0]
    >>> ExactCounter("p50k_base")
    Traceback (most recent call last):
    brimful.errors.ConfigError: encoding must be one of `cl100k_base`, `o200k_base`, got 'p50k_base'
    """

    approximate: ClassVar[bool] = False
    encoding: Encoding = "o200k_base"

    def __post_init__(self) -> None:
        """Check the encoding."""
        check_choice("encoding", self.encoding, get_args(Encoding))

    def count(self, texts: Iterable[str], /) -> list[int]:
        """Return the exact tokens of each text."""
        return active().list_counts(texts, encoding=self.encoding)


@dataclass(frozen=True, slots=True)
class CallableCounter:
    """A `TokenCounter` around a function; see `from_callable`."""

    function: Callable[[Any], Any]
    batch: bool = field(default=False, kw_only=True)
    approximate: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        """Check the fields."""
        if not callable(cast("object", self.function)):
            message = f"function must be callable, got {show(self.function)}"
            raise ConfigError(message)
        check_flag("batch", self.batch)
        check_flag("approximate", self.approximate)

    def count(self, texts: Iterable[str], /) -> list[int]:
        """Return what the function counts for each text, checked."""
        return _count_checked(show(self.function), self._count, sound_texts(check_texts(texts)))

    def _count(self, texts: list[str]) -> object:
        return self.function(texts) if self.batch else [self.function(text) for text in texts]


_OURS: Final = (ExactCounter, EstimateCounter, RuleCounter, CallableCounter)
"""They check themselves; a subclass may do otherwise."""


def from_callable(
    function: Callable[[str], int] | Callable[[list[str]], Sequence[int]],
    *,
    batch: bool = False,
    approximate: bool = False,
) -> CallableCounter:
    """Return a `TokenCounter` that asks a function: for the tokens of one text, or of a list of texts with `batch`.

    `approximate` says that what it counts is an estimate. The counter is as safe to share between threads, and to
    pickle, as the function is. Lone surrogates are repaired before it sees a text, as for every counter: few functions
    take them. Each count is checked: a whole number of at least 0, integers of numpy included, one
    a text.

    Raises ConfigError for what cannot be called. Counting raises InputError that names the function for a float,
    a negative number, a boolean, None, and for too few or too many of them; and where the function raises, with its
    error as the cause.

    >>> from_callable(lambda text: len(text.split())).count(["one two", ""])
    [2, 0]
    >>> from_callable(lambda texts: [len(text) / 4 for text in texts], batch=True).count(["abcd"])
    Traceback (most recent call last):
    brimful.errors.InputError: token counter <function <lambda> at 0x...> must give whole numbers..., got 1.0 for ...
    """
    return CallableCounter(function, batch=batch, approximate=approximate)


def count_with(counter: TokenCounter, texts: Sequence[str]) -> list[int]:
    """Return what a counter says of the texts, checked: it may be anybody's. It is not asked about no text.

    Raises InputError that names the counter where it raises, and for counts that are none.
    """
    if not texts:
        return []
    if type(counter) in _OURS:
        return list(counter.count(texts))

    def count(given: Sequence[str]) -> object:
        return counter.count(given)  # read in here: it may be a property that raises

    return _count_checked(show(counter), count, texts)


def check_counter(counter: object, *, name: str = "token_counter") -> TokenCounter:
    """`counter`, which must have a method `count`; `name` is that of the option."""
    try:
        count = getattr(counter, "count", None)
    except Exception as error:
        message = f"{name} {show(counter)} must have a method `count(texts)`, reading it failed: {show(error)}"
        raise ConfigError(message) from error
    if callable(count) and not isinstance(counter, (SequenceABC, type)):
        return cast("TokenCounter", counter)
    hint = "\nhint: pass `from_callable(function)`" if callable(counter) else ""
    message = f"{name} must have a method `count(texts)`, got {show(counter)}{hint}"
    raise ConfigError(message)


def is_approximate(counter: TokenCounter) -> bool:
    """Whether a counter says that it estimates: one that says nothing is taken at its word.

    Raises InputError that names the counter where it cannot say.
    """
    if type(counter) in _OURS:
        return bool(counter.approximate)  # type: ignore[attr-defined]  # its type is known by now
    return shield(show(counter), lambda asked: bool(getattr(asked, "approximate", False)), counter)


def _count_checked(name: str, count: Callable[[Any], object], texts: Sequence[str]) -> list[int]:
    counts = _listed(name, shield(name, count, list(texts)))  # a list of its own: it may do with it as it likes
    if len(counts) != len(texts):
        message = f"token counter {name} must give {len(texts):,} counts, one a text, got {len(counts):,}"
        raise InputError(message)
    for index, number in enumerate(counts):
        if isinstance(number, bool) or not isinstance(number, numbers.Integral) or not 0 <= int(number) <= MAX_TOKENS:
            message = f"token counter {name} must give whole numbers of at least 0, got {show(number)} for text {index}"
            raise InputError(message)
    return [int(number) for number in counts]


def _listed(name: str, counts: object) -> list[Any]:
    if is_unordered(counts):
        message = f"token counter {name} must give counts in an order, got {show(counts)}"
        raise InputError(message)
    return shield(name, list, counts)


def shield(name: str, function: Callable[[Any], Answer], argument: object) -> Answer:
    """Call a part of a counter that is not ours.

    Raises InputError that names the counter, with what it raised as the cause.
    """
    try:
        return function(argument)
    except BaseException as error:
        # A panic of an extension made with PyO3 is no Exception; tiktoken's do so on a million spaces.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        message = f"token counter {name} failed: {show(error)}"
        raise InputError(message) from error
