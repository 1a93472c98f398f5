"""From the pieces to what is handed back: the sections, the text and the trace."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

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
        trace=decide(gathered, bodies, pieces, config) if config.trace else (),
    )


def decide(
    gathered: Gathered, bodies: dict[str, Body], pieces: dict[str, Piece], config: ContextBuilder
) -> tuple[Decision, ...]:
    """Return what became of each input; a turn that says nothing is dropped as blank."""
    blocks = {label: text for body in bodies.values() for label, text in body.blocks.items()}
    tokens = dict(zip(blocks, count_with(config.counter, [*blocks.values()]), strict=True))
    fates: dict[str, tuple[Fate, Reason]] = {}
    for name, body in bodies.items():
        fates |= judge(body, pieces[name].kept if name in pieces else len(body.text))
    silent = [f"history[{index}]" for index in range(len(gathered.history)) if f"history[{index}]" not in blocks]
    fates |= dict.fromkeys(silent, ("dropped", "blank"))
    return tuple(
        Decision(item=_index_of(label), label=label, fate=fate, reason=reason, tokens=tokens.get(label, 0))
        for label, (fate, reason) in sorted(fates.items(), key=lambda pair: _place_of(pair[0], bodies))
    )


def judge(body: Body, kept: int) -> dict[str, tuple[Fate, Reason]]:
    """Return the fates of the blocks of a section of which so many code points were kept."""
    fates: dict[str, tuple[Fate, Reason]] = {}
    start = 0
    for label, text in body.blocks.items():
        end = start + len(text)
        if end <= kept:
            fates[label] = "included", "fits"
        else:
            fates[label] = "truncated" if start < kept else "dropped", "over_budget"
        start = end + len(body.between)
    return fates


def _index_of(label: str) -> int:
    return int(re.sub(r"[^0-9]", "", label) or 0)


def _place_of(label: str, bodies: dict[str, Body]) -> tuple[int, int]:
    names = [*bodies]
    name = label.partition("[")[0].removesuffix("_text")
    return names.index(name), _index_of(label)
