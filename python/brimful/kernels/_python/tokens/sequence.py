"""The tokens of every beginning and every end of a pretoken, and of two put together, without merging it all anew.

It rests on one property of the merge, which a test sees to for both vocabularies: every token is what its own bytes
merge into. Then a sequence of tokens is what its bytes merge into if and only if each pair of neighbours is, and there
is one such sequence. So the tokens of a beginning are those of a shorter one and one token more, which goes with the
last of them; and the tokens of an end are one that goes with the first of a shorter end, and those of that.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

from brimful.kernels._python.tokens.bpe import merge
from brimful.kernels._python.tokens.rank_file import load_ranks

if TYPE_CHECKING:
    from brimful.config import Encoding

LONGEST_TOKEN: Final = 128
"""Bytes of the longest token of either vocabulary."""


@functools.lru_cache(maxsize=1 << 15)
def stay_apart(left: bytes, right: bytes, encoding: Encoding) -> bool:
    """Return whether two tokens side by side stay these two.

    >>> stay_apart(b"inter", b"national", "cl100k_base"), stay_apart(b"inter", b"qq", "cl100k_base")
    (False, True)
    """
    return merge(left + right, load_ranks(encoding)) == [left, right]


class Beginnings:
    """Bytes that grow at their end, and the tokens of each beginning of them. Linear.

    >>> beginnings = Beginnings("cl100k_base")
    >>> for byte in b"international":
    ...     beginnings.push(byte)
    >>> [beginnings.counts[size] for size in (6, 7, 12, 13)]
    [1, 2, 3, 1]
    """

    def __init__(self, encoding: Encoding) -> None:
        """Begin with nothing."""
        self._encoding: Encoding = encoding
        self._ranks = load_ranks(encoding)
        self._bytes = bytearray()
        self.counts = [0]
        """By size: how many tokens."""
        self._lasts = [b""]
        """By size: the last token."""

    def push(self, byte: int) -> None:
        """Put a byte behind those that are there."""
        self._bytes.append(byte)
        end = len(self._bytes)
        for start in range(end - 1, max(end - LONGEST_TOKEN, 0) - 1, -1):
            token = bytes(self._bytes[start:end])
            if token in self._ranks and self.takes(token, start):
                self.counts.append(self.counts[start] + 1)
                self._lasts.append(token)
                return

    def takes(self, token: bytes, size: int) -> bool:
        """Return whether the tokens of the beginning of that size and one more are those of both together."""
        return not self.counts[size] or stay_apart(self._lasts[size], token, self._encoding)

    def branch(self, size: int) -> Beginnings:
        """Return a copy of the beginning of that size, to be grown otherwise: of what pushing looks at, no more."""
        kept = slice(max(size - LONGEST_TOKEN, 0), size + 1)
        copy = Beginnings(self._encoding)
        copy._bytes = self._bytes[kept.start : size]
        copy.counts, copy._lasts = self.counts[kept], self._lasts[kept]
        return copy


class Ends:
    """Bytes that grow at their beginning, and the tokens of each end of them. Linear.

    >>> ends = Ends("cl100k_base")
    >>> for byte in reversed(b"international"):
    ...     ends.push(byte)
    >>> ends.counts[8], ends.counts[13], ends.byte(13)
    (1, 1, 105)
    """

    def __init__(self, encoding: Encoding) -> None:
        """Begin with nothing."""
        self._encoding: Encoding = encoding
        self._ranks = load_ranks(encoding)
        self._reversed = bytearray()
        self.counts = [0]
        """By size: how many tokens."""
        self.firsts = [b""]
        """By size: the first token."""

    def push(self, byte: int) -> None:
        """Put a byte before those that are there."""
        self._reversed.append(byte)
        size = len(self._reversed)
        for rest in range(size - 1, max(size - LONGEST_TOKEN, 0) - 1, -1):
            token = bytes(self._reversed[rest:size][::-1])
            if token in self._ranks and (not rest or stay_apart(token, self.firsts[rest], self._encoding)):
                self.counts.append(self.counts[rest] + 1)
                self.firsts.append(token)
                return

    def byte(self, size: int) -> int:
        """Return the first byte of the end of that size."""
        return self._reversed[size - 1]


def count_joined(beginnings: Beginnings, ends: Ends, size: int) -> int:
    """Return the tokens of all of `beginnings` and the end of that size, which goes over into the former.

    From a place on where a token of both together ends, its tokens are those of an end. Some token ends within the
    longest one of any place.
    """
    while size and not beginnings.takes(ends.firsts[size], len(beginnings.counts) - 1):
        beginnings.push(ends.byte(size))
        size -= 1
    return beginnings.counts[-1] + ends.counts[size]
