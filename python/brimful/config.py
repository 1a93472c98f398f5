"""Options, checked when they are given: the one home of what an option may be.

Every check takes the option's name first, so that a message names it as the caller wrote it.
"""

from __future__ import annotations

import contextlib
import math
import numbers
import os
import reprlib
import sys
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final, Literal, cast, get_args

from brimful.errors import ConfigError, InputError

if TYPE_CHECKING:
    from collections.abc import Collection

Words = Literal["whitespace", "alphanumeric"]
Shingles = Literal["words", "auto"]
EstimateRule = Literal["words_div_4", "words_times_1_3", "utf16_div_4", "chars_div_4", "script", "script_safe"]
AdditiveRule = Literal["script", "script_safe"]
Encoding = Literal["cl100k_base", "o200k_base"]
Order = Literal["edges", "score", "input"]
Cut = Literal["end", "start", "middle"]
Boundary = Literal["grapheme", "word", "sentence"]
First = Literal["relevance", "score"]
Detail = Literal["auto", "low", "high"]
Backend = Literal["auto", "rust", "python"]
_FIRST: Final = get_args(First)  # read once: a selection among few candidates takes no longer than ten such reads

MAX_SHINGLE_SIZE: Final = 32
MAX_TOKENS: Final = 2**53
"""Budgets above this are no budgets: a count could no longer be compared exactly as a float."""
LONGEST_SHOWN: Final = 60


_short = reprlib.Repr()
_short.maxstring = _short.maxlong = _short.maxother = 2 * LONGEST_SHOWN


def show(value: object) -> str:
    """`repr` of the first items, cut at 60 characters: a message stays one line, and cheap to make."""
    try:
        text = " ".join(_short.repr(value).split())
    except Exception:  # noqa: BLE001 - a message about a value must not fail because the value cannot show itself
        return f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN].rstrip('.')}..."


def check_choice(name: str, value: object, choices: Collection[str]) -> str:
    """`value`, which must be one of `choices`."""
    if isinstance(value, str) and value in choices:
        return value
    listed = ", ".join(f"`{choice}`" for choice in choices)
    message = f"{name} must be one of {listed}, got {show(value)}"
    raise ConfigError(message)


def check_flag(name: str, value: object) -> bool:
    """`value`, which must be True or False: a 0 or a "no" is more often a slip than a wish."""
    if isinstance(value, bool):
        return value
    message = f"{name} must be True or False, got {show(value)}"
    raise ConfigError(message)


def check_integer(name: str, value: object, *, low: int, high: int) -> int:
    """`value` as an int from `low` to `high`; booleans are refused, integers of numpy taken."""
    if type(value) is int and low <= value <= high:  # most are; to ask for an abstract class is slow
        return value
    if not isinstance(value, bool) and isinstance(value, numbers.Integral) and low <= int(value) <= high:
        return int(value)
    message = f"{name} must be a whole number from {low:,} to {high:,}, got {show(value)}"
    raise ConfigError(message)


def check_finite(name: str, value: object) -> float:
    """`value` as a finite float; booleans are refused."""
    number = as_finite(value)
    if number is not None:
        return number
    message = f"{name} must be a finite number, got {show(value)}"
    raise ConfigError(message)


def check_positive(name: str, value: object) -> float:
    """`value` as a finite float above 0."""
    number = as_finite(value)
    if number is not None and number > 0:
        return number
    message = f"{name} must be a finite number above 0, got {show(value)}"
    raise ConfigError(message)


def check_number(name: str, value: object) -> float:
    """`value` as a float that may be infinite or NaN; booleans are refused."""
    if not isinstance(value, bool) and isinstance(value, numbers.Real):
        with contextlib.suppress(OverflowError):
            return float(value)
    message = f"{name} must be a number, got {show(value)}"
    raise ConfigError(message)


def check_share(name: str, value: object) -> float:
    """`value` as a float from 0 to 1."""
    number = as_finite(value)
    if number is not None and 0 <= number <= 1:
        return number or 0.0  # -0.0 is 0.0, also in what is remembered by its options
    message = f"{name} must be between 0 and 1, got {show(value)}"
    raise ConfigError(message)


def check_callable(name: str, value: object) -> None:
    """Refuse what cannot be called."""
    if not callable(value):
        message = f"{name} must be callable, got {show(value)}"
        raise ConfigError(message)


