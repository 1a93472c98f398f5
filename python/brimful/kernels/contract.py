"""What a back end must offer: the specification of the kernels.

Two modules fulfil it: `brimful.kernels._native` (compiled) and `brimful.kernels._python` (the twin). Both give
the same values to the last bit. Arguments come from `brimful.kernels.boundary`, which has checked them: lists of
`str` that encode as UTF-8, options of the right type and range. Batch, stateless, positional data first,
keyword-only options after; columns in, indices and numbers out.

Definitions that both halves share
    white space   Unicode White_Space and U+001C to U+001F: the set of `str.split()`
    lower case    each character by the Unicode 16.0 table (U+0130 gives two); final sigma folds to sigma
    word          "whitespace": a maximal run without white space; "alphanumeric": a maximal run of letters,
                  marks and numbers; always of the lower-cased text
    word shingle  a window of `shingle_size` words; a text with fewer words has one shingle: all its words
    character shingle   a window of 5 code points of the words, joined without spaces; a shorter text has one:
                  all of it. `shingles="auto"` takes these where more than half of a text's letters, marks and
                  numbers are Han, Kana, Hangul, Thai, Lao, Khmer or Burmese. Never equal to a word shingle
    Jaccard       `|A & B| / |A | B|` over distinct shingles, as a float64 quotient
    containment   `|A & B| / |A|`, A being the later text
    number        a maximal run of number characters; one `.` or `,` between two of them belongs to it
    capitalised word   an alphanumeric word of the text before lower-casing whose first character is upper or
                  title case
    lacks         B lacks a number when none of its numbers is equal, and a capitalised word when none of its
                  alphanumeric words is equal without case
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    from brimful.config import AdditiveRule, EstimateRule, Shingles, Words

    Buffer: TypeAlias = bytes | NDArray[np.int64] | NDArray[np.float64]
    """Numbers in a row; the item type is named where it is used."""

CONTRACT: Final = 1
"""Raised with every change of this file that a back end must follow; a back end of another number is refused."""


class Kernels(Protocol):
    """The functions of a back end, with their units and costs."""

    CONTRACT: int

    def estimate_tokens(self, texts: Sequence[str], /, *, rule: EstimateRule) -> Buffer:
        """Return int64 token estimates, one a text.

        `words_div_4`: `max(1, words // 4)` (seed 000). `words_times_1_3`: `int(words * 1.3)` (seed 001).
        `utf16_div_4`: `ceil(UTF-16 units / 4)` (seed 004). `chars_div_4`: `code points // 4`.
        `script`: the fitted weights of the UTF-8 bytes, added up in 1/1024 token and rounded up; `script_safe`:
        the same with weights that overestimate. Linear in the length of the texts.
        """
        ...

    def weigh_tokens(self, texts: Sequence[str], /, *, rule: AdditiveRule) -> Buffer:
        """Return int64 weights in 1/1024 token, one a text: what `script` and `script_safe` round up.

        Weights add up exactly: that of a text is the sum of those of its pieces.
        """
        ...

    def near_duplicates(
        self,
        texts: Sequence[str],
        /,
        *,
        shingle_size: int,
        threshold: float,
        containment: float | None,
        words: Words,
        shingles: Shingles,
        normalize: bool,
        distinguish_facts: bool,
    ) -> tuple[Buffer, Buffer]:
        """Return, a text, int64 the earliest kept text that it repeats (-1: kept) and float64 that similarity.

        Greedy, in the order of the texts, which is their priority: a text is compared with the kept ones only,
        and the relation is not transitive. It repeats a kept text when their Jaccard is at least `threshold`
        (the similarity given is then the Jaccard), or else their containment at least `containment` (then the
        containment); with `distinguish_facts` not when each has a number or capitalised word that the other
        lacks. A kept text has similarity 0. `normalize` compares NFC without a leading U+FEFF.

        Exact: no signature and no hash decides. Time grows with the shared (shingle, kept text) pairs: linear
        where texts share little, quadratic where all share a shingle.
        """
        ...

    def inspect_text(self, text: str, /) -> tuple[bytes, str, str, bytes]:
        """Return what the text rules say of `text`, for tests and for the curious.

        A byte a code point with its class and script group (`class | script << 4`), the lower-cased text, its
        NFC, and a byte a code point that is 1 where an extended grapheme cluster begins.
        """
        ...
