"""The words around packets: seed 004 leaves it to the caller to show them to the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from brimful.render.prompt import BLANK_LINE, Source, render_prompt

if TYPE_CHECKING:
    from collections.abc import Sequence


class Passage(NamedTuple):
    """A packet as it is given: its label (may be empty) and its text."""

    label: str
    text: str


def render_messages(system: str, passages: Sequence[Passage], turns: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    r"""Return messages of a role and a content each: a system message, where there is something for it, and the turns.

    The system message has the instructions as they are, a blank line, and the passages under a heading, numbered and
    escaped.

    >>> render_messages("Be brief.", [Passage("docs", "Water is wet.")], [("user", "Is it?")])[0]["content"]
    'Be brief.\n\n# Sources\n\n[1] docs\nWater is wet.'
    """
    sources = render_prompt([Source.of(passage.label, passage.text) for passage in passages], None).text
    content = BLANK_LINE.join(part for part in (system, sources) if part)
    opening = [("system", content)] if content else []
    return [{"role": role, "content": text} for role, text in (*opening, *turns)]