def as_finite(value: object) -> float | None:
    """`value` as a float where it is a finite number, numpy's included and booleans not; else None."""
    if type(value) is float:
        return value if math.isfinite(value) else None
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class NearDuplicateOptions:
    """When two texts count as the same; see `brimful.kernels.contract` for the definitions.

    `shingle_size` words a shingle, 1 to 32. A text repeats a kept one when their Jaccard similarity reaches
    `threshold`, or when the share of its own shingles that the kept one has reaches `containment` (None: not
    asked). Both may be any finite number: at 0 or below every text repeats the first, above 1 none does.
    `words` are runs between white space, or runs of letters, marks and numbers ("alphanumeric").
    `shingles="auto"` takes character 5-grams where a text is mostly in a script written without spaces.
    `normalize` compares under NFC and without a leading byte order mark. `distinguish_facts` keeps two texts
    apart when each has a number or a capitalised word that the other lacks.

    >>> NearDuplicateOptions(shingle_size=0)
    Traceback (most recent call last):
    brimful.errors.ConfigError: shingle_size must be a whole number from 1 to 32, got 0
    """

    shingle_size: int = 5
    threshold: float = 0.85
    containment: float | None = None
    words: Words = "whitespace"
    shingles: Shingles = "words"
    normalize: bool = False
    distinguish_facts: bool = False

    def __post_init__(self) -> None:
        """Check every field, and store plain ints and floats."""
        checked = {
            "shingle_size": check_integer("shingle_size", self.shingle_size, low=1, high=MAX_SHINGLE_SIZE),
            "threshold": check_finite("threshold", self.threshold),
            "containment": None if self.containment is None else check_finite("containment", self.containment),
            "words": check_choice("words", self.words, get_args(Words)),
            "shingles": check_choice("shingles", self.shingles, get_args(Shingles)),
            "normalize": check_flag("normalize", self.normalize),
            "distinguish_facts": check_flag("distinguish_facts", self.distinguish_facts),
        }
        for field in fields(self):
            object.__setattr__(self, field.name, checked[field.name])


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionOptions:
    """How candidates are selected; see `brimful.mmr_select`.

    Raises ConfigError, and InputError for a negative limit.
    """

    mmr_lambda: float = 0.5
    first: First = "relevance"
    limit: int | None = None
    budget: int | None = None
    encoding: Encoding | None = None

    def __post_init__(self) -> None:
        """Check every field, and store plain ints and floats."""
        if self.encoding is not None:
            check_choice("encoding", self.encoding, get_args(Encoding))
        share, limit = check_share("mmr_lambda", self.mmr_lambda), _check_limit(self.limit)
        check_choice("first", self.first, _FIRST)
        if share is not self.mmr_lambda:  # most are as they should be, and to store them again takes its time
            object.__setattr__(self, "mmr_lambda", share)
        if limit is not self.limit:
            object.__setattr__(self, "limit", limit)
        if self.budget is not None:
            object.__setattr__(self, "budget", check_integer("budget", self.budget, low=0, high=MAX_TOKENS))


def _check_limit(limit: object) -> int | None:
    if limit is None or (type(limit) is int and 0 <= limit <= sys.maxsize):
        return limit
    if isinstance(limit, numbers.Integral) and int(limit) < 0:
        message = f"limit must not be negative, got {show(limit)}"
        raise InputError(message)
    return check_integer("limit", limit, low=0, high=sys.maxsize)


@dataclass(frozen=True, slots=True, kw_only=True)
class TruncationOptions:
    """How texts are cut; see `brimful.truncate`. What tokens are is said by a rule or by an encoding.

    Raises ConfigError, also where both are given or neither is.
    """

    rule: EstimateRule | None = None
    encoding: Encoding | None = None
    cut: Cut = "end"
    boundary: Boundary = "word"
    marker: str = ""

    def __post_init__(self) -> None:
        """Check every field."""
        if (self.rule is None) == (self.encoding is None):
            message = (
                f"one of rule and encoding must be given, got rule {show(self.rule)}, encoding {show(self.encoding)}"
            )
            raise ConfigError(message)
        if self.rule is not None:
            check_choice("rule", self.rule, get_args(EstimateRule))
        if self.encoding is not None:
            check_choice("encoding", self.encoding, get_args(Encoding))
        check_choice("cut", self.cut, get_args(Cut))
        check_choice("boundary", self.boundary, get_args(Boundary))
        if not isinstance(cast("object", self.marker), str):
            message = f"marker must be a str, got {show(self.marker)}"
            raise ConfigError(message)


def read_backend() -> Backend:
    """`BRIMFUL_BACKEND`: `auto` when it is not set or empty."""
    value = os.environ.get("BRIMFUL_BACKEND") or "auto"
    return cast("Backend", check_choice("BRIMFUL_BACKEND", value, get_args(Backend)))


def read_threads() -> int:
    """`BRIMFUL_NUM_THREADS`: as many as this process has processors when it is not set or empty."""
    value = os.environ.get("BRIMFUL_NUM_THREADS") or ""
    if not value:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    number = int(value) if value.isascii() and value.isdigit() else value
    return check_integer("BRIMFUL_NUM_THREADS", number, low=1, high=1024)
