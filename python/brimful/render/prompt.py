"""The prompt: numbered sources, then the question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from brimful.render.escape import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCES_HEADING: Final = "# Sources"
QUESTION_HEADING: Final = "# Question"
BLANK_LINE: Final = "\n\n"


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


def render_prompt(sources: Sequence[Source], query: str | None) -> Prompt:
    """Return the whole prompt: a heading and the sources, if any, and a heading and the query, if any."""
    parts, spans, position = [], [], 0
    if sources:
        parts.append(SOURCES_HEADING)
        position = len(SOURCES_HEADING)
    for number, source in enumerate(sources, start=1):
        start = position + len(BLANK_LINE) + len(_header(number, source))
        position = start + len(source.body)
        parts.append(render_source(number, source))
        spans.append((start, position))
    if query is not None:
        parts += [QUESTION_HEADING, escape(query)]
    return Prompt(BLANK_LINE.join(parts), tuple(spans))


def _header(number: int, source: Source) -> str:
    return f"[{number}] {source.label}\n" if source.label else f"[{number}]\n"
