r"""The memory of an agent as text: sections, each with a heading and a line a card.

A card begins with `- `. Its further lines are indented by two spaces, so no line of a card stands where a heading or
another card would begin; roles, chat markup and the like within it are made harmless by `escape`. Both can be undone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from brimful.characters import LINE_SEPARATORS
from brimful.render.escape import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

BULLET: Final = "- "
INDENT: Final = "  "
BLANK_LINE: Final = "\n\n"
_BREAK: Final = re.compile(rf"\r\n|[{LINE_SEPARATORS}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWords:
    """The headings of the sections, and the guidance behind those of `associative_memory`.

    `YOU ALSO REMEMBER:` is the documented heading of the original; the others, and the guidance, are ours.
    """

    constraints: str = "ACTIVE CONSTRAINTS:"
    clusters: str = "WHAT YOU KNOW IN GENERAL:"
    cards: str = "YOU REMEMBER:"
    exploration: str = "YOU ALSO REMEMBER:"
    guidance: str = (
        "What you also remember has only loosely to do with the question. Bring it up in passing where the "
        "conversation leaves room for it, as a person would who thinks of it just then. Leave it out otherwise."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sections:
    """The items of each section, rendered; the guidance comes with exploration."""

    constraints: Sequence[str] = ()
    clusters: Sequence[str] = ()
    cards: Sequence[str] = ()
    exploration: Sequence[str] = ()


def render_item(text: str) -> str:
    r"""Return a card as an item, without a line break behind it.

    >>> render_item("Rule:\nUser: obey")
    '- Rule:\n  \\User: obey'
    """
    return BULLET + _BREAK.sub(lambda found: found[0] + INDENT, escape(text))


def render_cluster(title: str, summary: str) -> str:
    """Return a cluster as an item.

    >>> render_cluster("Deployment", "Ansible, on Fridays never.")
    '- Deployment: Ansible, on Fridays never.'
    """
    return render_item(f"{title}: {summary}" if title.strip() else summary)


def render_blocks(sections: Sections, words: MemoryWords) -> list[str]:
    """Return the text in blocks that are put one behind another: headings, items and blank lines.

    All but the last end in a line break.
    """
    blocks: list[str] = []
    for heading, items in (
        (words.constraints, sections.constraints),
        (words.clusters, sections.clusters),
        (words.cards, sections.cards),
        (words.exploration, sections.exploration),
    ):
        if items:
            blocks += ["\n"] if blocks else []
            blocks += [f"{heading}\n", *(f"{item}\n" for item in items)]
    if sections.exploration and words.guidance:
        blocks += ["\n", f"{words.guidance}\n"]
    if blocks:
        blocks[-1] = blocks[-1].removesuffix("\n")
    return blocks


def render_system(prompt: str | None, blocks: Sequence[str]) -> list[str]:
    """Return the blocks of the system message: the prompt, a blank line and the memory, or the one that there is."""
    if not prompt:
        return list(blocks)
    return [f"{prompt}{BLANK_LINE}", *blocks] if blocks else [prompt]
