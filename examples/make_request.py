"""Make `requests/declare_war.json` from two public-domain texts.

The script does what a small retriever does. It cuts the texts into chunks, adds
the copies that a crawled index tends to hold, scores every chunk against one
query with BM25 and writes the best ones. `README.md` in this folder says where
the texts come from and which copies are altered.

Usage: python make_request.py CONSTITUTION DECLARATION OUTPUT
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import textwrap
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

QUERY: Final = "Who has the power to declare war, raise armies and command the army and navy?"
MAX_TOKENS: Final = 2500
MIN_TOKENS: Final = 10
SEED: Final = 1787

MIN_WORDS: Final = 80
TARGET_WORDS: Final = 120
MAX_WORDS: Final = 220
KEPT_BASE: Final = 32
CUT_TO: Final = 0.85
WINDOW_LINES: Final = 22
WINDOW_STRIDE: Final = 8

BM25_K1: Final = 1.2
BM25_B: Final = 0.75
LOWEST: Final = 0.02
HIGHEST: Final = 0.97

HEADING: Final = re.compile(r"(Preamble|Amendments|(Article|Amendment|Section) ([IVX]+|\d+))")
WORD: Final = re.compile(r"\w+")
ROMAN: Final = {"I": 1, "V": 5, "X": 10}
CONFUSIONS: Final = (("rn", "m"), ("m", "rn"), ("cl", "d"), ("h", "b"), ("e", "c"))

# Capitals that a modern edition keeps in the middle of a sentence.
KEPT_CAPITALS: Final = re.compile(
    "America|Britain|British|Chief|Commander|Congress|Great|House|I|Indian|President"
    "|Representatives|Senate|States?|United|Vice"
)

# The copies: what was done, and the places in the base ranking (0 is the best).
VERBATIM_RANKS: Final = (4,)
WEB_RANKS: Final = (0, 3, 6, 15)
MODERN_RANKS: Final = (1, 5)
OCR_RANKS: Final = (0, 3, 7)
CUT_RANKS: Final = (1, 8)

# The section that a second indexing run cut into overlapping windows of lines.
WINDOWED: Final = "constitution.txt#article-1-section-8"

# False statements, made on purpose: (words of the original, words put instead).
CONTRADICTIONS: Final = (
    ("for a longer Term than two Years", "for a longer Term than four Years"),
    ("provided two thirds of the Senators", "provided three fifths of the Senators"),
    ("Allegiance to the\nBritish Crown", "Allegiance to the\nSpanish Crown"),
)

# What page headers and empty pages leave in an index.
BLANKS: Final = (("constitution-page-5", "\N{EN DASH} 5 \N{EN DASH}"), ("constitution-page-6", ""))


@dataclass(frozen=True)
class Block:
    """One paragraph with the headings right above it."""

    label: str
    text: str
    opens_section: bool


@dataclass(frozen=True)
class Chunk:
    """One passage of the index."""

    name: str
    source: str
    text: str


def words(text: str) -> list[str]:
    """Return the words of `text` in lower case."""
    return WORD.findall(text.lower())


def number(numeral: str) -> int:
    """Return the value of a decimal or a Roman numeral below forty."""
    if numeral.isdecimal():
        return int(numeral)
    values = [ROMAN[letter] for letter in numeral]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))


def label_after(heading: re.Match[str], label: str) -> str:
    """Return the label of the section that `heading` opens, given the one before."""
    kind, numeral = heading.group(2), heading.group(3)
    if kind is None:
        return heading.group(1).lower()
    own = f"{kind.lower()}-{number(numeral)}"
    if kind == "Section":
        return f"{label.partition('-section-')[0]}-{own}"
    return own


def pieces(paragraph: str) -> Iterator[str]:
    """Yield `paragraph`, cut between lines into equal parts if it is too long."""
    lines = paragraph.split("\n")
    parts = math.ceil(len(words(paragraph)) / MAX_WORDS)
    step = math.ceil(len(lines) / parts)
    for start in range(0, len(lines), step):
        yield "\n".join(lines[start : start + step])


def blocks(text: str) -> Iterator[Block]:
    """Yield the paragraphs of `text` after its title, with their section labels."""
    label = ""
    headings: list[str] = []
    for index, paragraph in enumerate(re.split(r"\n(?:[ \t]*\n)+", text.strip())[1:], start=1):
        heading = HEADING.fullmatch(paragraph)
        if heading:
            label = label_after(heading, label)
            headings.append(paragraph)
            continue
        for piece in pieces(paragraph):
            joined = "\n\n".join([*headings, piece])
            yield Block(label or f"paragraph-{index}", joined, bool(headings))
            headings = []


def is_full(held: Sequence[Block], block: Block) -> bool:
    """Return whether the chunk of `held` ends before `block`."""
    count = sum(len(words(one.text)) for one in held)
    if block.opens_section and count >= MIN_WORDS:
        return True
    return count >= TARGET_WORDS or count + len(words(block.text)) > MAX_WORDS


def joined_chunk(held: Sequence[Block], stem: str, index: int) -> Chunk:
    """Return the chunk of the blocks `held`, number `index` of the file `stem`."""
    first, last = held[0].label, held[-1].label
    label = first if first == last else f"{first}-to-{last}"
    text = "\n\n".join(block.text for block in held)
    return Chunk(f"{stem}-{index:02}", f"{stem}.txt#{label}", text)


def base_chunks(text: str, stem: str) -> list[Chunk]:
    """Return `text` as chunks of whole paragraphs."""
    chunks: list[Chunk] = []
    held: list[Block] = []
    for block in blocks(text):
        if held and is_full(held, block):
            chunks.append(joined_chunk(held, stem, len(chunks) + 1))
            held = []
        held.append(block)
    if held:
        chunks.append(joined_chunk(held, stem, len(chunks) + 1))
    return chunks


def bm25(base: Sequence[Chunk]) -> Callable[[Chunk], float]:
    """Return the BM25 score of a chunk for the query, with the statistics of `base`."""
    bags = [Counter(words(chunk.text)) for chunk in base]
    mean = sum(bag.total() for bag in bags) / len(bags)
    weights = {}
    for term in sorted(set(words(QUERY))):
        holding = sum(term in bag for bag in bags)
        weights[term] = math.log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))

    def score(chunk: Chunk) -> float:
        bag = Counter(words(chunk.text))
        norm = BM25_K1 * (1 - BM25_B + BM25_B * bag.total() / mean)
        return sum(weight * bag[term] * (BM25_K1 + 1) / (bag[term] + norm) for term, weight in weights.items())

    return score


def web(text: str) -> str:
    """Return `text` as a web page has it: other line breaks, curly apostrophes, section signs."""
    text = re.sub(r"^Section (\d+)$", "§ \\1.", text, flags=re.MULTILINE)
    text = text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
    return "\n\n".join(textwrap.fill(part, 100) for part in text.split("\n\n"))


def modern(text: str) -> str:
    """Return `text` with one line a paragraph and the capitals of today."""

    def lowered(match: re.Match[str]) -> str:
        return match[0] if KEPT_CAPITALS.fullmatch(match[0]) else match[0].lower()

    joined = (" ".join(part.split()) for part in text.split("\n\n"))
    return "\n".join(re.sub(r"(?<=[a-z,] )[A-Z]\w*", lowered, part) for part in joined)


def misread(word: str) -> str:
    """Return `word` with the first confusion of letters that fits it."""
    fitting = (word.replace(old, new, 1) for old, new in CONFUSIONS if old in word)
    return next(fitting, word)


def ocr(text: str, chance: random.Random) -> str:
    """Return `text` with one to three words misread, as from a scan."""
    found = list(re.finditer(r"\b[a-z]{5,}\b", text))
    candidates = [match for match in found if misread(match[0]) != match[0]]
    chosen = chance.sample(candidates, k=chance.randint(1, 3))
    for match in sorted(chosen, key=re.Match.start, reverse=True):
        text = text[: match.start()] + misread(match[0]) + text[match.end() :]
    return text


def cut(text: str) -> str:
    """Return the first part of `text`, as an index with a length limit keeps it."""
    found = list(re.finditer(r"\S+", text))
    return text[: found[int(len(found) * CUT_TO) - 1].end()]


def renamed(chunk: Chunk, kind: str, text: str) -> Chunk:
    """Return the copy of `chunk` in the collection `kind`, with the words `text`."""
    stem, _, label = chunk.source.partition(".txt#")
    return Chunk(f"{chunk.name}-{kind}", f"{stem}-{kind}.txt#{label}", text)


def ranked_copies(ranked: Sequence[Chunk]) -> Iterator[Chunk]:
    """Yield the copies of the passages at the chosen places of the ranking."""
    chance = random.Random(SEED)  # noqa: S311 - the copies need no secret
    makers: tuple[tuple[str, tuple[int, ...], Callable[[str], str]], ...] = (
        ("mirror", VERBATIM_RANKS, str),
        ("web", WEB_RANKS, web),
        ("modern", MODERN_RANKS, modern),
        ("scan", OCR_RANKS, lambda text: ocr(text, chance)),
        ("snippet", CUT_RANKS, cut),
    )
    for kind, ranks, make in makers:
        for rank in ranks:
            yield renamed(ranked[rank], kind, make(ranked[rank].text))


def windows(base: Sequence[Chunk]) -> Iterator[Chunk]:
    """Yield the overlapping windows over the lines of one section."""
    text = "\n\n".join(chunk.text for chunk in base if chunk.source == WINDOWED)
    lines = text.split("\n")
    last = max(len(lines) - WINDOW_LINES, 0)
    for index, start in enumerate(range(0, last + 1, WINDOW_STRIDE), start=1):
        part = "\n".join(lines[start : start + WINDOW_LINES]).strip("\n")
        yield Chunk(f"constitution-window-{index}", WINDOWED, part)


def contradictions(base: Sequence[Chunk]) -> Iterator[Chunk]:
    """Yield the copies that say another number or another name."""
    for old, new in CONTRADICTIONS:
        chunk = next(chunk for chunk in base if old in chunk.text)
        yield renamed(chunk, "altered", chunk.text.replace(old, new))


def retrieved(base: Sequence[Chunk], score: Callable[[Chunk], float]) -> list[Chunk]:
    """Return the best chunks, the copies that score as well, and the blank chunks."""
    ranked = sorted(base, key=lambda chunk: (-score(chunk), chunk.name))
    best = ranked[:KEPT_BASE]
    copies = [*ranked_copies(ranked), *windows(base), *contradictions(base)]
    least = score(best[-1])
    best += [chunk for chunk in copies if score(chunk) >= least]
    return best + [Chunk(name, "constitution.txt", text) for name, text in BLANKS]


def documents(base: Sequence[Chunk]) -> list[dict[str, str | float]]:
    """Return the retrieved chunks with scores between 0 and 1, the best first."""
    score = bm25(base)
    found = retrieved(base, score)
    raw = {chunk.name: score(chunk) for chunk in found}
    low, high = min(raw.values()), max(raw.values())
    scale = (HIGHEST - LOWEST) / (high - low)
    return [
        {
            "id": chunk.name,
            "source": chunk.source,
            "score": round(LOWEST + (raw[chunk.name] - low) * scale, 4),
            "text": chunk.text,
        }
        for chunk in sorted(found, key=lambda chunk: (-raw[chunk.name], chunk.name))
    ]


def main() -> None:
    """Read the two texts and write the request."""
    parser = argparse.ArgumentParser(description="Make an example request.")
    for name in ("constitution", "declaration", "output"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    base = [
        chunk
        for stem in ("constitution", "declaration")
        for chunk in base_chunks(getattr(given, stem).read_text(encoding="utf-8"), stem)
    ]
    request = {
        "max_tokens": MAX_TOKENS,
        "min_tokens": MIN_TOKENS,
        "query": QUERY,
        "documents": documents(base),
    }
    text = json.dumps(request, ensure_ascii=False, indent=1)
    given.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
