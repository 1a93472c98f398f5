"""`ContextBuilder` of sections: the configuration."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, get_args

from brimful.builders.qualified import Qualified
from brimful.builders.sections.assembly import assemble
from brimful.builders.sections.front_door import gather
from brimful.config import check_choice, check_finite, check_flag, show
from brimful.errors import ConfigError
from brimful.render.sections import HEADINGS, render_prompt
from brimful.stages.counters import check_counter
from brimful.stages.counting import RuleCounter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brimful.builders.sections.memories import MemoryEntry
    from brimful.builders.sections.types import BuiltContext, Document
    from brimful.protocols import TokenCounter

WORDS_DIV_4: Final = RuleCounter("words_div_4")
"""The tokens of the original: a quarter of the words, at least 1."""

Truncate = Literal["char", "word", "sentence"]
SYSTEM_INSTRUCTION: Final = "You are a helpful, knowledgeable assistant."


@dataclass(repr=False, eq=False)
class ContextBuilder(Qualified):
    r"""Puts a profile, memories, documents and a conversation into one text of sections, each within its own budget.

    A budget is `int(total_token_budget * fraction)`. The fractions need not add up to 1: nothing is refused, but
    `BuiltContext.warnings` says so. A section over its budget is cut to four code points a token, wherever that is.
    The order of the inputs is kept.

    Added: `rebalance` gives what sections can spare to those over their budget, in the order of the sections.
    `truncate="word"` and `"sentence"` cut to the longest piece that is within the budget, the marker included, at the
    end of a word or a sentence. `counter` counts tokens in place of a quarter of the words; with one, `"char"` cuts
    like that too, at any character. `trace` gives a decision for each input.

    Holds nothing but this configuration: it may be shared between threads. Raises ConfigError for an option out of
    range, also for a fraction that is not finite.

    >>> from brimful.builders.sections import Document
    >>> context = ContextBuilder(2000).build(documents=[Document("Paris is in France.", {"source": "wiki"})])
    >>> context.full_text
    '=== Retrieved Documents ===\n[Doc 1 (source: wiki)]\nParis is in France.\n'
    """

    total_token_budget: float = 4_000
    profile_budget_fraction: float = field(default=0.05, kw_only=True)
    memory_budget_fraction: float = field(default=0.30, kw_only=True)
    document_budget_fraction: float = field(default=0.45, kw_only=True)
    history_budget_fraction: float = field(default=0.20, kw_only=True)
    rebalance: bool = field(default=False, kw_only=True)
    truncate: Truncate = field(default="char", kw_only=True)
    counter: TokenCounter = field(default=WORDS_DIV_4, kw_only=True)
    trace: bool = field(default=False, kw_only=True)
    budgets: dict[str, int] = field(init=False, repr=False)
    warnings: tuple[str, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check every field, and work the budgets out."""
        check_finite("total_token_budget", self.total_token_budget)
        names = [f"{part}_budget_fraction" for part in ("profile", "memory", "document", "history")]
        fractions = [check_finite(name, getattr(self, name)) for name in names]
        self.budgets = {
            section: _take_fraction(name, self.total_token_budget, fraction)
            for section, name, fraction in zip(HEADINGS, names, fractions, strict=True)
        }
        self.warnings = _warn_of(math.fsum(fractions))
        check_flag("rebalance", self.rebalance)
        check_choice("truncate", self.truncate, get_args(Truncate))
        check_counter(self.counter, name="counter")
        check_flag("trace", self.trace)

    @property
    def cuts_characters(self) -> bool:
        """Whether sections are cut as in the original: to four code points a token."""
        by_words = isinstance(self.counter, RuleCounter) and self.counter.rule == "words_div_4"
        return self.truncate == "char" and by_words

    def build(
        self,
        *,
        documents: Iterable[Document] | None = None,
        memories: Iterable[MemoryEntry] | None = None,
        history: Iterable[Mapping[str, object]] | None = None,
        user_profile_text: str | None = None,
        query: str | None = None,
    ) -> BuiltContext:
        """Return the sections of whatever is given, in the order profile, memories, documents, history.

        Iterators will do. What says nothing is left out: a turn without `input` and `output`, or that is no mapping.
        Linear in the length of the texts.

        Raises InputError for what is no document or memory, with its index, and where the counter fails.
        """
        gathered = gather(
            documents=documents, memories=memories, history=history, profile=user_profile_text, query=query
        )
        return assemble(gathered, self)

    def build_prompt(
        self,
        query: str,
        *,
        documents: Iterable[Document] | None = None,
        memories: Iterable[MemoryEntry] | None = None,
        history: Iterable[Mapping[str, object]] | None = None,
        user_profile_text: str | None = None,
        system_instruction: str = SYSTEM_INSTRUCTION,
    ) -> str:
        r"""Return a prompt: the instruction, the context of `build`, and the query under its heading.

        >>> ContextBuilder().build_prompt("Hi", system_instruction="Be kind.")
        'Be kind.\n\n# Context for: Hi\n\n\n\n=== Current Query ===\nHi'
        """
        context = self.build(
            documents=documents,
            memories=memories,
            history=history,
            user_profile_text=user_profile_text,
            query=query,
        )
        return render_prompt(system_instruction, context.full_text, query)


def _take_fraction(name: str, total: float, fraction: float) -> int:
    budget = float(total) * fraction
    if math.isfinite(budget):
        return int(budget)
    message = f"{name} must give a finite budget, got {show(fraction)} of {show(total)}"
    raise ConfigError(message)


def _warn_of(total: float) -> tuple[str, ...]:
    if math.isclose(total, 1.0, rel_tol=1e-9):
        return ()
    return (f"the fractions of the budget add up to {total:.6g}, not to 1",)
