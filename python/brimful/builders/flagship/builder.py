"""`brimful.ContextBuilder`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, get_args

from brimful.builders.flagship.assembly import assemble
from brimful.builders.flagship.front_door import open_request
from brimful.config import (
    MAX_TOKENS,
    NearDuplicateOptions,
    Order,
    check_choice,
    check_finite,
    check_integer,
    check_share,
    show,
)
from brimful.errors import ConfigError
from brimful.stages.counters import ExactCounter, check_counter
from brimful.stages.models import check_model, for_model

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

    from brimful.builders.flagship.context import Context
    from brimful.builders.flagship.front_door import Material
    from brimful.protocols import TokenCounter

NEAR_DUPLICATES: Final = NearDuplicateOptions(
    threshold=0.5,
    containment=0.8,
    words="alphanumeric",
    shingles="auto",
    normalize=True,
    distinguish_facts=True,
)
"""Measured on damaged copies of retrieved passages: ARCHITECTURE.md, "Defaults"."""


@dataclass(frozen=True, slots=True)
class ContextBuilder:
    """Builds contexts of at most `max_tokens` tokens. Immutable, reusable, safe to share between threads.

    `model` says what reads the context: tokens are counted by `for_model`, exactly where its vocabulary is known.
    `token_counter` counts in its stead: anything with a method `count(texts)`. With neither, tokens are those of
    o200k_base, counted exactly. The counts of a `token_counter` need not add up. The whole is counted then for each
    document that comes near to fitting, at most 64 times before one fits; what costs alone 16 tokens more than there
    is room is not tried.
    `min_score`: documents that score less are dropped (None: none are). `min_tokens`: shorter ones are dropped;
    1 drops empty texts. `near_duplicates`: when two documents count as the same; the best-scored copy stays and
    inherits the sources of the others (None: all stay). `mmr_lambda`: documents are chosen for being relevant and
    unlike those chosen before; 1 goes by relevance alone. `order`: the best documents at both ends of the text
    ("edges"), by score, or as given ("input").

    Raises ConfigError for an option out of range, and where both `model` and `token_counter` are given.

    >>> builder = ContextBuilder(max_tokens=30)
    >>> context = builder.build(query="What is wet?", documents=["Water is wet.", "Water is wet!"])
    >>> print(context.text)
    # Sources
    <BLANKLINE>
    [1]
    Water is wet.
    <BLANKLINE>
    # Question
    <BLANKLINE>
    What is wet?
    >>> [decision.fate for decision in context.trace]
    ['included', 'dropped']
    """

    max_tokens: int
    model: str | None = field(default=None, kw_only=True)
    token_counter: TokenCounter | None = field(default=None, kw_only=True)
    min_score: float | None = field(default=None, kw_only=True)
    min_tokens: int = field(default=1, kw_only=True)
    near_duplicates: NearDuplicateOptions | None = field(default=NEAR_DUPLICATES, kw_only=True)
    mmr_lambda: float = field(default=0.9, kw_only=True)
    order: Order = field(default="edges", kw_only=True)

    def __post_init__(self) -> None:
        """Check every field, and store plain ints and floats."""
        object.__setattr__(self, "max_tokens", check_integer("max_tokens", self.max_tokens, low=0, high=MAX_TOKENS))
        _check_counting(self.model, self.token_counter)
        if self.min_score is not None:
            object.__setattr__(self, "min_score", check_finite("min_score", self.min_score))
        object.__setattr__(self, "min_tokens", check_integer("min_tokens", self.min_tokens, low=0, high=MAX_TOKENS))
        _check_near_duplicates(self.near_duplicates)
        object.__setattr__(self, "mmr_lambda", check_share("mmr_lambda", self.mmr_lambda))
        check_choice("order", self.order, get_args(Order))

    @property
    def counter(self) -> TokenCounter:
        """The counter that the budget goes by."""
        if self.token_counter is not None:
            return self.token_counter
        return ExactCounter() if self.model is None else for_model(self.model)

    def build(
        self,
        *,
        query: str | None = None,
        documents: Iterable[Material] = (),
        embeddings: ArrayLike | None = None,
        query_embedding: ArrayLike | None = None,
    ) -> Context:
        """Return the context of the documents that deserve the budget.

        `embeddings` has one row a document. Documents are as relevant as their scores say. Where none has a score,
        BM25 of the query and the cosine with `query_embedding` say so, half each, or the one that there is. Those
        without a score stand behind those with one, in input order. Nothing is mutated and nothing is written. Time is
        that of `near_duplicates` and of `mmr_select`.

        Raises InputError for a document that cannot be used, with its index, and BudgetError when the query and its
        frame alone are over the budget.
        """
        return assemble(open_request(query, documents, embeddings, query_embedding), self)


def _check_counting(model: object, token_counter: object) -> None:
    if model is not None:
        check_model(model)
    if token_counter is not None:
        check_counter(token_counter)
    if model is not None and token_counter is not None:
        message = (
            f"model and token_counter both say how to count: give one, got {show(model)} and {show(token_counter)}"
        )
        raise ConfigError(message)


def _check_near_duplicates(value: object) -> None:
    if not (value is None or isinstance(value, NearDuplicateOptions)):
        message = f"near_duplicates must be NearDuplicateOptions or None, got {show(value)}"
        raise ConfigError(message)
