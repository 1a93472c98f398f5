"""Texts to measure with: made up, shaped like retrieved chunks, and the same ones for the same arguments.

Words are drawn from 50,000 pronounceable ones, the frequent ones often and the rest seldom. Some texts are copies
of earlier ones with 0 to 6 words changed, so that similarities lie on both sides of 0.85; every other copy has other
capitals and white space too, which no similarity may notice. Most origins have one to three copies, a few have
dozens.
"""

from __future__ import annotations

import functools
import itertools
import random
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

VOCABULARY_SIZE: Final = 50_000
FLATTENING: Final = 2.7
"""Added to the rank in Zipf's law: the few most frequent words of real text are less frequent than the law says."""
EDITS: Final = (0, 0, 1, 1, 2, 2, 3, 3, 4, 6)
VARIED: Final = (1, 2, 3)
"""Words replaced in a variant: two of them share 0.73 to 0.90 of their 5-word shingles, or more where places meet."""
POPULAR: Final = 0.6
"""The share of copies whose origin has copies already: what makes the tail of cluster sizes heavy."""
CONSONANTS: Final = "bcdfghjklmnprstvwz"
VOWELS: Final = "aeiou"


def request_texts(n: int, seed: int) -> list[str]:
    """Return the `n` chunks of one retrieval request: 200 words each, a fifth of them edited copies."""
    return list(write_texts(n, f"request {seed} {n}", copies=n // 5, shortest=200, longest=200))


def corpus_texts(n: int, seed: int) -> list[str]:
    """Return `n` texts of 120 to 200 words, 15 % of them edited copies."""
    return list(write_corpus(n, seed))


def write_corpus(n: int, seed: int) -> Iterator[str]:
    """Write the texts of `corpus_texts` one by one: only the words of originals stay in memory, two bytes each."""
    return write_texts(n, f"corpus {seed} {n}", copies=n * 15 // 100, shortest=120, longest=200)


def write_texts(n: int, seed: str, *, copies: int, shortest: int, longest: int) -> Iterator[str]:
    """Write `n` texts, `copies` of them copies, evenly spread behind the first."""
    writer = Writer(random.Random(seed))
    for left in range(n, 0, -1):
        if left < n and writer.random.random() * left < copies:
            copies -= 1
            yield writer.copy_some_text()
        else:
            yield writer.write_text(writer.random.randint(shortest, longest))


def write_variants(n: int, seed: int) -> Iterator[str]:
    """Write `n` variants of one text of 200 words, whose similarities lie on both sides of 0.85."""
    writer = Writer(random.Random(f"variants {seed} {n}"))
    words = writer.draw_words(200)
    for _ in range(n):
        variant = words[:]
        for at in writer.random.sample(range(len(words)), writer.random.choice(VARIED)):
            variant[at : at + 1] = writer.draw_words(1)
        yield spell(variant)


@dataclass(slots=True)
class Writer:
    """Writes texts and copies of what it wrote; every choice comes from `random`."""

    random: random.Random
    originals: list[array[int]] = field(default_factory=list)
    copied: list[int] = field(default_factory=list)
    """The number of an original, once a copy: the more copies it has, the likelier it is to get another."""

    def write_text(self, length: int) -> str:
        """Write an original of `length` words."""
        words = self.draw_words(length)
        self.originals.append(words)
        return spell(words)

    def copy_some_text(self) -> str:
        """Write an edited copy of an original."""
        popular = self.copied and self.random.random() < POPULAR
        number = self.random.choice(self.copied) if popular else self.random.randrange(len(self.originals))
        self.copied.append(number)
        words = self.originals[number][:]
        for _ in range(self.random.choice(EDITS)):
            self.edit(words)
        return self.restyle(words) if self.random.random() < 0.5 else spell(words)

    def draw_words(self, count: int) -> array[int]:
        """Draw words by their frequency: their numbers in the vocabulary."""
        return array("H", self.random.choices(range(VOCABULARY_SIZE), cum_weights=cumulative_weights(), k=count))

    def edit(self, words: array[int]) -> None:
        """Replace, add, remove or swap a word, in place."""
        at = self.random.randrange(len(words) - 1)
        kind = self.random.randrange(4)
        if kind == 0:
            words[at : at + 1] = self.draw_words(1)
        elif kind == 1:
            words[at:at] = self.draw_words(1)
        elif kind == 2:
            del words[at]
        else:
            words[at], words[at + 1] = words[at + 1], words[at]

    def restyle(self, words: array[int]) -> str:
        """Join the words with other capitals and other white space than a plain text has."""
        count = len(words)
        styles = self.random.choices((str.lower, str.capitalize, str.upper), (88, 10, 2), k=count)
        gaps = self.random.choices((" ", "  ", "\n"), (90, 5, 5), k=count - 1)
        styled = (style(vocabulary()[word]) for style, word in zip(styles, words, strict=True))
        return "".join(itertools.chain.from_iterable(zip(styled, (*gaps, ""), strict=True)))


def spell(words: array[int]) -> str:
    """Join words by single spaces."""
    return " ".join(map(vocabulary().__getitem__, words))


@functools.cache
def vocabulary() -> tuple[str, ...]:
    """Make the words, all different, most frequent first; frequent ones are short."""
    source = random.Random("vocabulary")
    words: dict[str, None] = {}
    while len(words) < VOCABULARY_SIZE:
        syllables = 1 + min(4, len(words).bit_length() // 5 + source.randrange(2))
        word = "".join(source.choice(CONSONANTS) + source.choice(VOWELS) for _ in range(syllables))
        words[word + source.choice(CONSONANTS) if source.random() < 0.4 else word] = None
    return tuple(words)


@functools.cache
def cumulative_weights() -> tuple[float, ...]:
    """Add up the frequencies of the words: Zipf's law, flattened at its head."""
    return tuple(itertools.accumulate(1 / (rank + FLATTENING) for rank in range(VOCABULARY_SIZE)))
