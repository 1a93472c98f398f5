"""From a request to a context: the stages in order, pure and synchronous."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from brimful.builders.flagship.competition import Repeat, compete
from brimful.builders.flagship.context import Context
from brimful.builders.flagship.relevance import preference, relevance_of
from brimful.config import MAX_TOKENS, SelectionOptions
from brimful.errors import BudgetError
from brimful.render.prompt import BLANK_LINE, Source, render_prompt, render_source
from brimful.stages.budgeting import settle
from brimful.stages.counting import PARTS_A_TOKEN, EstimateCounter
from brimful.stages.filtering import why_unfit
from brimful.stages.ordering import arrange
from brimful.stages.scoring import rank
from brimful.types import Citation, Decision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.builders.flagship.builder import ContextBuilder
    from brimful.builders.flagship.front_door import Request
    from brimful.render.prompt import Prompt
    from brimful.types import Reason

COUNTER: Final = EstimateCounter("script_safe")
"""Errs high: an estimate that is too low would let the real window overflow."""


@dataclass(frozen=True, slots=True)
class Assembly:
    """What the stages know so far. Documents are named by their index in the request.

    `line` holds those still in, best first; `dropped` why the others no longer are; `sources` what is shown of each
    document, escaped once.
    """

    request: Request
    line: tuple[int, ...] = ()
    tokens: tuple[int, ...] = ()
    relevance: tuple[float | None, ...] = ()
    sources: dict[int, Source] = field(default_factory=dict)
    dropped: dict[int, Reason] = field(default_factory=dict)
    repeats: dict[int, Repeat] = field(default_factory=dict)

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


def score(state: Assembly, _config: ContextBuilder) -> Assembly:
    """Line the documents up by relevance, and count them."""
    relevance = relevance_of(state.request)
    tokens = COUNTER.count(state.request.texts(range(len(relevance))))
    return replace(state, line=tuple(rank(relevance)), tokens=tuple(tokens), relevance=tuple(relevance))


def filter_unfit(state: Assembly, config: ContextBuilder) -> Assembly:
    """Drop what is blank, too weak or too short."""
    reasons: dict[int, Reason] = {}
    for item in state.line:
        document = state.request.documents[item]
        reason = why_unfit(
            document.text,
            document.score,
            state.tokens[item],
            min_score=config.min_score,
            min_tokens=config.min_tokens,
        )
        if reason is not None:
            reasons[item] = reason
    return state.drop(reasons)


def escape_sources(state: Assembly, _config: ContextBuilder) -> Assembly:
    """Make every text harmless, once."""
    documents = state.request.documents
    return replace(state, sources={item: Source.of(_label(state, item), documents[item].text) for item in state.line})


def fill_budget(state: Assembly, config: ContextBuilder) -> Assembly:
    """Take what fits and repeats nothing taken, best first; the whole rendering is counted in the end.

    Raises BudgetError when the query and its frame alone are over the budget.
    """
    frame = _count(_render(state, ()))
    if frame > config.max_tokens:
        message = f"the query and its frame need {frame:,} tokens, max_tokens is {config.max_tokens:,}"
        raise BudgetError(message, needed=frame, available=config.max_tokens)
    prices = Prices.of(state)
    room = config.max_tokens * PARTS_A_TOKEN - prices.frame
    outcome = compete(
        state.request.texts(state.line),
        prices.sources,
        room=room,
        price=prices.of_place,
        options=config.near_duplicates,
        prefer=preference(
            state.request,
            state.line,
            relevance=state.relevance,
            costs=prices.sources,
            options=SelectionOptions(mmr_lambda=config.mmr_lambda, budget=min(max(room, 0), MAX_TOKENS)),
        ),
    )

    def measure(places: Sequence[int]) -> int:
        return _count(_render(state, arrange([state.line[place] for place in sorted(places)], config.order)))

    taken = set(settle(outcome.taken, config.max_tokens, measure))
    line = state.line
    repeats = {line[item]: Repeat(line[repeat.of], repeat.similarity) for item, repeat in outcome.repeats.items()}
    reasons: dict[int, Reason] = {
        item: "near_duplicate" if item in repeats else "over_budget"
        for place, item in enumerate(line)
        if place not in taken
    }
    return replace(state.drop(reasons), repeats=repeats)


@dataclass(frozen=True, slots=True)
class Prices:
    """What the parts of the rendering weigh, in parts of a token that add up to the whole."""

    frame: int
    heading: int
    digit: int
    sources: tuple[int, ...]

    @classmethod
    def of(cls, state: Assembly) -> Prices:
        """Weigh the frame, and each source with a number of one digit and the blank line that parts it."""
        blocks = [f"{BLANK_LINE}{render_source(1, state.sources[item])}" for item in state.line]
        empty = Source("", "")
        query = state.request.query
        frame, framed, block, digit, *sources = COUNTER.weigh(
            [
                render_prompt((), query).text,
                render_prompt((empty,), query).text,
                f"{BLANK_LINE}{render_source(1, empty)}",
                "1",
                *blocks,
            ]
        )
        return cls(frame, framed - frame - block, digit, tuple(sources))

    def of_place(self, place: int) -> int:
        """Weigh what the source at a place, from 1, adds: the heading of the first, the digits of later numbers."""
        return self.heading if place == 1 else (len(str(place)) - 1) * self.digit


def present(state: Assembly, config: ContextBuilder) -> Context:
    """Render what is left in reading order, number the citations and write the trace."""
    shown = arrange(state.line, config.order)
    prompt = _render(state, shown)
    copies: defaultdict[int, list[int]] = defaultdict(list)
    for item in sorted(state.repeats):
        copies[state.repeats[item].of].append(item)
    numbers = {item: number for number, item in enumerate(shown, start=1)}
    return Context(
        text=prompt.text,
        tokens=_count(prompt),
        max_tokens=config.max_tokens,
        tokens_exact=False,
        query_repaired=state.request.query_repaired,
        citations=tuple(
            _cite(state, number, (item, *copies[item]), span)
            for (item, number), span in zip(numbers.items(), prompt.spans, strict=True)
        ),
        trace=tuple(_decide(state, item, numbers.get(item)) for item in range(len(state.request.documents))),
    )


def _label(state: Assembly, item: int) -> str:
    document = state.request.documents[item]
    return document.source or document.id or ""


def _render(state: Assembly, shown: Sequence[int]) -> Prompt:
    return render_prompt([state.sources[item] for item in shown], state.request.query)


def _count(prompt: Prompt) -> int:
    return COUNTER.count([prompt.text])[0]


def _cite(state: Assembly, number: int, items: tuple[int, ...], span: tuple[int, int]) -> Citation:
    labels = dict.fromkeys(label for item in items if (label := _label(state, item)))
    return Citation(number=number, items=items, sources=tuple(labels), start=span[0], end=span[1])


def _decide(state: Assembly, item: int, number: int | None) -> Decision:
    reason, repeat = state.dropped.get(item), state.repeats.get(item)
    return Decision(
        item=item,
        label=_label(state, item) or f"documents[{item}]",
        fate="included" if reason is None else "dropped",
        reason=reason or "fits",
        tokens=state.tokens[item],
        score=state.request.documents[item].score,
        relevance=state.relevance[item],
        citation=number,
        duplicate_of=repeat.of if repeat else None,
        similarity=repeat.similarity if repeat else None,
        repaired=item in state.request.repaired,
    )
