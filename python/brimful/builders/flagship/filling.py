"""Filling the window: by sums of parts first, then by counts of the whole."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from brimful.builders.flagship.competition import compete
from brimful.builders.flagship.prices import Prices, WindowAccount
from brimful.builders.flagship.relevance import preference
from brimful.config import MAX_TOKENS, SelectionOptions
from brimful.errors import BudgetError
from brimful.render.prompt import render_prompt
from brimful.stages.budgeting import settle
from brimful.stages.dedup import Repeat, find_repeats
from brimful.stages.ordering import arrange
from brimful.stages.weighing import Scale

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from brimful.builders.flagship.assembly import Assembly
    from brimful.builders.flagship.builder import ContextBuilder
    from brimful.types import Reason

NEAR: Final = 16
"""Tokens. By a counter whose counts do not add up, a document may fit that costs so much more than there is room."""

TRIALS: Final = 64
"""So many documents are tried at most, by such a counter, before one is found that fits: each is a count of all."""


def fill_budget(state: Assembly, config: ContextBuilder) -> Assembly:
    """Take what fits and repeats nothing taken, best first; the whole rendering is counted in the end.

    Raises BudgetError when the query and its frame alone are over the budget.
    """
    window = Window.of(state, config)
    frame = window.measure(())
    if frame > config.max_tokens:
        message = f"the query and its frame need {frame:,} tokens, max_tokens is {config.max_tokens:,}"
        raise BudgetError(message, needed=frame, available=config.max_tokens)
    texts, prices = state.request.texts(state.line), window.prices
    outcome = compete(
        texts,
        window.open_account,
        options=config.near_duplicates,
        prefer=preference(
            state.request,
            state.line,
            relevance=state.relevance,
            costs=prices.sources,
            options=SelectionOptions(mmr_lambda=config.mmr_lambda, budget=min(max(window.room, 0), MAX_TOKENS)),
        ),
    )
    taken = list(settle(outcome.taken, config.max_tokens, window.measure))
    shown = set(taken)
    repeats = {place: repeat for place, repeat in outcome.repeats.items() if repeat.of in shown}
    if window.may_hold_more or len(taken) < len(outcome.taken):
        top_up(taken, repeats, window, lambda places: find_repeats(texts, places, config.near_duplicates))
    return _conclude(state, taken, repeats, window.measure(taken))


def top_up(
    taken: list[int],
    repeats: dict[int, Repeat],
    window: Window,
    find: Callable[[Sequence[int]], dict[int, Repeat]],
) -> None:
    """Add to `taken` what still fits after all, or to `repeats` where it repeats what is taken or is repeated by it.

    The order is that of the line. After each that is taken all the others have another chance.
    """
    decided = {*taken, *repeats}
    left = [place for place in range(len(window.line)) if place not in decided]
    while True:
        fits = window.open_beside(taken)
        place = next(filter(fits, left), None)
        if place is None:
            return
        left.remove(place)
        found = find(sorted([*taken, place]))
        copies = [Repeat(copy, repeat.similarity) for copy, repeat in found.items() if repeat.of == place]
        if place in found or copies:
            repeats[place] = found[place] if place in found else copies[0]
        else:
            taken.append(place)


@dataclass(frozen=True, slots=True)
class Window:
    """The room there is. Places are those of the line: 0 is the most relevant document."""

    state: Assembly
    config: ContextBuilder
    scale: Scale
    prices: Prices
    measured: dict[tuple[int, ...], int] = field(default_factory=dict)

    @classmethod
    def of(cls, state: Assembly, config: ContextBuilder) -> Window:
        """Weigh what may come into the window."""
        scale = Scale.of(config.counter)
        sources = [state.sources[item] for item in state.line]
        return cls(state, config, scale, Prices.of(sources, state.request.query, scale))

    @property
    def line(self) -> Sequence[int]:
        """The documents that compete."""
        return self.state.line

    @property
    def room(self) -> int:
        """What the sources and their heading may weigh."""
        return self.config.max_tokens * self.scale.parts - self.prices.question

    @property
    def may_hold_more(self) -> bool:
        """Whether something may fit that did not when its turn came: sums are uncertain, or the end has moved."""
        return not self.scale.additive or bool(self.prices.ends)

    def open_account(self) -> WindowAccount:
        """Return the room with nothing taken."""
        return WindowAccount(self.prices, self.line, self.config.order, self.room)

    def measure(self, shown: Sequence[int]) -> int:
        """Count the whole rendering, once for the same places."""
        places = tuple(sorted(shown))
        if places not in self.measured:
            items = arrange([self.line[place] for place in places], self.config.order)
            prompt = render_prompt([self.state.sources[item] for item in items], self.state.request.query)
            self.measured[places] = self.scale.count(prompt.text)
        return self.measured[places]

    def open_beside(self, taken: Sequence[int]) -> Callable[[int], bool]:
        """Return what says whether one more fits beside those taken: it comes near by the sum, and is measured."""
        account, trials, near = self.open_account(), len(self.line), 0
        for place in taken:
            account.take(place)
        if not self.scale.additive:
            trials, near = TRIALS, NEAR
            account.room = self.config.max_tokens - self.measure(taken)

        def fits(place: int) -> bool:
            nonlocal trials
            if trials == 0 or account.cost_of(place) > account.room_for(place) + near:
                return False
            trials -= 1
            return self.measure([*taken, place]) <= self.config.max_tokens

        return fits


def _conclude(state: Assembly, taken: Sequence[int], repeats: dict[int, Repeat], tokens: int) -> Assembly:
    """Name documents by their index again, and drop those that were not taken."""
    line, shown = state.line, set(taken)
    by_item = {line[place]: Repeat(line[repeat.of], repeat.similarity) for place, repeat in repeats.items()}
    reasons: dict[int, Reason] = {
        item: "near_duplicate" if item in by_item else "over_budget"
        for place, item in enumerate(line)
        if place not in shown
    }
    return replace(state.drop(reasons), repeats=by_item, tokens=tokens)
