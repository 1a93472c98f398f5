"""Where lines may share tokens with the newline between them: at the beginning of one, at the end of another."""

from __future__ import annotations

import re
from string import ascii_letters, digits
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from brimful.config import Encoding

_PLAIN: Final = frozenset(ascii_letters + digits)
_CLOSING: Final = frozenset('.,:;!?)]}"*`')
_LETTERS: Final = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff\u0391-\u03a1\u03a3-\u03a9\u03b1-\u03c9\u0410-\u044f"
    "\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3"
)
LETTER: Final = re.compile(f"[{_LETTERS}]")
"""Some of the letters: those that are ones in every version of Unicode that anybody still has."""
_GAP: Final = re.compile(
    rf"""[{_LETTERS}](?=[0-9\ \t!"#$%&()*+,\-./:;<=>?@\[\\\]^_`{{|}}~]|\Z)"""
    rf"""|[0-9](?=[{_LETTERS}\ \t!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{{|}}~]|\Z)"""
    r"|\S(?=\ )"
)
"""Ends where no token reaches across, whatever is before and behind: behind a letter that a number, white space or a
sign follows which no contraction begins with, behind a number that no number follows, before a space."""


def find_joined(texts: Iterable[str]) -> list[int]:
    """Return the indices of texts that may share a token with newlines around them; from most it is told at a glance.

    >>> find_joined(["It rains", "It rains."])
    [1]
    """
    return [index for index, text in enumerate(texts) if not (text[-1:] in _PLAIN and text[:1].isalnum())]


def begins_anew(text: str, encoding: Encoding) -> bool:
    r"""Whether no token reaches into a text from a newline before it, whatever is before that.

    So it is where the text begins with anything but white space (nor with `/` in o200k_base, which belongs to the
    newlines before it), and where the white space that it begins with has no newline, because white space up to the
    last newline of a run is a token of its own.

    >>> begins_anew("  indented", "o200k_base"), begins_anew(" \n", "o200k_base")
    (True, False)
    """
    first = text[:1]
    if not first.isspace():
        return bool(first) and not (first == "/" and encoding == "o200k_base")
    lead = text[: len(text) - len(text.lstrip())]
    return len(lead) < len(text) and "\n" not in lead and "\r" not in lead


def find_head(text: str, encoding: Encoding) -> int | None:
    r"""Return the end of what may share tokens with a newline before the text; None where that is all of it and more.

    >>> find_head("\n\nA heading", "o200k_base"), find_head("/usr/bin", "o200k_base"), find_head("//", "o200k_base")
    (2, 4, None)
    """
    if begins_anew(text, encoding):
        return 0
    lead = text[: len(text) - len(text.lstrip())]
    end = max(lead.rfind("\n"), lead.rfind("\r")) + 1
    if end and begins_anew(text[end : len(lead) + 1], encoding):
        return end
    gap = _GAP.search(text)
    return None if gap is None else gap.end()


def find_tail(text: str, head: int) -> int:
    r"""Return the beginning of what may share tokens with a newline behind the text, at least `head`.

    Behind an ASCII letter or digit, a newline begins a token, and so does a closing sign, which no contraction begins
    with. Behind anything but white space, a space does.

    >>> find_tail("It rains", 0), find_tail("It rains.", 0), find_tail("It rains...", 0)
    (8, 8, 2)
    """
    end = len(text) - 1 if text[-1:] in _CLOSING else len(text)
    if text[end - 1 : end] in _PLAIN:
        return max(end, head)
    space = text.rfind(" ")
    if space > head and text[space - 1].isspace():
        space = len(text[:space].rstrip())
        if text[space] not in " \t":
            return head
    return max(space, head)
