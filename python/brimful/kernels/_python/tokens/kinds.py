"""What the patterns of the encodings tell apart: a letter a code point, so that runs can be looked for."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final

from brimful.kernels._python import unicode_table
from brimful.kernels._python.grapheme import Break
from brimful.kernels._python.unicode import Class

if TYPE_CHECKING:
    from brimful.kernels._python.unicode_table import Record

UPPER: Final = b"U"
"""Lu and Lt."""
LOWER: Final = b"l"
OTHER_LETTER: Final = b"o"
"""Lm and Lo: both upper and lower to the patterns."""
MARK: Final = b"m"
NUMBER: Final = b"n"
WHITE_SPACE: Final = b"s"
"""White_Space but the newlines; U+001C to U+001F are symbols."""
NEWLINE: Final = b"r"
"""U+000A and U+000D; no other character ends a line here."""
SYMBOL: Final = b"p"
"""Anything else."""

_OF_CLASS: Final = {
    Class.UPPER: UPPER,
    Class.LOWER: LOWER,
    Class.OTHER_LETTER: OTHER_LETTER,
    Class.MARK: MARK,
    Class.NUMBER: NUMBER,
    Class.WHITE_SPACE: WHITE_SPACE,
    Class.CONNECTOR: SYMBOL,
    Class.OTHER: SYMBOL,
}
_LINE_BREAKS: Final = (Break.CR, Break.LF)


def kinds_of(text: str) -> bytes:
    r"""Return the kind of each code point. Linear.

    >>> kinds_of("Ab 字\u0301\n1\x1c_")
    b'Ulsomrnpp'
    """
    return unicode_table.record_numbers(text).translate(_kinds())


@functools.cache
def _kinds() -> bytes:
    # Kept, because most texts are shorter than the table has records.
    return unicode_table.answers(_kind)


def _kind(record: Record) -> int:
    kind = NEWLINE if record.grapheme_break in _LINE_BREAKS else _OF_CLASS[Class(record.class_)]
    return kind[0]


class Run:
    """A maximal run of some kinds.

    >>> Run(LOWER, MARK).end(b"Ullmp", 1)
    4
    """

    def __init__(self, *kinds: bytes, longest: int | None = None) -> None:
        """Take the kinds that belong to the run, and how many characters it may have."""
        repeats = "*" if longest is None else f"{{0,{longest}}}"
        self._pattern = re.compile(f"[{b''.join(kinds).decode()}]{repeats}".encode())

    def end(self, kinds: bytes, start: int) -> int:
        """Return where the run that begins at `start` ends: there, where it has no character."""
        found = self._pattern.match(kinds, start)
        return found.end() if found else start
