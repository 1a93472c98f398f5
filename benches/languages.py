"""Texts in several scripts to count the tokens of: made up, and the same ones every time.

Their words are made of the tokens of `o200k_base`, frequent ones often and the rest seldom, so that they fall apart
into tokens about as real words do. They mean nothing, and what they show is no replacement for real text.
"""

from __future__ import annotations

import base64
import functools
import gzip
import itertools
import json
import random
import re
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

CHARACTERS: Final = 120_000
"""So long is a text, at least."""
FLATTENING: Final = 20
"""Added to the rank in Zipf's law."""
PEOPLE: Final = "\U0001f469\u200d\U0001f4bb", "\U0001f44d\U0001f3fd", "\U0001f1eb\U0001f1f7", "❤️"
"""Emoji of several code points: with a joiner, a skin tone, a flag, a variation selector."""


@dataclass(frozen=True, slots=True)
class Script:
    """How sentences of a script are made: words of so many pieces, with a gap between them and a stop at the end."""

    pieces: str
    """A pattern of the tokens that words are made of."""
    fewest: int
    most: int
    gap: str = " "
    stops: tuple[str, ...] = (". ", ". ", ", ", "? ", ".\n\n")
    capital: float = 0
    """The share of words that begin with a capital."""


SCRIPTS: Final = {
    "english": Script(r" [a-z]+", 1, 1, gap="", stops=(".", ",", ".", " (", ") ", ".\n\n", " 2019;", "'s")),
    "german": Script(r"[a-zäöüß]{2,6}", 1, 4, capital=0.3),
    "russian": Script(r"[а-яё]{1,6}", 1, 3, capital=0.1),
    "chinese": Script(r"[一-龥]{1,3}", 1, 4, gap="", stops=("，", "。", "，", "。\n")),
    "japanese": Script(r"[ぁ-ヿ]{1,4}|[一-龥]", 1, 4, gap="", stops=("、", "。", "。\n", "「", "」")),
    "korean": Script(r" ?[가-힣]{1,3}", 1, 2),
}


def language_texts() -> dict[str, str]:
    """Return a text of every kind. Takes some seconds."""
    texts = {name: fill(name, functools.partial(write_sentence, script)) for name, script in SCRIPTS.items()}
    return texts | {
        "code": fill("code", write_code),
        "json": fill("json", write_json),
        "emoji": fill("emoji", write_emoji),
    }


def fill(name: str, write: Callable[[random.Random], str]) -> str:
    """Write until the text is long enough."""
    chance, parts, length = random.Random(name), list[str](), 0
    while length < CHARACTERS:
        parts.append(write(chance))
        length += len(parts[-1])
    return "".join(parts)


def write_sentence(script: Script, chance: random.Random) -> str:
    """Write 3 to 15 words and a stop."""
    words = []
    for _ in range(chance.randint(3, 15)):
        word = "".join(draw(chance, script.pieces, chance.randint(script.fewest, script.most)))
        words.append(word.title() if chance.random() < script.capital else word)
    return script.gap.join(words) + chance.choice(script.stops)


def write_code(chance: random.Random) -> str:
    """Write a line of a program."""
    one, other, third = ("_".join(draw(chance, r"[a-z]{3,}", chance.randint(1, 2))) for _ in range(3))
    lines = (
        f"def {one}({other}: int, {third}=None) -> str:\n",
        f"    if self.{one}[{other}] != {chance.randrange(300)}:\n        return {third}\n",
        f"    {one} = {other}.{third}({one}, key=lambda x: x[{chance.randrange(10)}])\n",
        f"        # {' '.join(draw(chance, r'[a-z]{3,}', 8))}\n\n",
        f'        raise {third.title()}Error(f"no {one} in {{{other}}}")\n',
    )
    return chance.choice(lines)


def write_json(chance: random.Random) -> str:
    """Write a record, indented."""
    keys = draw(chance, r"[a-z]{4,}", 4)
    values: list[object] = [*draw(chance, r"[A-Z][a-z]+", 2), chance.randrange(10**6), round(chance.random(), 6)]
    return (
        json.dumps({"id": chance.randrange(10**9), **dict(zip(keys, values, strict=True)), "tags": keys}, indent=2)
        + ",\n"
    )


def write_emoji(chance: random.Random) -> str:
    """Write emoji, alone and in rows, among words."""
    emoji = [chr(chance.randrange(0x1F300, 0x1F650)) for _ in range(chance.randint(1, 4))]
    return "".join([*draw(chance, r" [a-z]+", 2), " ", *emoji, chance.choice(PEOPLE), chance.choice(("!", "\n", ""))])


def draw(chance: random.Random, pattern: str, count: int) -> list[str]:
    """Draw tokens by their frequency."""
    words, weights = pieces(pattern)
    return chance.choices(words, cum_weights=weights, k=count)


@functools.cache
def pieces(pattern: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return the tokens that match, frequent ones first, and the sums of their frequencies."""
    found = tuple(filter(re.compile(pattern).fullmatch, tokens()))
    return found, tuple(itertools.accumulate(1 / (rank + FLATTENING) for rank in range(len(found))))


@functools.cache
def tokens() -> tuple[str, ...]:
    """Return the tokens that are UTF-8, by rank."""
    packed = resources.files("brimful").joinpath("data", "o200k_base.tiktoken.gz").read_bytes()
    coded = (line.split()[0] for line in gzip.decompress(packed).splitlines())
    decoded = (base64.b64decode(token).decode(errors="ignore") for token in coded)
    return tuple(dict.fromkeys(filter(None, decoded)))
