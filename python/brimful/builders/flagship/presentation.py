"""From the decisions to what is handed back: the text, its citations and the trace."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from brimful.builders.flagship.context import Context
from brimful.render.prompt import render_prompt
from brimful.stages.counters import is_approximate
from brimful.stages.ordering import arrange
from brimful.types import Citation, Decision

if TYPE_CHECKING:
    from brimful.builders.flagship.assembly import Assembly
    from brimful.builders.flagship.builder import ContextBuilder


def present(state: Assembly, config: ContextBuilder) -> Context:
    """Render what is left in reading order, number the citations and write the trace."""
    shown = arrange(state.line, config.order)
    prompt = render_prompt([state.sources[item] for item in shown], state.request.query)
    copies: defaultdict[int, list[int]] = defaultdict(list)
    for item in sorted(state.repeats):
        copies[state.repeats[item].of].append(item)
    numbers = {item: number for number, item in enumerate(shown, start=1)}
    return Context(
        text=prompt.text,
        tokens=state.tokens,
        max_tokens=config.max_tokens,
        tokens_exact=not is_approximate(config.counter),
        query_repaired=state.request.query_repaired,
        citations=tuple(
            _cite(state, number, (item, *copies[item]), span)
            for (item, number), span in zip(numbers.items(), prompt.spans, strict=True)
        ),
        trace=tuple(_decide(state, item, numbers.get(item)) for item in range(len(state.request.documents))),
    )


def label_of(state: Assembly, item: int) -> str:
    """Return what a citation of the document shows: its source, else its id."""
    document = state.request.documents[item]
    return document.source or document.id or ""


def _cite(state: Assembly, number: int, items: tuple[int, ...], span: tuple[int, int]) -> Citation:
    labels = dict.fromkeys(label for item in items if (label := label_of(state, item)))
    return Citation(number=number, items=items, sources=tuple(labels), start=span[0], end=span[1])


def _decide(state: Assembly, item: int, number: int | None) -> Decision:
    reason, repeat = state.dropped.get(item), state.repeats.get(item)
    return Decision(
        item=item,
        label=label_of(state, item) or f"documents[{item}]",
        fate="included" if reason is None else "dropped",
        reason=reason or "fits",
        tokens=state.costs[item],
        score=state.request.documents[item].score,
        relevance=state.relevance[item],
        citation=number,
        duplicate_of=repeat.of if repeat else None,
        similarity=repeat.similarity if repeat else None,
        repaired=item in state.request.repaired,
    )
