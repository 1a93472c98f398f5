r"""The words of the drop-in documents builder: sources under a dashed header, and a conversation line by line.

Nothing is escaped here: the frame is that of the original, whose documents may imitate it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

CUT_MARKER: Final = " [...]"
"""What stands at the end of a document that was cut."""

BETWEEN: Final = "\n\n"
_FULL_SCORE: Final = 1.0


class Passage(NamedTuple):
    """A document as it is shown."""

    content: str
    source: str
    score: float


def render_passages(passages: Sequence[Passage]) -> str:
    r"""Return the block of all passages, numbered from 1.

    >>> render_passages([Passage(" Water is wet. ", "wiki", 0.9), Passage("Fire is hot.", "", 1.0)])
    '--- Source [1] wiki (relevance: 0.90) ---\nWater is wet.\n\n--- Source [2] ---\nFire is hot.'
    """
    numbered = enumerate(passages, start=1)
    return BETWEEN.join(f"{_header(number, passage)}\n{passage.content.strip()}" for number, passage in numbered)


def name_source(number: int, source: str) -> str:
    """Return what a number leads to: the source, or a name made from the number.

    >>> name_source(2, "")
    'doc_2'
    """
    return source or f"doc_{number}"


def render_turns(turns: Sequence[tuple[str, str]]) -> str:
    r"""Return (role, content) line by line; every role but exactly "user" is the assistant's.

    >>> render_turns([("user", "Hi "), ("assistant", "Hello")])
    'User: Hi\nAssistant: Hello'
    """
    return "\n".join(f"{'User' if role == 'user' else 'Assistant'}: {content.strip()}" for role, content in turns)


def _header(number: int, passage: Passage) -> str:
    """Return the line above a passage: a score of 1 or more is not shown."""
    source = f" {passage.source}" if passage.source else ""
    score = f" (relevance: {passage.score:.2f})" if passage.score < _FULL_SCORE else ""
    return f"--- Source [{number}]{source}{score} ---"
