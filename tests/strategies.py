"""Inputs aimed at edges: white space of all kinds, case, marks, scripts, emoji, numbers, and repeats of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from brimful import NearDuplicateOptions

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

SPACES = (" ", "  ", "\t", "\n", "\r\n", "\x1c", "\x1f", "\x85", "\xa0", "\u2009", "\u2028", "\u3000")
NO_SPACES = ("\u200b", "\ufeff", "\x00", "\u180e")
WORDS = (
    *(
        "a",
        "b",
        "A",
        "the",
        "The",
        "Paris",
        "paris",
        "v2",
        "1",
        "2",
        "3.5",
        "5.3",
        "1,000",
        "Ⅷ",
        "ⅷ",
        "²",
        "x_y",
        "don't",
    ),
    *("İ", "i̇", "ΟΔΟΣ", "οδος", "οδοσ", "café", "cafe\u0301", "Å", "\u212b", "ß", "ẞ", "ǅ", "ſ", "K"),
    *("東京都", "東京", "ひらがな", "カタカナー", "한국어", "각", "ภาษาไทย", "ລາວ", "ខ្មែរ", "မြန်မာ", "हिन्दी", "क्ष"),
    # Of scripts without spaces, and no letters.
    *("⼄", "㈀", "၊။", "៚"),
    *("👨\u200d👩\u200d👧\u200d👦", "🇩🇪", "e\u0301\u0323", "𝔘", "𐐀", "می\u200cخواهم", ".", "—", "(a)"),
)

# What the standard library knows, which is what the naive reference asks.
known_characters = st.characters(exclude_categories=["Cs", "Cn"])
characters = st.sampled_from("".join((*SPACES, *NO_SPACES, *WORDS)))


def sentences(max_words: int = 14) -> SearchStrategy[str]:
    """Few different words and many separators: the same shingles come again and again."""
    word = st.sampled_from(WORDS)
    part = st.tuples(word, st.sampled_from((*SPACES, *NO_SPACES, " ", " ", " "))).map("".join)
    return st.lists(part, max_size=max_words).map("".join)


def few_words(max_words: int = 12) -> SearchStrategy[str]:
    """Two words only: dense in repeats, so that thresholds are met exactly."""
    return st.lists(st.sampled_from(["a", "b"]), max_size=max_words).map(" ".join)


texts: SearchStrategy[list[str]] = st.one_of(
    st.lists(sentences(), max_size=8),
    st.lists(few_words(), max_size=10),
    st.lists(st.text(known_characters, max_size=30), max_size=5),
    st.lists(st.text(characters, max_size=24), max_size=6),
)

# Bounds that small sets meet exactly, bounds just beside them, and the ones that take everything or nothing.
bounds = st.sampled_from([-1.0, 0.0, 1e-9, 0.25, 1 / 3, 0.5, 0.5000000000000001, 2 / 3, 0.8, 0.85, 1.0, 1.1])

options: SearchStrategy[NearDuplicateOptions] = st.builds(
    NearDuplicateOptions,
    shingle_size=st.sampled_from([1, 2, 3, 5, 32]),
    threshold=bounds,
    containment=st.one_of(st.none(), bounds),
    words=st.sampled_from(["whitespace", "alphanumeric"]),
    shingles=st.sampled_from(["words", "auto"]),
    normalize=st.booleans(),
    distinguish_facts=st.booleans(),
)
