r"""What shows nothing, as explicit sets: they do not move with the Unicode tables of an interpreter.

Each set is the inside of a class of a regular expression: `[{SPACES}]`. No character is in two of them.
"""

from __future__ import annotations

from typing import Final

HARD_BREAKS: Final = "\n\r"
"""Everything that shows text begins a new line here."""

SOFT_BREAKS: Final = "\v\f\x1c-\x1e\x85\u2028\u2029"
"""`str.splitlines` begins a new line here; terminals and models often show nothing at all."""

LINE_SEPARATORS: Final = HARD_BREAKS + SOFT_BREAKS

SPACES: Final = "\t \xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""White space within a line: the tab and the general category Zs."""

INVISIBLE: Final = (
    "\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"  # controls; the others are white space or breaks
    "\xad\u034f\u061c\u17b4\u17b5"  # soft hyphen, grapheme joiner, Arabic letter mark, silent Khmer vowels
    "\u180b-\u180f\ufe00-\ufe0f"  # variation selectors and the Mongolian vowel separator
    "\u115f\u1160\u3164\uffa0\u2800"  # the blanks of Hangul and braille: letters and symbols without ink
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"  # zero width, joiners, marks of direction
    "\ufff0-\ufffb"  # annotation anchors and what Unicode keeps free for their like
    "\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"  # controls of shorthand and music, the null note head
    "\U000e0000-\U000e0fff"  # tags, more variation selectors and what Unicode keeps free for their like
)
"""Controls, default ignorable characters and blanks: nothing is seen of them, alone or between letters."""
