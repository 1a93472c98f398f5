# /// script
# requires-python = ">=3.11"
# dependencies = ["regex==2025.8.29", "unicodedataplus==16.0.0.post1"]
# ///
"""Writes `python/brimful/data/unicode-16.0.bin`, the one Unicode table that both back ends read.

    pip install regex==2025.8.29 unicodedataplus==16.0.0.post1
    python scripts/generate_unicode_table.py            # writes the table
    python scripts/generate_unicode_table.py --check    # fails when the committed table is another one

Sources
-------
Categories, scripts, White_Space, grapheme breaks, conjunct breaks and pictographs are what `regex` 2025.8.29 matches;
combining classes, decompositions, names and ages are those of `unicodedataplus` 16.0.0. Both carry the Unicode
Character Database 16.0; the second leaves out the break properties of unassigned code points, hence the first.

Lower case is the one property that no Python package carries at 16.0. Unicode's stability policy keeps a case pair
for ever once both its letters are assigned, so `str.lower` of any Python since 3.11 (Unicode 14.0) is right where the
letter and its small form were assigned by 14.0. All capitals that came later have a small form of the same name.
`rust/core/tests/unicode.rs` compares the outcome with the crate `unicode-case-mapping` at 16.0 for every code point.
Final sigma U+03C2 lowers to U+03C3, which is ours: lowering then needs no look at the neighbours.

"Unsettled" (NFC quick check No or Maybe, or combining class not 0; UAX 15 section 9) is derived: No where NFC changes
the character itself; Maybe where it is the second of a primary composite, or begins with such a one when decomposed.

Layout (little endian, every section begins at a multiple of 8)
---------------------------------------------------------------
    0   8 bytes   magic "brimfulU"
    8   u16       layout version, 1
    10  u8, u8    Unicode version, 16 and 0
    12  u32       code points a block, 128
    16  u32, u32  byte offset and number of entries, for each of the six sections:

    blocks          u16       page number of code point // 128
    pages           u8        record number; page p holds entries 128 p to 128 p + 127
    records         u32, i32  bits, and what lowering adds to the code point
    long_lowers     3 x u32   code point, and the two it lowers to, where they are two
    decompositions  u64       code point << 42 | first << 21 | second (0 for none), ascending; one level, canonical
    composites      u64       first << 42 | second << 21 | code point, ascending; primary composites only

Hangul syllables decompose and compose by arithmetic (Unicode 3.12) and are in neither of the last two.

Bits of a record, lowest first: 3 class, 3 script, 4 grapheme break, 2 conjunct break, 1 unsettled, 1 decomposes,
1 joins (is the second of a composite, Hangul included), 1 unused, 8 combining class. The first four are positions in
`CLASSES`, `SCRIPTS`, `BREAKS` and `CONJUNCTS` below.
"""

from __future__ import annotations

import argparse
import struct
import sys
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import regex
import unicodedataplus as ucd

TABLE = Path(__file__).resolve().parent.parent / "python" / "brimful" / "data" / "unicode-16.0.bin"
PINS = {"regex": "2025.8.29", "unicodedataplus": "16.0.0.post1"}
MAGIC, LAYOUT, UNICODE = b"brimfulU", 1, (16, 0)
CODE_POINTS, BLOCK = 0x110000, 128

REST = r"(?!)"
CLASSES = (r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}", r"\p{N}", r"\p{White_Space}", r"\p{Pc}", REST)
SCRIPTS = (REST, r"\p{Han}", r"[\p{Hiragana}\p{Katakana}\u30FC\uFF70]", r"\p{Hangul}", r"\p{Thai}", r"\p{Lao}",
           r"\p{Khmer}", r"\p{Myanmar}")  # fmt: skip
BREAKS = (REST, r"\p{GCB=CR}", r"\p{GCB=LF}", r"\p{GCB=Control}", r"\p{GCB=Extend}", r"\p{GCB=ZWJ}",
          r"\p{GCB=Regional_Indicator}", r"\p{GCB=Prepend}", r"\p{GCB=SpacingMark}", r"\p{GCB=L}", r"\p{GCB=V}",
          r"\p{GCB=T}", r"\p{GCB=LV}", r"\p{GCB=LVT}", r"\p{Extended_Pictographic}")  # fmt: skip
CONJUNCTS = (REST, r"\p{InCB=Consonant}", r"\p{InCB=Extend}", r"\p{InCB=Linker}")
CATEGORIES = (CLASSES, SCRIPTS, BREAKS, CONJUNCTS)

SYLLABLES = range(0xAC00, 0xD7A4)
JOINING_JAMO = {*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)}
DOTTED_CAPITAL_I, FINAL_SIGMA, SIGMA = 0x130, 0x3C2, 0x3C3
LONG_LOWERS = [(DOTTED_CAPITAL_I, ord("i"), 0x307)]


class Composition(NamedTuple):
    """What composition and decomposition need: the pairs of each code point, and the sets derived from them."""

    pairs: dict[int, tuple[int, int]]
    composites: set[int]
    joining: set[int]
    unsettled: set[int]


def _column(patterns: tuple[str, ...]) -> bytes:
    """Give the position of the pattern that each code point matches; that of `REST` where it matches none."""
    text = "".join(map(chr, range(CODE_POINTS)))
    column = bytearray([patterns.index(REST)]) * CODE_POINTS
    for position, pattern in enumerate(patterns):
        for match in regex.finditer(f"{pattern}+", text):
            if set(column[match.start() : match.end()]) != {patterns.index(REST)}:
                message = f"U+{match.start():04X} or its neighbours match {pattern} and an earlier pattern"
                raise ValueError(message)
            column[match.start() : match.end()] = bytes([position]) * len(match[0])
    return bytes(column)


