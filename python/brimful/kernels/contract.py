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
    term          of TF-IDF and BM25: the lower-cased text is cut into maximal runs of letters, marks, numbers and
                  connector punctuation; in these, each maximal run of Han, Kana and Hangul (with the marks that
                  follow them) gives its pairs of neighbouring code points, or itself where it is a single one;
                  what lies between such runs is a term each
    TF-IDF        vocabulary by first appearance, the query first where there is one and it is included; N counts the
                  texts, and the query where it is included; `idf = ln((N + 1) / (df + 1)) + 1`; weight `tf * idf`,
                  `tf = count / length` in terms; cosine of two sparse vectors: dot and squared norms are added in
                  the order of the vocabulary, `dot / (norm * norm)`; 0 where either has no terms. Terms of the
                  query that no text and no vocabulary has count for its length only
    BM25          Lucene's: `idf = ln(1 + (N - df + 0.5) / (df + 0.5))` over the texts; a text scores, for each
                  occurrence of a term in the query, in the order of the query,
                  `idf * tf / (tf + k1 * (1 - b + b * length / mean length))`, k1 = 1.5, b = 0.75, tf a count
    MMR           `score = lambda * relevance - (1 - lambda) * (largest similarity to a pick)`, 0 in place of that
                  similarity while nothing is picked; the highest score is picked next, ties by the lower index. With
                  `first="relevance"` the first pick is the most relevant whatever lambda is; the score it is given is
                  the formula's all the same
    cosine        `dot / (norm * norm)`, 0 where a norm is 0, negative ones as they are; dots and squared norms over 16
                  lanes: component j in lane j mod 16, the lanes added 8, 4, 2 and 1 apart, all in float64. float64
                  rows whose largest magnitude is outside 2^-300 to 2^300 are taken times a power of two first
    exact tokens  the text is cut into pretokens, each of these into tokens, and those are counted: as many as
                  `encode_ordinary` of tiktoken 0.14.0 gives. The text of a special token is ordinary text
    pretoken      from left to right, what the first rule of the encoding that matches takes; no rule looks at what is
                  before it. A newline is U+000A or U+000D, a space U+0020; white space has White_Space here, which
                  U+001C to U+001F have not; a capital is Lu or Lt, a small letter Ll; symbols are all but letters,
                  numbers and white space, so that marks are symbols and no letters. A contraction is U+0027 and s, t,
                  m, d, ll, ve or re in any case; U+017F is an s too. A prefix is one symbol, or one white space that
                  is no newline
                  cl100k_base   1 a contraction; 2 all letters, a prefix before them if there is one; 3 up to 3 numbers;
                  4 all symbols, a space before them if there is one, and all newlines after them; 5 white space that
                  ends the text; 6 white space up to its last newline, that one included; 7 white space without its
                  last character, if that leaves some; 8 one white space
                  o200k_base   1 a word, a prefix before it if there is one, a contraction after it if there is one. A
                  word is of letters and marks: first all that are no small letters, then all that are no capitals;
                  where nothing is left for the second part, the first gives up its last character that is no
                  capital, and the word ends behind that one; without such a character there is no word. Where no
                  word is behind a mark as prefix, the word begins with the mark; 2 the same with all capitals for the
                  word; 3 as above; 4 as above, with all newlines and `/` after them; 5 as 6 above; 6 white space that
                  ends the text, or else without its last character, if that leaves some; 7 one white space
    merge         of a pretoken: its parts are at first the bytes of its UTF-8. Of all pairs of neighbours that are
                  together a token, that of the lowest rank becomes one part, of equal ones the leftmost, until there
                  is no such pair; the parts are its tokens. A pretoken that is a token is one. Tokens and ranks are
                  in `data/*.tiktoken.gz`: a line each, base64 of the bytes, a space, the rank
    grapheme      an extended grapheme cluster of UAX 29
    sentence      ends after `.`, `!`, `?`, an ellipsis or their CJK forms, and the closing quotes and brackets that
                  follow, before white space, a Han, Kana or Hangul character, or the end
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

    from brimful.config import AdditiveRule, Boundary, Cut, Encoding, EstimateRule, First, Shingles, Words
    from brimful.kernels.vectors import Row, Rows

    Buffer: TypeAlias = bytes | NDArray[np.int64] | NDArray[np.float64]
    """Numbers in a row; the item type is named where it is used."""

CONTRACT: Final = 4
"""Raised with every change of this file that a back end must follow; a back end of another number is refused."""


