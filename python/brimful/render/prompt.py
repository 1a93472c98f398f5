"""The prompt: numbered sources, then the question.

It is made of blocks: the heading, one a source, the question. Each block begins with `#` or `[`, and each but the last
ends in a line break. No piece of cl100k_base or o200k_base reaches from a line break over such a sign, so the exact
counts of blocks add up to that of the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from brimful.render.escape import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCES_HEADING: Final = "# Sources"
QUESTION_HEADING: Final = "# Question"
BLANK_LINE: Final = "\n\n"
HEADING_BLOCK: Final = f"{SOURCES_HEADING}{BLANK_LINE}"


@dataclass(frozen=True, slots=True)
class Source:
    """A source as it is shown: both texts are escaped already, and the label is one line (may be empty)."""

    label: str
    body: str

    @classmethod
    def of(cls, label: str, text: str) -> Source:
        """Escape a label and a text; line breaks and other white space of the label become single spaces."""
        return cls(escape(" ".join(label.split())), escape(text))


@dataclass(frozen=True, slots=True)
class Prompt:
    """The text, and where in it (code points) the body of each source begins and ends."""

    text: str
    spans: tuple[tuple[int, int], ...]


def render_source(number: int, source: Source) -> str:
    r"""Return the block of one source.

    >>> render_source(2, Source.of("a.txt", "Water is wet."))
    '[2] a.txt\nWater is wet.'
    """
    return f"{_header(number, source)}{source.body}"


def render_block(number: int, source: Source) -> str:
    """Return the block of one source with the blank line behind it."""
    return f"{render_source(number, source)}{BLANK_LINE}"


def render_question(query: str | None) -> str:
    """Return the block of the question: nothing where there is none."""
    return "" if query is None else f"{QUESTION_HEADING}{BLANK_LINE}{escape(query)}"


def render_prompt(sources: Sequence[Source], query: str | None) -> Prompt:
    """Return the whole prompt: a heading and the sources, if any, and a heading and the query, if any."""
    parts, spans, position = [], [], 0
    if sources:
        parts.append(HEADING_BLOCK)
        position = len(HEADING_BLOCK)
    for number, source in enumerate(sources, start=1):
        parts.append(render_block(number, source))
        start = position + len(_header(number, source))
        spans.append((start, start + len(source.body)))
        position += len(parts[-1])
    text = "".join((*parts, render_question(query)))
    return Prompt(text if query is not None else text.removesuffix(BLANK_LINE), tuple(spans))


def _header(number: int, source: Source) -> str:
    return f"[{number}] {source.label}\n" if source.label else f"[{number}]\n"
