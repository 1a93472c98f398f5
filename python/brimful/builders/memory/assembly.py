"""From what was read to the messages: pure, synchronous, and all the rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from brimful.builders.memory.context import MemoryContext
from brimful.builders.memory.duplicates import Repeat, compare_entries
from brimful.builders.memory.entries import RECORDED, Entry, explore, list_entries
from brimful.builders.memory.window import SYSTEM, Window, count_turns
from brimful.config import MAX_TOKENS, show
from brimful.errors import BudgetError, InputError
from brimful.kernels.texts import is_unordered, repair_surrogates
from brimful.stages.counters import count_with, is_approximate
from brimful.stages.filtering import why_unfit
from brimful.stages.weighing import Scale
from brimful.types import Decision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.builders.memory.builder import ContextBuilder
    from brimful.builders.memory.gathering import Gathered
    from brimful.stores.cards import Card
    from brimful.types import Reason


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments of one build, checked; the turns are those that were given."""

    query: str
    turns: tuple[dict[str, Any], ...]
    prompt: str | None


@dataclass(slots=True)
class Outcome:
    """What became of each entry: shown, in order, or why not."""

    shown: list[int] = field(default_factory=list)
    dropped: dict[int, Reason] = field(default_factory=dict)
    repeats: dict[int, Repeat] = field(default_factory=dict)


def open_request(query: object, recent_turns: object, system_prompt: object) -> Request:
    """Read the arguments of `build`.

    Raises InputError that names the argument and the value.
    """
    for name, value, optional in (("query", query, False), ("system_prompt", system_prompt, True)):
        if not isinstance(value, str) and not (optional and value is None):
            message = f"{name} must be a str{' or None' if optional else ''}, got {show(value)}"
            raise InputError(message)
    if recent_turns is not None and is_unordered(recent_turns):
        message = f"recent_turns must be messages in an order, got {show(recent_turns)}"
        raise InputError(message)
    turns: Any = () if recent_turns is None else recent_turns
    prompt: Any = system_prompt
    return Request(repair_surrogates(str(query)), tuple(turns), prompt and repair_surrogates(prompt))


class Assembled(NamedTuple):
    """A context, and the cards whose access is to be recorded."""

    context: MemoryContext
    accessed: tuple[Card, ...]


def assemble(gathered: Gathered, request: Request, builder: ContextBuilder) -> Assembled:
    """Choose, compare, fill, render and count.

    Raises BudgetError where what must be there is over the budget: the prompt, the turns and the constraints.
    """
    entries = list_entries(gathered, explore(gathered, builder), builder)
    limited = builder.max_tokens is not None
    window = _open_window(entries, request, builder)
    costs = count_with(builder.counter, [entry.text for entry in entries])
    outcome = fill(entries, costs, window, builder)
    content = "".join(window.content(outcome.shown))
    messages = [{"role": SYSTEM, "content": content}] if content else []
    accessed, constraints = list_used(entries, outcome.shown)
    context = MemoryContext(
        [*messages, *request.turns],
        used_cards=(*accessed, *constraints),
        trace=(*decide(entries, costs, outcome), *decide_beyond(gathered, builder, len(entries))),
        tokens=window.measure(outcome.shown) if limited else None,
        max_tokens=builder.max_tokens,
        tokens_exact=not is_approximate(builder.counter),
    )
    return Assembled(context, accessed)


def _open_window(entries: Sequence[Entry], request: Request, builder: ContextBuilder) -> Window:
    """Return what counts the messages; the turns are counted only where there is a budget."""
    limited = builder.max_tokens is not None
    return Window(
        entries,
        request.prompt,
        builder.words,
        merge_exploration=not builder.associative_memory,
        scale=Scale.of(builder.counter),
        turns=count_turns(request.turns, builder.counter, builder.model) if limited else 0,
    )


def fill(entries: Sequence[Entry], costs: Sequence[int], window: Window, builder: ContextBuilder) -> Outcome:
    """Let in what is not blank, repeats nothing that is shown and still fits, in the order of the entries.

    Raises BudgetError where the constraints do not fit.
    """
    outcome = Outcome()
    repeats = compare_entries(entries, builder.duplicate_similarity, builder.near_duplicates)
    budget = MAX_TOKENS if builder.max_tokens is None else builder.max_tokens
    checked = builder.max_tokens is None
    for item, entry in enumerate(entries):
        if not entry.required and not checked:
            _check_required(window, outcome, budget)
            checked = True
        if why_unfit(entry.text, None, costs[item], min_score=None, min_tokens=0) is not None:
            outcome.dropped[item] = "blank"
        elif (repeat := repeats.find(item, outcome.shown)) is not None:
            outcome.dropped[item], outcome.repeats[item] = repeat.reason, repeat
        elif entry.required or builder.max_tokens is None or window.measure([*outcome.shown, item]) <= budget:
            outcome.shown.append(item)
        else:
            outcome.dropped[item] = "over_budget"
    if not checked:
        _check_required(window, outcome, budget)
    return outcome


def _check_required(window: Window, outcome: Outcome, budget: int) -> None:
    needed = window.measure(outcome.shown)
    if needed > budget:
        message = f"the prompt, the recent turns and the constraints need {needed:,} tokens, max_tokens is {budget:,}"
        raise BudgetError(message, needed=needed, available=budget)


def list_used(entries: Sequence[Entry], shown: Sequence[int]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the retrieved and explored cards that are shown, in whatever section, and the other constraints."""
    there = {entries[item].label for item in shown if entries[item].card is not None}
    found: dict[str, Card] = {}
    for entry in entries:
        if entry.card is not None and entry.tier in RECORDED and entry.label in there:
            found.setdefault(entry.label, entry.card)
    shown_cards = [entries[item].card for item in shown]
    return tuple(found.values()), tuple(card for card in shown_cards if card is not None and card.id not in found)


def decide(entries: Sequence[Entry], costs: Sequence[int], outcome: Outcome) -> list[Decision]:
    """Return the row of each entry in the trace."""
    rows = []
    for item, entry in enumerate(entries):
        repeat = outcome.repeats.get(item)
        reason: Reason = outcome.dropped.get(item, "required" if entry.required else "fits")
        row = Decision(
            item=item,
            label=entry.label,
            fate="dropped" if item in outcome.dropped else "included",
            reason=reason,
            tokens=costs[item],
            score=entry.score,
            duplicate_of=None if repeat is None else repeat.of,
            similarity=None if repeat is None else repeat.similarity,
            tier=entry.tier,
        )
        rows.append(row)
    return rows


def decide_beyond(gathered: Gathered, builder: ContextBuilder, first: int) -> list[Decision]:
    """Return the rows of what the retriever gave beyond what it was asked for."""
    costs = count_with(builder.counter, [found.card.text for found in gathered.beyond])
    return [
        Decision(
            item=item,
            label=found.card.id,
            fate="dropped",
            reason="over_limit",
            tokens=cost,
            score=found.score,
            tier="retrieved",
        )
        for item, (found, cost) in enumerate(zip(gathered.beyond, costs, strict=True), start=first)
    ]
