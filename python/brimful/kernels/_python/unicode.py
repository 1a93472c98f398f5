r"""What kind of character a character is, by the one Unicode 16.0 table that both back ends read.

Every Python carries another Unicode version, and with it other words and counts: no `str.lower`, `str.isalpha`,
`\w` or `unicodedata` in a kernel. A text is a string of code points; a lone surrogate is of class OTHER.
"""

from __future__ import annotations

import functools
import re
from enum import IntEnum
from typing import Final

from brimful.kernels._python import unicode_table


class Class(IntEnum):
    """The kinds of characters. White space has the property White_Space; the others are general categories."""

    UPPER = 0
    """Upper and title case letters: Lu, Lt."""
    LOWER = 1
    """Lower case letters: Ll."""
    OTHER_LETTER = 2
    """Letters without case: Lm, Lo."""
    MARK = 3
    """Marks: Mn, Mc, Me."""
    NUMBER = 4
    """Numbers: Nd, Nl, No."""
    WHITE_SPACE = 5
    """White_Space; U+001C to U+001F do not have it."""
    CONNECTOR = 6
    """Connector punctuation: Pc, among them the low line."""
    OTHER = 7
    """Anything else."""


class Script(IntEnum):
    """The scripts that are read apart: written without spaces between words, or in syllable blocks."""

    NONE = 0
    """Any other script, or none."""
    HAN = 1
    """Chinese characters."""
    KANA = 2
    """Hiragana and Katakana, with the prolonged sound marks U+30FC and U+FF70."""
    HANGUL = 3
    """Korean letters and syllables."""
    THAI = 4
    LAO = 5
    KHMER = 6
    MYANMAR = 7
    """Burmese and its relatives."""


LETTERS: Final = (Class.UPPER, Class.LOWER, Class.OTHER_LETTER)
ALPHANUMERICS: Final = (*LETTERS, Class.MARK, Class.NUMBER)
"""What alphanumeric words are runs of."""

_SEPARATOR_CONTROLS: Final = "\x1c\x1d\x1e\x1f"


def class_of(char: str) -> Class:
    """Return the class of a character.

    >>> class_of("ǅ").name
    'UPPER'
    """
    return Class(unicode_table.record(ord(char)).class_)


def script_of(char: str) -> Script:
    """Return the script group of a character.

    >>> script_of("ー").name
    'KANA'
    """
    return Script(unicode_table.record(ord(char)).script)


def classes_and_scripts(text: str) -> bytes:
    """Return a byte a code point: class, and script group shifted left by four bits. Linear."""
    return unicode_table.column(text, lambda record: record.class_ | record.script << 4)


def is_word_space(char: str) -> bool:
    """Return whether a character parts words: White_Space, or U+001C to U+001F, the set of `str.split()`."""
    return class_of(char) is Class.WHITE_SPACE or char in _SEPARATOR_CONTROLS


def lower(text: str) -> str:
    """Return the text with each character lower-cased, without a look at its neighbours. Linear.

    U+0130 lowers to two characters; final sigma U+03C2 folds to U+03C3.

    >>> lower("ΟΔΟΣ")
    'οδοσ'
    """
    return text.translate(_lowering())


@functools.cache
def _lowering() -> dict[int, int | str]:
    lowering: dict[int, int | str] = {}
    for code, number in enumerate(unicode_table.load().numbers):
        offset = unicode_table.load().records[number].lower_offset
        if offset:
            lowering[code] = code + offset
    return lowering | unicode_table.load().long_lowers


@functools.cache
def class_pattern(*classes: Class) -> str:
    r"""Return what stands between the brackets of a `re` character class that matches these classes.

    Explicit ranges, because what `\w` and `\s` match changes with the Python version.

    >>> re.findall(f"[{class_pattern(Class.NUMBER, Class.CONNECTOR)}]+", "a_1 ²")
    ['_1', '²']
    """
    members = unicode_table.members(lambda record: record.class_ in classes)
    return "".join(f"\\U{run.start():08X}-\\U{run.end() - 1:08X}" for run in re.finditer(rb"\x01+", members))
