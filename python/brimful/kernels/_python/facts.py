"""What a text states that another may contradict: numbers and capitalised words."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from brimful.kernels._python.text import alphanumeric_runs
from brimful.kernels._python.unicode import Class, class_of, class_pattern, lower


@dataclass(frozen=True, slots=True)
class Facts:
    """The numbers and capitalised words of a text, and all its words to look others up in; all lower-cased."""

    numbers: frozenset[str]
    capitalised: frozenset[str]
    words: frozenset[str]


def facts_of(comparable: str) -> Facts:
    """Collect the facts of a text that is not lower-cased yet."""
    words = alphanumeric_runs().findall(comparable)
    return Facts(
        numbers=frozenset(_numbers().findall(lower(comparable))),
        capitalised=frozenset(lower(word) for word in words if class_of(word[0]) is Class.UPPER),
        words=frozenset(map(lower, words)),
    )


def contradict(one: Facts, other: Facts) -> bool:
    """Whether each states something that the other lacks."""
    return _states_more(one, other) and _states_more(other, one)


def _states_more(one: Facts, other: Facts) -> bool:
    return not (one.numbers <= other.numbers and one.capitalised <= other.words)


@functools.cache
def _numbers() -> re.Pattern[str]:
    digit = f"[{class_pattern(Class.NUMBER)}]"
    return re.compile(f"{digit}+(?:[.,]{digit}+)*")
