"""From a request to a context: the stages in order, pure and synchronous."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from brimful.builders.flagship.context import Context
from brimful.render.prompt import BLANK_LINE, Source, render_prompt, render_source
from brimful.stages.budgeting import fill
from brimful.stages.counting import EstimateCounter
from brimful.stages.dedup import find_near_duplicates
from brimful.stages.filtering import why_unfit
from brimful.stages.ordering import arrange
from brimful.stages.scoring import rank
from brimful.types import Citation, Decision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.builders.flagship.builder import ContextBuilder
    from brimful.builders.flagship.front_door import Request
    from brimful.protocols import TokenCounter
    from brimful.render.prompt import Prompt
    from brimful.types import Reason

COUNTER: Final = EstimateCounter("script_safe")
"""On the safe side: an estimate that is too low would let the real window overflow."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """Which document another one repeats, and how similar they are."""

    of: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Assembly:
    """What the stages know so far. Documents are named by their index in the request.

    `line` holds those still competing, best first; `dropped` why the others no longer do; `sources` what is shown of
    each document, escaped once.
    """

    request: Request
    counter: TokenCounter
    line: tuple[int, ...]
    tokens: tuple[int, ...] = ()
    sources: dict[int, Source] = field(default_factory=dict)
    dropped: dict[int, Reason] = field(default_factory=dict)
    repeats: dict[int, Repeat] = field(default_factory=dict)

    def drop(self, reasons: dict[int, Reason]) -> Assembly:
        """Return the state without these documents."""
        line = tuple(item for item in self.line if item not in reasons)
        return replace(self, line=line, dropped={**self.dropped, **reasons})


def assemble(request: Request, config: ContextBuilder) -> Context:
    """Run every stage and present the result."""
    state = Assembly(request, COUNTER, line=tuple(range(len(request.documents))))
    for stage in (score, filter_unfit, drop_repeats, fill_budget):
        state = stage(state, config)
    return present(state, config)


def score(state: Assembly, _config: ContextBuilder) -> Assembly:
    """Line the documents up by merit, and count them."""
    documents = state.request.documents
    tokens = state.counter.count([document.text for document in documents])
    return replace(state, line=tuple(rank([document.score for document in documents])), tokens=tuple(tokens))


def filter_unfit(state: Assembly, config: ContextBuilder) -> Assembly:
    """Drop what is too weak or too short."""
    reasons = {
        item: why_unfit(
            state.request.documents[item].score,
            state.tokens[item],
            min_score=config.min_score,
            min_tokens=config.min_tokens,
        )
        for item in state.line
    }
    return state.drop({item: reason for item, reason in reasons.items() if reason is not None})


def drop_repeats(state: Assembly, config: ContextBuilder) -> Assembly:
    """Drop what repeats a better document, which inherits its sources."""
    if config.near_duplicates is None:
        return state
    texts = [state.request.documents[item].text for item in state.line]
    found = find_near_duplicates(texts, config.near_duplicates)
    verdicts = zip(state.line, found.duplicate_of.tolist(), found.similarity.tolist(), strict=True)
    repeats = {item: Repeat(state.line[origin], similar) for item, origin, similar in verdicts if origin >= 0}
    return replace(state.drop(dict.fromkeys(repeats, "near_duplicate")), repeats=repeats)


def fill_budget(state: Assembly, config: ContextBuilder) -> Assembly:
    """Take what fits, best first, by the count of the whole rendering."""
    sources = {item: Source.of(_label(state, item), state.request.documents[item].text) for item in state.line}
    state = replace(state, sources=sources)
    widest = len(sources)
    costs = state.counter.count([f"{render_source(widest, source)}{BLANK_LINE}" for source in sources.values()])

    def measure(taken: Sequence[int]) -> int:
        shown = arrange([state.line[place] for place in taken], config.order)
        return _count(state, _render(state, shown).text)

    # An estimate rounds twice up, and a number may have fewer digits than the widest.
    taken = set(fill(costs, config.max_tokens, measure, slack=2 + 2 * len(str(widest))))
    return state.drop({item: "over_budget" for place, item in enumerate(state.line) if place not in taken})


def present(state: Assembly, config: ContextBuilder) -> Context:
    """Render what is left in reading order, number the citations and write the trace."""
    shown = arrange(state.line, config.order)
    prompt = _render(state, shown)
    numbers = {item: number for number, item in enumerate(shown, start=1)}
    return Context(
        text=prompt.text,
        tokens=_count(state, prompt.text),
        max_tokens=config.max_tokens,
        tokens_exact=False,
        citations=tuple(
            _citation(state, number, item, span)
            for (item, number), span in zip(numbers.items(), prompt.spans, strict=True)
        ),
        trace=tuple(_decide(state, item, numbers.get(item)) for item in range(len(state.request.documents))),
    )


def _label(state: Assembly, item: int) -> str:
    document = state.request.documents[item]
    return document.source or document.id or ""


def _render(state: Assembly, shown: Sequence[int]) -> Prompt:
    return render_prompt([state.sources[item] for item in shown], state.request.query)


def _count(state: Assembly, text: str) -> int:
    return state.counter.count([text])[0]


def _citation(state: Assembly, number: int, item: int, span: tuple[int, int]) -> Citation:
    items = (item, *sorted(copy for copy, repeat in state.repeats.items() if repeat.of == item))
    labels = dict.fromkeys(label for said in items if (label := _label(state, said)))
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
        citation=number,
        duplicate_of=repeat.of if repeat else None,
        similarity=repeat.similarity if repeat else None,
        repaired=item in state.request.repaired,
    )
