"""The pretokens of a text, whose bytes are then merged: the patterns of both encodings, rule by rule.

A pretoken is what the first rule that matches at a position takes. No rule looks at what is before it, so every end of
a pretoken is a place to begin. The patterns are those of `tiktoken_ext.openai_public` in tiktoken 0.14.0; `contract.py`
has them in words, and each rule here quotes its part of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from brimful.kernels._python.tokens.kinds import (
    LOWER,
    MARK,
    NEWLINE,
    NUMBER,
    OTHER_LETTER,
    SYMBOL,
    UPPER,
    WHITE_SPACE,
    Run,
    kinds_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from brimful.config import Encoding

    Rule: TypeAlias = Callable[["Scan", int], int]
    """Gives the end of the pretoken at a position; the position itself where the rule does not match."""

_LETTERS: Final = Run(UPPER, LOWER, OTHER_LETTER)
_CAPITALS: Final = Run(UPPER)
_NOT_LOWER: Final = Run(UPPER, OTHER_LETTER, MARK)
_NOT_UPPER: Final = Run(LOWER, OTHER_LETTER, MARK)
_NUMBERS: Final = Run(NUMBER, longest=3)
_SYMBOLS: Final = Run(SYMBOL, MARK)
_NEWLINES: Final = Run(NEWLINE)
_WHITE_SPACE: Final = Run(WHITE_SPACE, NEWLINE)

_PREFIXES: Final = WHITE_SPACE + SYMBOL + MARK
_NEWLINES_AND_SLASHES: Final = re.compile("[\r\n/]*")
_CONTRACTION: Final = re.compile("'(?:[sStTmMdD\u017f]|[lL]{2}|[vVrR][eE])")
"""What `(?i:...)` matches: U+017F, the long s, folds to s; no other letter outside ASCII folds to one of these."""


class Scan(NamedTuple):
    """A text and the kinds of its characters."""

    text: str
    kinds: bytes


def scan(text: str) -> Scan:
    """Return the text with its kinds. Linear."""
    return Scan(text, kinds_of(text))


def pretoken_ends(scanned: Scan, encoding: Encoding, start: int = 0) -> Iterator[int]:
    """Give the ends of the pretokens from a pretoken's beginning on. Linear, all together.

    >>> [*pretoken_ends(scan("It's 2024中文ABC"), "o200k_base")]
    [4, 5, 8, 9, 11, 14]
    """
    rules = RULES[encoding]
    while start < len(scanned.text):
        start = next(end for rule in rules if (end := rule(scanned, start)) > start)
        yield start


def _contraction(scanned: Scan, at: int) -> int:
    """`'(?i:[sdmt]|ll|ve|re)`."""
    found = _CONTRACTION.match(scanned.text, at)
    return found.end() if found else at


def _letters(scanned: Scan, at: int) -> int:
    r"""`[^\r\n\p{L}\p{N}]?+\p{L}++`."""
    start = _after_prefix(scanned, at)
    end = _LETTERS.end(scanned.kinds, start)
    return end if end > start else at


def _after_prefix(scanned: Scan, at: int) -> int:
    r"""`[^\r\n\p{L}\p{N}]?`: a mark is no letter here, and white space that ends no line may stand before a word."""
    return at + (scanned.kinds[at] in _PREFIXES)


def _word(scanned: Scan, at: int) -> int:
    r"""`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?`.

    Where no word is behind a mark, the mark itself is one.
    """
    for start in (_after_prefix(scanned, at), at):
        end = _end_of_word(scanned.kinds, start)
        if end > start:
            return _contraction(scanned, end)
    return at


def _end_of_word(kinds: bytes, start: int) -> int:
    """Find where the two parts of a word end; what comes first takes all it can.

    The second part needs a character. Where no lower case letter is left for it, it gets the last character of the
    first part that may be in both; capitals behind that one stay outside.
    """
    middle = _NOT_LOWER.end(kinds, start)
    end = _NOT_UPPER.end(kinds, middle)
    if end > middle:
        return end
    return start + len(kinds[start:middle].rstrip(UPPER))


def _capitals(scanned: Scan, at: int) -> int:
    r"""`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?`.

    Whatever has another letter or a mark than capitals is a word, by the rule before.
    """
    start = _after_prefix(scanned, at)
    end = _CAPITALS.end(scanned.kinds, start)
    return _contraction(scanned, end) if end > start else at


def _numbers(scanned: Scan, at: int) -> int:
    r"""`\p{N}{1,3}`."""
    return _NUMBERS.end(scanned.kinds, at)


def _symbols_and_newlines(scanned: Scan, at: int) -> int:
    r"""` ?[^\s\p{L}\p{N}]++[\r\n]*+`."""
    end = _symbols(scanned, at)
    return _NEWLINES.end(scanned.kinds, end) if end > at else at


def _symbols_newlines_and_slashes(scanned: Scan, at: int) -> int:
    r"""` ?[^\s\p{L}\p{N}]+[\r\n/]*`."""
    end = _symbols(scanned, at)
    found = _NEWLINES_AND_SLASHES.match(scanned.text, end)
    return found.end() if found and end > at else at


def _symbols(scanned: Scan, at: int) -> int:
    start = at + (scanned.text[at] == " ")
    end = _SYMBOLS.end(scanned.kinds, start)
    return end if end > start else at


def _white_space_at_the_end(scanned: Scan, at: int) -> int:
    r"""`\s++$`: newlines too."""
    end = _WHITE_SPACE.end(scanned.kinds, at)
    return end if end == len(scanned.kinds) else at


def _white_space_to_a_newline(scanned: Scan, at: int) -> int:
    r"""`\s*[\r\n]`, as well as `\s*[\r\n]+`: white space up to the last newline in it, that one included."""
    last = scanned.kinds.rfind(NEWLINE, at, _WHITE_SPACE.end(scanned.kinds, at))
    return at if last < 0 else last + 1


def _white_space_but_one(scanned: Scan, at: int) -> int:
    r"""`\s+(?!\S)`: the last of it may belong to what follows; nothing follows the text."""
    end = _WHITE_SPACE.end(scanned.kinds, at)
    return end if end == len(scanned.kinds) else max(end - 1, at)


def _white_space(scanned: Scan, at: int) -> int:  # noqa: ARG001 - a rule has the scan
    r"""`\s`, as well as `\s+`: nothing but a single white space is left."""
    return at + 1


RULES: Final[dict[Encoding, tuple[Rule, ...]]] = {
    "cl100k_base": (
        _contraction,
        _letters,
        _numbers,
        _symbols_and_newlines,
        _white_space_at_the_end,
        _white_space_to_a_newline,
        _white_space_but_one,
        _white_space,
    ),
    "o200k_base": (
        _word,
        _capitals,
        _numbers,
        _symbols_newlines_and_slashes,
        _white_space_to_a_newline,
        _white_space_but_one,
        _white_space,
    ),
}
"""The alternatives of each pattern, in its order."""
