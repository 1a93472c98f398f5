"""From a request to a context: pure, and all that is decided."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from brimful.builders.packets.front_door import RELEVANCE_OF_THE_ORDER
from brimful.builders.packets.instructions import cap_system
from brimful.builders.packets.presentation import present
from brimful.stages.budgeting import PlainAccount, fill, fill_newest
from brimful.stages.counters import count_with
from brimful.stages.scoring import composite, rank, recency
from brimful.stages.selection import select_until_full

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.builders.packets.config import PacketConfig
    from brimful.builders.packets.front_door import Request
    from brimful.builders.packets.instructions import Instructions
    from brimful.builders.packets.similarity import Embedded
    from brimful.builders.packets.types import BuiltContext

HISTORY_SHARE: Final = 0.6
"""What history may take of the budget at most, whatever its own says: seed 004 does so, but does not say so."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Tokens of each text alone, counted in one batch."""

    system: int
    history: Sequence[int]
    packets: Sequence[int]


@dataclass(frozen=True, slots=True)
class Choice:
    """The packets chosen, in order; what each candidate is worth; and the scores of those chosen when they were."""

    items: tuple[int, ...] = ()
    merits: dict[int, float] = field(default_factory=dict)
    scores: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Window:
    """What fits: the instructions, history from its `oldest` message on, and the packets chosen."""

    instructions: Instructions
    oldest: int
    choice: Choice
    costs: Costs
    warnings: tuple[str, ...]

    @property
    def tokens(self) -> int:
        """The tokens of all of it."""
        history, packets = self.costs.history[self.oldest :], self.costs.packets
        return self.instructions.tokens + sum(history) + sum(packets[item] for item in self.choice.items)


def assemble(request: Request, embedded: Embedded, config: PacketConfig) -> BuiltContext:
    """Fill the budget and hand back what fits.

    Raises BudgetError where the instructions are over their cap and shall not be.
    """
    return present(request, fill_window(request, embedded, config))


def fill_window(request: Request, embedded: Embedded, config: PacketConfig) -> Window:
    """Fill the budget: the instructions first, then history, then packets."""
    costs = count_all(request, config)
    instructions = cap_system(request.system, costs.system, config)
    budget = config.max_tokens - instructions.tokens
    oldest = fill_newest(costs.history, min(config.history_token_budget, math.floor(HISTORY_SHARE * budget)))
    choice = choose(request, embedded, costs.packets, budget - sum(costs.history[oldest:]), config)
    warnings = [warning for warning in (instructions.warning, embedded.warning) if warning is not None]
    return Window(instructions, oldest, choice, costs, tuple(warnings))


def count_all(request: Request, config: PacketConfig) -> Costs:
    """Count every text of a request."""
    history, packets = request.history, request.packets
    texts = [request.system, *(turn.content for turn in history), *(packet.content for packet in packets)]
    system, *others = count_with(config.counter, texts)
    return Costs(system, others[: len(history)], others[len(history) :])


def choose(request: Request, embedded: Embedded, costs: Sequence[int], budget: int, config: PacketConfig) -> Choice:
    """Choose candidates: the worthiest first, or those that are worthy and unlike each other."""
    candidates = request.candidates
    if not candidates:
        return Choice()
    worth = weigh(request, embedded, config)
    prices = [costs[item] for item in candidates]
    if config.enable_mmr:
        texts = [request.packets[item].content for item in candidates]
        picks = select_until_full(
            texts if embedded.vectors is None else embedded.vectors[1:],
            worth,
            costs=prices,
            budget=budget,
            mmr_lambda=config.mmr_lambda,
            query=request.query,
        )
        places, scores = picks.indices, picks.scores
    else:
        places = fill(rank(worth), PlainAccount(prices, budget)).taken
        scores = tuple(worth[place] for place in places)
    merits = dict(zip(candidates, worth, strict=True))
    return Choice(tuple(candidates[place] for place in places), merits, scores)


def weigh(request: Request, embedded: Embedded, config: PacketConfig) -> list[float]:
    """Return what each candidate is worth: its relevance, which is a similarity where MMR chooses, and its recency."""
    if config.enable_mmr:
        relevance = embedded.relevance(request.to_embed())
    else:
        scores = [request.scores[item] for item in request.candidates]
        relevance = [RELEVANCE_OF_THE_ORDER if score is None else score for score in scores]
    recencies = recency([request.ages[item] for item in request.candidates], config.recency_tau)
    return composite(relevance, recencies, config.recency_weight)