def _assigned_by_14(character: str) -> bool:
    age = ucd.age(character)
    return age != "Unassigned" and tuple(map(int, age.split("."))) <= (14, 0)


def _lower(code: int) -> int:
    """One code point; `LONG_LOWERS` has the only two-letter mapping."""
    character = chr(code)
    if code == FINAL_SIGMA:
        return SIGMA
    if code == DOTTED_CAPITAL_I or ucd.category(character) == "Cn":
        return code
    if _assigned_by_14(character):
        lower = character.lower()
        return ord(lower) if len(lower) == 1 and _assigned_by_14(lower) else code
    if ucd.category(character) != "Lu":
        return code
    return ord(ucd.lookup(ucd.name(character).replace(" CAPITAL LETTER ", " SMALL LETTER ")))


def _pairs() -> dict[int, tuple[int, int]]:
    pairs = {}
    for code in range(CODE_POINTS):
        mapping = ucd.decomposition(chr(code))
        if mapping and mapping[0] != "<":
            first, second = (*(int(part, 16) for part in mapping.split()), 0)[:2]
            pairs[code] = (first, second)
    return pairs


def _composition() -> Composition:
    pairs = _pairs()
    changed = {code for code in pairs if ucd.normalize("NFC", chr(code)) != chr(code)}
    composites = {code for code in pairs if code not in changed}
    joining = {pairs[code][1] for code in composites} | JOINING_JAMO
    begins_joining = {code for code in pairs if ord(ucd.normalize("NFD", chr(code))[0]) in joining}
    marks = {code for code in range(CODE_POINTS) if ucd.combining(chr(code))}
    return Composition(pairs, composites, joining, changed | joining | begins_joining | marks)


def _record(code: int, categories: tuple[int, ...], composition: Composition) -> tuple[int, int]:
    of_class, script, grapheme_break, conjunct_break = categories
    bits = of_class | script << 3 | grapheme_break << 6 | conjunct_break << 10
    bits |= (code in composition.unsettled) << 12
    bits |= (code in composition.pairs or code in SYLLABLES) << 13
    bits |= (code in composition.joining) << 14
    bits |= ucd.combining(chr(code)) << 16
    return bits, _lower(code) - code


def _records(composition: Composition) -> list[tuple[int, int]]:
    columns = zip(*map(_column, CATEGORIES), strict=True)
    return [_record(code, categories, composition) for code, categories in enumerate(columns)]


def _trie(records: list[tuple[int, int]]) -> tuple[bytes, bytes, bytes]:
    """Lay out the three stages: blocks, pages and records, each numbered by first appearance."""
    numbers: dict[tuple[int, int], int] = {}
    ids = bytes(numbers.setdefault(record, len(numbers)) for record in records)
    pages: dict[bytes, int] = {}
    blocks = [pages.setdefault(ids[start : start + BLOCK], len(pages)) for start in range(0, len(ids), BLOCK)]
    packed = b"".join(struct.pack("<Ii", *record) for record in numbers)
    return struct.pack(f"<{len(blocks)}H", *blocks), b"".join(pages), packed


def _packed(triples: list[tuple[int, int, int]]) -> bytes:
    keys = sorted(first << 42 | second << 21 | third for first, second, third in triples)
    return struct.pack(f"<{len(keys)}Q", *keys)


def table() -> bytes:
    """Return the whole file, the same bytes from every Python since 3.11."""
    for package, pinned in PINS.items():
        if version(package) != pinned:
            message = f"{package} must be {pinned}, which carries Unicode 16.0, got {version(package)}"
            raise ValueError(message)
    composition = _composition()
    blocks, pages, records = _trie(_records(composition))
    long_lowers = b"".join(struct.pack("<3I", *entry) for entry in LONG_LOWERS)
    decompositions = _packed([(code, *pair) for code, pair in composition.pairs.items()])
    composites = _packed([(*composition.pairs[code], code) for code in composition.composites])
    sections = [(blocks, 2), (pages, 1), (records, 8), (long_lowers, 12), (decompositions, 8), (composites, 8)]
    head = struct.pack("<8sHBBI", MAGIC, LAYOUT, *UNICODE, BLOCK)
    start = len(head) + 8 * len(sections)
    body = b""
    for content, width in sections:
        head += struct.pack("<II", start + len(body), len(content) // width)
        body += content + bytes(-len(content) % 8)
    return head + body


def main() -> int:
    """Write or check the table; the exit status says whether it was the same."""
    parser = argparse.ArgumentParser(description="Write the Unicode table that both back ends read")
    parser.add_argument("--check", action="store_true", help="compare with the committed table, write nothing")
    check = parser.parse_args().check
    fresh = table()
    if not check:
        TABLE.parent.mkdir(parents=True, exist_ok=True)
        TABLE.write_bytes(fresh)
        sys.stdout.write(f"{TABLE.name}: {len(fresh)} bytes\n")
        return 0
    same = TABLE.exists() and TABLE.read_bytes() == fresh
    sys.stdout.write(f"{TABLE.name} is {'current' if same else 'another table than the one generated'}\n")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
