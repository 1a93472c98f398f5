"""From a request to a context: the stages in order, pure and synchronous."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from brimful.builders.flagship.filling import fill_budget
from brimful.builders.flagship.presentation import label_of, present
from brimful.builders.flagship.relevance import relevance_of
from brimful.render.prompt import Source
from brimful.stages.counters import count_with
from brimful.stages.filtering import why_unfit
from brimful.stages.scoring import rank

if TYPE_CHECKING:
    from brimful.builders.flagship.builder import ContextBuilder
    from brimful.builders.flagship.context import Context
    from brimful.builders.flagship.front_door import Request
    from brimful.stages.dedup import Repeat
    from brimful.types import Reason


@dataclass(frozen=True, slots=True)
class Assembly:
    """What the stages know so far. Documents are named by their index in the request.

    `line` holds those still in, best first; `dropped` why the others no longer are; `costs` the tokens of each text
    alone; `sources` what is shown of each document, escaped once; `tokens` the count of the whole rendering.
    """

    request: Request
    line: tuple[int, ...] = ()
    costs: tuple[int, ...] = ()
    relevance: tuple[float | None, ...] = ()
    sources: dict[int, Source] = field(default_factory=dict)
    dropped: dict[int, Reason] = field(default_factory=dict)
    repeats: dict[int, Repeat] = field(default_factory=dict)
    tokens: int = 0

    def drop(self, reasons: dict[int, Reason]) -> Assembly:
        """Return the state without these documents."""
        line = tuple(item for item in self.line if item not in reasons)
        return replace(self, line=line, dropped={**self.dropped, **reasons})


def assemble(request: Request, config: ContextBuilder) -> Context:
    """Run every stage and present the result."""
    state = Assembly(request)
    for stage in (score, filter_unfit, escape_sources, fill_budget):
        state = stage(state, config)
    return present(state, config)


def score(state: Assembly, config: ContextBuilder) -> Assembly:
    """Line the documents up by relevance, and count them."""
    relevance = relevance_of(state.request)
    costs = count_with(config.counter, state.request.texts(range(len(relevance))))
    return replace(state, line=tuple(rank(relevance)), costs=tuple(costs), relevance=tuple(relevance))


def filter_unfit(state: Assembly, config: ContextBuilder) -> Assembly:
    """Drop what is blank, too weak or too short."""
    reasons: dict[int, Reason] = {}
    for item in state.line:
        document = state.request.documents[item]
        reason = why_unfit(
            document.text,
            document.score,
            state.costs[item],
            min_score=config.min_score,
            min_tokens=config.min_tokens,
        )
        if reason is not None:
            reasons[item] = reason
    return state.drop(reasons)


def escape_sources(state: Assembly, _config: ContextBuilder) -> Assembly:
    """Make every text harmless, once."""
    documents = state.request.documents
    return replace(state, sources={item: Source.of(label_of(state, item), documents[item].text) for item in state.line})
