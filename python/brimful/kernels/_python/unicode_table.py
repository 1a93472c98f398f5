"""The Unicode 16.0 table that both back ends read; `scripts/generate_unicode_table.py` describes its layout.

Read at the first question and kept: about 3 MB.
"""

from __future__ import annotations

import functools
import struct
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_HEAD: Final = struct.pack("<8sHBBI", b"brimfulU", 1, 16, 0, 128)
_BLOCK: Final = 128
_CODE_POINT_BITS: Final = 21
_CODE_POINT_MASK: Final = (1 << _CODE_POINT_BITS) - 1


class Record(NamedTuple):
    """What the table says of a code point."""

    class_: int
    script: int
    grapheme_break: int
    conjunct_break: int
    is_unsettled: bool
    """NFC quick check is not Yes, or the combining class is not 0."""
    decomposes: bool
    joins: bool
    """It is the second of a primary composite, Hangul included."""
    combining_class: int
    lower_offset: int
    """What lowering adds to the code point."""


class Table(NamedTuple):
    """The file, unpacked."""

    numbers: bytes
    """A byte a code point: the number of its record."""
    records: tuple[Record, ...]
    long_lowers: dict[int, str]
    decompositions: dict[int, tuple[int, ...]]
    """One step of canonical decomposition; Hangul syllables are not in it."""
    composites: dict[tuple[int, int], int]
    """The primary composites; Hangul syllables are not in it."""


@functools.cache
def load() -> Table:
    """Return the table. Raises ValueError when the file is of another layout: the package was put together wrongly."""
    data = resources.files("brimful").joinpath("data", "unicode-16.0.bin").read_bytes()
    if not data.startswith(_HEAD):
        message = "unicode-16.0.bin is of another layout than this version reads"
        raise ValueError(message)
    blocks = _section(data, 0, "H")
    pages = b"".join(number for (number,) in _section(data, 1, "c"))
    return Table(
        numbers=b"".join(pages[_BLOCK * page : _BLOCK * (page + 1)] for (page,) in blocks),
        records=tuple(_record(bits, offset) for bits, offset in _section(data, 2, "Ii")),
        long_lowers={code: chr(first) + chr(second) for code, first, second in _section(data, 3, "3I")},
        decompositions={
            code: (first, second) if second else (first,)
            for code, first, second in (_triple(entry) for (entry,) in _section(data, 4, "Q"))
        },
        composites={
            (first, second): code for first, second, code in (_triple(entry) for (entry,) in _section(data, 5, "Q"))
        },
    )


def _section(data: bytes, number: int, entry: str) -> list[tuple[Any, ...]]:
    start, length = struct.unpack_from("<II", data, len(_HEAD) + 8 * number)
    width = struct.calcsize(f"<{entry}")
    return list(struct.iter_unpack(f"<{entry}", data[start : start + width * length]))


def _triple(packed: int) -> tuple[int, int, int]:
    middle = packed >> _CODE_POINT_BITS & _CODE_POINT_MASK
    return packed >> 2 * _CODE_POINT_BITS, middle, packed & _CODE_POINT_MASK


def _record(bits: int, lower_offset: int) -> Record:
    return Record(
        class_=bits & 7,
        script=bits >> 3 & 7,
        grapheme_break=bits >> 6 & 15,
        conjunct_break=bits >> 10 & 3,
        is_unsettled=bool(bits >> 12 & 1),
        decomposes=bool(bits >> 13 & 1),
        joins=bool(bits >> 14 & 1),
        combining_class=bits >> 16 & 255,
        lower_offset=lower_offset,
    )


def record(code: int) -> Record:
    """Return what the table says of a code point."""
    table = load()
    return table.records[table.numbers[code]]


def column(text: str, answer: Callable[[Record], int]) -> bytes:
    """Return a byte a code point of `text`: the answer for its record, which is asked for once. Linear."""
    return record_numbers(text).translate(answers(answer))


def record_numbers(text: str) -> bytes:
    """Return a byte a code point of `text`: the number of its record."""
    return bytes(map(load().numbers.__getitem__, map(ord, text)))


def answers(answer: Callable[[Record], int]) -> bytes:
    """Return a byte a record: the answer for it. What `bytes.translate` takes."""
    return bytes(map(answer, load().records)).ljust(256, b"\0")


def members(holds: Callable[[Record], bool]) -> bytes:
    """Return a byte for each of the 1,114,112 code points: 1 where its record holds, else 0."""
    return load().numbers.translate(answers(holds))
