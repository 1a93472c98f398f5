"""From items to a context: pure, and all that is decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, get_args

from brimful.builders.priority.cutting import Pieces, cut_required, cut_to_fit
from brimful.builders.priority.dropping import Fates, bring_back, decide, order_of_dropping
from brimful.config import check_choice, check_flag, show
from brimful.errors import BudgetError, ConfigError
from brimful.stages.counters import is_approximate
from brimful.stages.lines import count_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.builders.priority.front_door import Given
    from brimful.builders.priority.types import DroppedItem, ItemDecision
    from brimful.protocols import TokenCounter
    from brimful.stages.lines import Lines

Overflow = Literal["flag", "raise"]
ItemOrder = Literal["input", "priority"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AssemblyOptions:
    """How items become a context.

    `on_overflow` says what is done where the required items alone exceed the budget. With `backfill` items that were
    dropped come back where they fit. `order="priority"` puts the lowest number first in the text.

    Raises ConfigError for an option out of range.
    """

    on_overflow: Overflow = "flag"
    backfill: bool = False
    order: ItemOrder = "input"

    def __post_init__(self) -> None:
        """Check every field."""
        check_choice("on_overflow", self.on_overflow, get_args(Overflow))
        check_flag("backfill", self.backfill)
        check_choice("order", self.order, get_args(ItemOrder))


class Assembled(NamedTuple):
    """A context: its text, the tokens of that text, and what became of every item.

    `line` has the index of the item at each place of the text, `counts` the tokens of each place; `fates` go by place.
    `approximate` says that the counter estimates.
    """

    content: str
    token_usage: int
    budget_exceeded: bool
    approximate: bool
    given: Given
    line: Sequence[int]
    counts: Sequence[int]
    fates: Fates

    def decide(self) -> tuple[tuple[ItemDecision, ...], tuple[DroppedItem, ...]]:
        """Return a decision an item, in the order given, and the items dropped, in the order of dropping. Linear."""
        return decide(self.given, self.line, self.counts, self.fates)

    @property
    def decisions(self) -> tuple[ItemDecision, ...]:
        """A decision an item, in the order given."""
        return self.decide()[0]

    @property
    def dropped(self) -> tuple[DroppedItem, ...]:
        """The items dropped, in the order of dropping."""
        return self.decide()[1]


class _Uncounted:
    """The counter where nothing is counted."""

    approximate: ClassVar[bool] = False

    def count(self, texts: Sequence[str], /) -> list[int]:
        """Return 0 for each text."""
        return [0] * len(texts)


def assemble(
    given: Given, options: AssemblyOptions, counter: TokenCounter | None, max_tokens: int | None = None
) -> Assembled:
    """Join the items by newlines, without those that the budget has no room for.

    Optional items go one by one, the highest priority number first and of one priority the later first, until the text
    is within `max_tokens`; the one that would go last is cut instead where it may be and a piece of it fits. Where the
    required items alone exceed the budget, those that may be cut are, if that is enough. None and 0 are no budget.

    Tokens are those of the text, newlines included: exact in the encodings, and by any other counter measured as a
    whole, a logarithm of times, where fewer items must not count more. Without a counter nothing is counted. Linear in
    the length of the text, but for cutting, and for `backfill` by a counter that only measures.

    Raises BudgetError where the budget is exceeded and `on_overflow` says so, ConfigError for a budget without a
    counter, InputError for a counter that fails.

    >>> from brimful.builders.priority.front_door import read_items
    >>> from brimful.builders.priority.types import ContextItem
    >>> from brimful.stages.counters import ExactCounter
    >>> items = read_items([ContextItem("Be brief.", required=True), ContextItem("It rains. " * 9, priority=2)])
    >>> assembled = assemble(items, AssemblyOptions(), ExactCounter(), 8)
    >>> assembled.content, assembled.token_usage, assembled.dropped[0].token_count
    ('Be brief.', 3, 28)
    """
    budget = max_tokens or None
    if counter is None and budget is not None:
        message = f"max_tokens needs a token_counter, got max_tokens {show(budget)} without one"
        raise ConfigError(message)
    chosen = counter or _Uncounted()
    line = list(range(len(given.contents)))
    if options.order == "priority":
        line.sort(key=given.priorities.__getitem__)
    placed = given.arrange(line) if options.order == "priority" else given
    lines = count_lines(placed.contents, chosen)
    fates = Fates() if budget is None else _fit(placed, lines, chosen, budget, backfill=options.backfill)
    exceeded = budget is not None and _check(lines.total, budget, options.on_overflow)
    return Assembled(
        lines.text(), lines.total, exceeded, is_approximate(chosen), given, line, tuple(lines.counts), fates
    )


def _fit(placed: Given, lines: Lines, counter: TokenCounter, budget: int, *, backfill: bool) -> Fates:
    """Drop and cut until the lines are within the budget, as far as they may be."""
    optional = [place for place, required in enumerate(placed.required) if not required]
    order = order_of_dropping(optional, placed.priorities)
    dropped = order[: lines.drop(order, budget)]
    cut: list[int] = []
    if lines.total > budget:
        fixed = order_of_dropping(set(range(len(placed.contents))).difference(optional), placed.priorities)
        cut = cut_required(lines, _cuttable(placed, lines, fixed, counter), budget)
    else:
        cuttable = _cuttable(placed, lines, dropped[-1:], counter) if any(placed.cuts) else {}
        for place, pieces in cuttable.items():
            if cut_to_fit(lines, place, pieces, budget):
                cut.append(dropped.pop())
    back = bring_back(lines, dropped, budget) if backfill else []
    return Fates(dropped, cut, back)


def _cuttable(placed: Given, lines: Lines, places: Sequence[int], counter: TokenCounter) -> dict[int, Pieces]:
    """Return the pieces of each item that may be cut: never one of priority 0, or of a lower number."""
    return {
        place: Pieces.of(placed.contents[place], lines.counts[place], cut, counter)
        for place in places
        if (cut := placed.cuts[place]) is not None and placed.priorities[place] > 0
    }


def _check(tokens: int, budget: int, on_overflow: Overflow) -> bool:
    if tokens <= budget:
        return False
    if on_overflow == "raise":
        message = f"the required items need {tokens:,} tokens, and max_tokens is {budget:,}"
        raise BudgetError(message, needed=tokens, available=budget)
    return True
