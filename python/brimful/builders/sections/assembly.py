"""From what was gathered to a context: the stages in order, pure and synchronous."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from brimful.builders.sections.presentation import present
from brimful.render.sections import CUT_MARKER, write_documents, write_history, write_memories, write_profile
from brimful.stages.budgeting import rebalance
from brimful.stages.counters import count_with
from brimful.stages.truncation import Piece, shorten

if TYPE_CHECKING:
    from brimful.builders.sections.builder import ContextBuilder
    from brimful.builders.sections.front_door import Gathered
    from brimful.builders.sections.types import BuiltContext
    from brimful.config import Boundary
    from brimful.render.sections import Body

CHARACTERS_A_TOKEN: Final = 4
BOUNDARIES: Final[dict[str, Boundary]] = {"char": "grapheme", "word": "word", "sentence": "sentence"}


def assemble(gathered: Gathered, config: ContextBuilder) -> BuiltContext:
    """Write the sections, count them, share the budgets out, cut, render."""
    bodies = write_bodies(gathered)
    needs = dict(zip(bodies, count_with(config.counter, [body.text for body in bodies.values()]), strict=True))
    budgets = share_budgets(needs, config)
    over = [name for name in bodies if needs[name] > budgets[name]]
    pieces = cut_sections({name: bodies[name].text for name in over}, budgets, config)
    return present(gathered, bodies, pieces, config)


def write_bodies(gathered: Gathered) -> dict[str, Body]:
    """Return what the sections say, in their order; there is a section where there is anything to make one of."""
    bodies: dict[str, Body] = {}
    if gathered.profile:
        bodies["user_profile"] = write_profile(gathered.profile)
    if gathered.memories:
        bodies["memories"] = write_memories(gathered.memories)
    if gathered.documents:
        bodies["documents"] = write_documents(gathered.documents)
    if gathered.history:
        bodies["history"] = write_history(gathered.history)
    return bodies


def share_budgets(needs: dict[str, int], config: ContextBuilder) -> dict[str, int]:
    """Return the budgets of all sections: fixed ones, or what the others can spare goes to those in need."""
    budgets = config.budgets
    if not config.rebalance:
        return budgets
    return dict(zip(budgets, rebalance([*budgets.values()], [needs.get(name, 0) for name in budgets]), strict=True))


def cut_sections(texts: dict[str, str], budgets: dict[str, int], config: ContextBuilder) -> dict[str, Piece]:
    """Return what is left of texts that are over their budgets."""
    limits = [budgets[name] for name in texts]
    if config.cuts_characters:
        # The original's slice, also where the budget is negative: all but the last characters are left then.
        lengths = [len(text[: limit * CHARACTERS_A_TOKEN]) for text, limit in zip(texts.values(), limits, strict=True)]
        return {name: Piece(texts[name], length, marked=True) for name, length in zip(texts, lengths, strict=True)}
    boundary = BOUNDARIES[config.truncate]
    pieces = shorten([*texts.values()], limits, config.counter, boundary=boundary, marker=CUT_MARKER)
    return dict(zip(texts, pieces, strict=True))
