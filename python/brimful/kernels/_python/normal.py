"""Normalization form C: UAX 15 at Unicode 16.0."""

from __future__ import annotations

import re
from typing import Final

from brimful.kernels._python import unicode_table

_SYLLABLES: Final = range(0xAC00, 0xD7A4)
_LEADS: Final = range(0x1100, 0x1113)
_VOWELS: Final = range(0x1161, 0x1176)
_TAILS: Final = range(0x11A7, 0x11C3)
"""The first stands for no tail."""

_UNSETTLED_SPAN: Final = re.compile(rb"\x00?\x01+")
"""A run of unsettled characters with the settled one before it: it composes with nothing around (UAX 15 section 9)."""


def nfc(text: str) -> str:
    r"""Return the NFC of a text. Linear but for the sorting of marks in a row.

    >>> nfc("e\u0301") == "\u00e9"
    True
    """
    if text.isascii():
        return text
    unsettled = unicode_table.column(text, lambda record: record.is_unsettled)
    pieces: list[str] = []
    copied = 0
    for span in _UNSETTLED_SPAN.finditer(unsettled):
        decomposed = [part for char in text[span.start() : span.end()] for part in _decompose(ord(char))]
        pieces += text[copied : span.start()], "".join(map(chr, _compose(_order(decomposed))))
        copied = span.end()
    return "".join((*pieces, text[copied:]))


def _decompose(code: int) -> list[int]:
    """Return the full canonical decomposition of a code point."""
    if code in _SYLLABLES:
        return _decompose_syllable(code)
    step = unicode_table.load().decompositions.get(code)
    return [code] if step is None else [part for piece in step for part in _decompose(piece)]


def _decompose_syllable(code: int) -> list[int]:
    """Return lead, vowel and, if there is one, tail (Unicode 3.12)."""
    rest, tail = divmod(code - _SYLLABLES.start, len(_TAILS))
    lead, vowel = divmod(rest, len(_VOWELS))
    return [_LEADS[lead], _VOWELS[vowel]] + ([_TAILS[tail]] if tail else [])


def _combining_class(code: int) -> int:
    return unicode_table.record(code).combining_class


def _order(codes: list[int]) -> list[int]:
    """Canonical ordering: sort each run of marks by combining class, equal ones as they come."""
    ordered: list[int] = []
    marks: list[int] = []
    for code in codes:
        if _combining_class(code):
            marks.append(code)
            continue
        ordered += sorted(marks, key=_combining_class)
        ordered.append(code)
        marks = []
    return ordered + sorted(marks, key=_combining_class)


def _compose(codes: list[int]) -> list[int]:
    """Canonical composition: each character joins the last starter unless something between blocks it (D115)."""
    composed: list[int] = []
    starter: int | None = None
    for code in codes:
        combining = _combining_class(code)
        if starter is not None:
            is_open = starter + 1 == len(composed) or _combining_class(composed[-1]) < combining
            joined = _join(composed[starter], code) if is_open else None
            if joined is not None:
                composed[starter] = joined
                continue
        if combining == 0:
            starter = len(composed)
        composed.append(code)
    return composed


def _join(first: int, second: int) -> int | None:
    """Return the primary composite of two code points: a lead and a vowel, a syllable and a tail, or one listed."""
    if first in _LEADS and second in _VOWELS:
        index = _LEADS.index(first) * len(_VOWELS) + _VOWELS.index(second)
        return _SYLLABLES[index * len(_TAILS)]
    if first in _SYLLABLES[:: len(_TAILS)] and second in _TAILS[1:]:
        return first + _TAILS.index(second)
    return unicode_table.load().composites.get((first, second))
