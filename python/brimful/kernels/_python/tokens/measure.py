"""Exact counts of what is left of a text when something is taken out of it, without counting all of it each time.

Two facts save the work. No rule of the encodings looks at what is before a pretoken: wherever one ends, the rest counts
as the rest of the text does that begins there. And a rule looks only so far ahead: where all that it looked at stays,
the pretoken is settled, whatever comes next.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from brimful.kernels._python.tokens.count import count_pretoken
from brimful.kernels._python.tokens.kinds import NEWLINE, UPPER, WHITE_SPACE, Run
from brimful.kernels._python.tokens.pretokens import Scan, pretoken_ends, scan
from brimful.kernels._python.tokens.sequence import LONGEST_TOKEN, Beginnings, Ends, count_joined

if TYPE_CHECKING:
    from brimful.config import Encoding

_CAPITALS: Final = Run(UPPER)
_ANY_SPACE: Final = Run(WHITE_SPACE, NEWLINE)
_LONGEST_CONTRACTION: Final = 3
_PARTED: Final = re.compile(rb"(?<=[Ulo])(?=[nsrp])|(?<=n)(?=[^n])|(?<=[^n])(?=n)")
"""Places that are inside no pretoken of any text; but an apostrophe behind a letter may begin a contraction."""
_SHORT: Final = 64
"""Characters of a pretoken that is rather merged anew."""


class Measure:
    """A text and its exact counts, as far as a budget reaches."""

    def __init__(self, text: str, encoding: Encoding, budget: int) -> None:
        """Count the pretokens from the first on, to the end or to the one that is over the budget."""
        self._scanned, self._encoding, self._budget = scan(text), encoding, budget
        self._starts, self._totals = [0], [0]
        """Where pretokens begin, and the tokens before each."""
        self._looked: list[int] = []
        """How far the rules looked for the pretokens up to each."""
        self._parted = (0, 0)
        self._after = {len(text): 0}
        """The tokens of the ends of the text."""
        self._beginnings: dict[int, tuple[Beginnings, list[int]]] = {}
        self._ends: dict[int, tuple[Ends, list[int]]] = {}
        """By where a long pretoken begins or ends; with the number of bytes of its first or last characters."""
        for end in pretoken_ends(self._scanned, encoding):
            self._pass_over(end)
            if self._totals[-1] > budget:
                break

    def _pass_over(self, end: int) -> None:
        start, total = self._starts[-1], self._totals[-1]
        if total + least_tokens(end - start) > self._budget:
            count = self._budget - total + 1
        else:
            count = count_pretoken(self._scanned.text[start:end], self._encoding)
        self._starts.append(end)
        self._totals.append(total + count)
        self._looked.append(max([how_far_it_looked(self._scanned.kinds, end), *self._looked[-1:]]))

    def whole(self) -> int | None:
        """Return the tokens of the text, or None where they are over the budget."""
        return self._totals[-1] if self._totals[-1] <= self._budget else None

    def count(self, head: int, marker: Scan, tail: int) -> int:
        """Return the tokens of `text[:head] + marker + text[tail:]`."""
        start, total = self._settled(head)
        text, kinds = self._scanned
        around = Scan(text[start:head] + marker.text + text[tail:], kinds[start:head] + marker.kinds + kinds[tail:])
        joint = head - start + len(marker.text)
        at = 0
        for end in pretoken_ends(around, self._encoding) if joint else ():
            if end - at <= _SHORT:
                total += count_pretoken(around.text[at:end], self._encoding)
            else:
                inserted = marker.text[max(at - (head - start), 0) : max(end - (head - start), 0)]
                total += self._count_long((start + at, min(start + end, head)), inserted, (tail, tail + end - joint))
            at = end
            if at >= joint:
                break
        return total + self._count_after(tail + at - joint)

    def _settled(self, head: int) -> tuple[int, int]:
        """Give where the settled pretokens of `text[:head]` end, whatever comes behind it, and their tokens."""
        number = bisect_right(self._looked, head)
        return self._starts[number], self._totals[number]

    def _count_after(self, start: int) -> int:
        """Count `text[start:]`: pretoken for pretoken, up to a place from which it has been counted."""
        passed = [start]
        ends = pretoken_ends(self._scanned, self._encoding, start)
        while passed[-1] not in self._after:
            passed.append(next(ends))
        for at, end in itertools.pairwise(passed[::-1]):
            self._after[end] = self._after[at] + self._count_short_or_long(end, at)
        return self._after[start]

    def _count_short_or_long(self, start: int, end: int) -> int:
        if end - start <= _SHORT:
            return count_pretoken(self._scanned.text[start:end], self._encoding)
        ends, size = self._end(start, end)
        return ends.counts[size]

    def _count_long(self, before: tuple[int, int], inserted: str, after: tuple[int, int]) -> int:
        """Count a pretoken made of a piece of the text, of what is inserted and of another piece of the text.

        Each may be empty, a piece also with its end before its start.
        """
        beginnings = self._beginning(*before) if before[0] < before[1] else Beginnings(self._encoding)
        for byte in inserted.encode():
            beginnings.push(byte)
        if after[0] >= after[1]:
            return beginnings.counts[-1]
        return count_joined(beginnings, *self._end(*after))

    def _beginning(self, start: int, end: int) -> Beginnings:
        """Give the tokens of `text[start:end]`, kept for all ends."""
        beginnings, sizes = self._beginnings.setdefault(start, (Beginnings(self._encoding), [0]))
        for char in self._scanned.text[start + len(sizes) - 1 : end]:
            for byte in char.encode():
                beginnings.push(byte)
            sizes.append(sizes[-1] + len(char.encode()))
        return beginnings.branch(sizes[end - start])

    def _end(self, start: int, end: int) -> tuple[Ends, int]:
        """Give the tokens of `text[start:end]`, kept for all starts, and its size in bytes."""
        ends, sizes = self._ends.setdefault(end, (Ends(self._encoding), [0]))
        for char in reversed(self._scanned.text[start : end - len(sizes) + 1]):
            for byte in reversed(char.encode()):
                ends.push(byte)
            sizes.append(sizes[-1] + len(char.encode()))
        return ends, sizes[end - start]

    def least(self, head: int, tail: int) -> int:
        """Return a number of tokens that a piece with this head and this tail does not go below. It costs little.

        It does not fall as the head grows, nor as the tail does. One token may be of both.
        """
        start, total = self._settled(head)
        before = total + least_tokens(head - start)
        parted = self._parted_after(tail)
        after = self._count_after(parted) + least_tokens(parted - tail)
        return before + after - (before > 0 and after > 0)

    def _parted_after(self, start: int) -> int:
        """Find the next place that is inside no pretoken; that of the last question often answers this one too."""
        asked, place = self._parted
        if not asked <= start < place:
            places = (found.start() for found in _PARTED.finditer(self._scanned.kinds, start + 1))
            place = next((at for at in places if self._scanned.text[at] != "'"), len(self._scanned.text))
            self._parted = start, place
        return place


def least_tokens(characters: int) -> int:
    """Return how many tokens cannot be avoided: none is longer than the longest, and a character has a byte or more."""
    return -(-characters // LONGEST_TOKEN)


def how_far_it_looked(kinds: bytes, end: int) -> int:
    """Return what a pretoken that ends there depends on: nothing from there on.

    Beyond its end a rule looks for a contraction, for what ends a run of white space, and for the small letter behind
    a run of capitals; every other rule looks at one character.
    """
    return max(end + _LONGEST_CONTRACTION, _CAPITALS.end(kinds, end) + 1, _ANY_SPACE.end(kinds, end) + 1)