class Kernels(Protocol):
    """The functions of a back end, with their units and costs."""

    CONTRACT: int

    def count_tokens(self, texts: Sequence[str], /, *, encoding: Encoding) -> Buffer:
        """Return int64 exact tokens, one a text. Linear in the length of the texts, n log n in that of a pretoken.

        Raises UnicodeEncodeError where a text has surrogates: the boundary repairs the texts then, and not before.
        """
        ...

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

        Exact: no signature decides, but that 64 bits of a keyed hash may stand for a shingle. Linear where texts share
        little, quadratic in a cluster of texts that are all about as similar as the threshold says; in the twin also
        where all share a shingle.
        """
        ...

    def inspect_text(self, text: str, /) -> tuple[bytes, str, str, bytes]:
        """Return what the text rules say of `text`, for tests and for the curious.

        A byte a code point with its class and script group (`class | script << 4`), the lower-cased text, its
        NFC, and a byte a code point that is 1 where an extended grapheme cluster begins.
        """
        ...

    def tfidf_scores(self, query: str, texts: Sequence[str], /, *, include_query: bool) -> Buffer:
        """Return the float64 TF-IDF cosine of each text with the query. Linear in the text, plus sorting of terms."""
        ...

    def tfidf_similarities(
        self, query: str | None, texts: Sequence[str], among: NDArray[np.int64], /, *, include_query: bool
    ) -> tuple[Buffer, Buffer]:
        """Return the scores of `tfidf_scores`, 0 where there is no query, and float64 (m, m), row by row.

        Those are the cosines of the m texts that the indices `among` name with each other: one vocabulary serves both.
        Linear in the text, and in the terms that each two of the m texts share.
        """
        ...

    def bm25_scores(self, query: str, texts: Sequence[str], /) -> Buffer:
        """Return the float64 BM25 score of each text for the query.

        Linear in the text, and in the pairs of a term of the query and a text that has it.
        """
        ...

    def mmr_select_dense(
        self,
        query: Row | None,
        vectors: Rows,
        /,
        *,
        relevance: NDArray[np.float64] | None,
        mmr_lambda: float,
        first: First,
        limit: int | None,
        costs: NDArray[np.int64] | None,
        texts: Sequence[str] | None,
        encoding: Encoding | None,
        budget: int | None,
    ) -> tuple[Buffer, Buffer]:
        """Return int64 indices of the rows picked by MMR, in order, and float64 scores when they were picked.

        `vectors` (n, d), `query` (d,) of the same type, similarity by cosine. The relevance is the cosine with the
        query, or `relevance` (n,) where there is no query. At most `limit` picks (None: no limit). With a budget, a
        candidate that costs more than is left when its turn comes is passed over for good; costs are not negative. With
        `encoding` a candidate costs the exact tokens of its text, counted when its turn comes and not before.

        Exact. One similarity a candidate, then those that may matter: 4 to 31 % of n k in the benches. Extra memory
        O(n + k d); in the twin all of n k, and O(n d). Raises InputError for a component that is not finite, with its
        row and column.
        """
        ...

    def mmr_select_text(
        self,
        query: str | None,
        texts: Sequence[str],
        /,
        *,
        relevance: NDArray[np.float64] | None,
        mmr_lambda: float,
        first: First,
        limit: int | None,
        costs: NDArray[np.int64] | None,
        encoding: Encoding | None,
        budget: int | None,
    ) -> tuple[Buffer, Buffer]:
        """Return the same for texts: similarity and, with a query, relevance by TF-IDF cosine, the query included."""
        ...

    def truncate(
        self,
        texts: Sequence[str],
        budgets: NDArray[np.int64],
        /,
        *,
        rule: EstimateRule | None,
        encoding: Encoding | None,
        cut: Cut,
        boundary: Boundary,
        marker: str,
    ) -> tuple[Buffer, Buffer, Buffer, Buffer]:
        """Return, a text, int64 columns: head, tail, marked, tokens.

        What is kept is `text[:head] + (marker if marked else "") + text[tail:]`, in code points; `tokens` is the count
        of exactly that, at most the budget, one a text: the estimate by `rule` or the exact tokens in `encoding`, of
        which one is None. A text that fits is kept whole (head and tail its length; both 0 where `cut` is `start`). Of
        another the longest piece is kept that fits together with the marker; where there is none, the longest that fits
        without it, or else nothing. (An empty text counts 1 by `words_div_4`: at a budget of 0 it is over, and it is
        what is returned.)

        `cut` is where text is removed. `end`: tail is the length. `start`: head is 0. `middle`: of m graphemes the head
        has `ceil(m / 2)` and the tail the rest. Both are cut back to the boundary: the head to the last place where it
        may end, or 0; the tail to the first where it may begin, or the length. There is a piece for every m from 1 to
        the graphemes of the text, unless it keeps nothing (head 0, tail the length) or all (head = tail); the longest
        is that of the greatest m. `boundary`: a piece ends and begins at graphemes, at words (alphanumeric runs are not
        split) or at sentences; white space at the cut goes. Where no piece at sentences fits, words are tried, then
        graphemes: first all three with the marker, then without.

        No rule of estimates counts more when something is taken out beside the cut, so the longest piece is found by
        halving. Exact counts do: in cl100k_base "international" has 1 token and "internationa" 3, and a marker may join
        what is beside it. That a piece is over says nothing of a longer one; the answer is that of counting them all.
        Two facts bound the search. A pretoken whose rule looked at nothing behind `head` is one of
        `text[:head] + anything`, so every longer head has its tokens too. And no pretoken has a place inside where a
        letter is before white space, a number or a symbol other than U+0027 and marks, or a number before anything but
        a number, or anything but a number before a number: what is behind such a place counts on its own.

        Linear in the part of the text that the budget reaches, as a rule; in the whole text where a part cannot be
        read on its own, as a run of millions of stops or marks, and in the twin with `encoding`.
        """
        ...

    def sentence_ends(self, texts: Sequence[str], /) -> tuple[Buffer, Buffer]:
        """Return int64 sentences a text, and int64 ends of all of them, text after text, in code points.

        The first sentence begins with the text, another where the one before it ends; so it begins with the white
        space between them. What is behind the last end mark is a sentence too. An empty text has none. Linear.
        """
        ...
