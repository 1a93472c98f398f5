"""From the pieces to what is handed back: the sections, the text and the trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from brimful.builders.sections.types import BuiltContext
from brimful.render.sections import CUT_MARKER, render_header, render_section
from brimful.stages.counters import count_with
from brimful.types import Decision

if TYPE_CHECKING:
    from brimful.builders.sections.builder import ContextBuilder
    from brimful.builders.sections.front_door import Gathered
    from brimful.render.sections import Body
    from brimful.stages.truncation import Piece
    from brimful.types import Fate, Reason

LISTS: Final = ("memories", "documents", "history")
"""Sections of several items."""


def present(
    gathered: Gathered, bodies: dict[str, Body], pieces: dict[str, Piece], config: ContextBuilder
) -> BuiltContext:
    """Render the sections, whole or cut, count what came of them, and put them one behind another."""
    texts = {name: pieces[name].join(CUT_MARKER) if name in pieces else body.text for name, body in bodies.items()}
    sections = {name: render_section(name, text) for name, text in texts.items()}
    header = render_header(gathered.query)
    return BuiltContext(
        full_text=header + "\n".join(sections.values()),
        token_estimate=sum(count_with(config.counter, [*sections.values(), header])),
        sections=sections,
        truncated=bool(pieces),
        document_count=len(gathered.documents),
        memory_count=len(gathered.memories),
        truncated_sections=tuple(pieces),
        warnings=config.warnings,
        trace=decide(bodies, pieces, config) if config.trace else (),
    )


def decide(bodies: dict[str, Body], pieces: dict[str, Piece], config: ContextBuilder) -> tuple[Decision, ...]:
    """Return what became of each input, section by section; what says nothing is dropped as blank."""
    costs = iter(count_with(config.counter, [block for body in bodies.values() for block in body.blocks]))
    decisions = []
    for name, body in bodies.items():
        fates = judge(body, pieces[name].kept if name in pieces else len(body.text))
        for item, (block, (fate, reason)) in enumerate(zip(body.blocks, fates, strict=True)):
            label = f"{name}[{item}]" if name in LISTS else f"{name}_text"
            tokens = next(costs)
            decisions.append(Decision(item=item, label=label, fate=fate, reason=reason, tokens=tokens if block else 0))
    return tuple(decisions)


def judge(body: Body, kept: int) -> list[tuple[Fate, Reason]]:
    """Return the fates of the blocks of a section of which so many code points were kept."""
    fates: list[tuple[Fate, Reason]] = []
    start = 0
    for block in body.blocks:
        end = start + len(block)
        if not block:
            fates.append(("dropped", "blank"))
            continue
        if end <= kept:
            fates.append(("included", "fits"))
        else:
            fates.append(("truncated" if start < kept else "dropped", "over_budget"))
        start = end + len(body.between)
    return fates
