"""`brimful.builders.memory.ContextBuilder`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from brimful.builders.memory import assembly
from brimful.builders.memory.access import commit
from brimful.builders.memory.assembly import open_request
from brimful.builders.memory.exposure import ExposureTracker
from brimful.builders.memory.failures import Failures, OnError
from brimful.builders.memory.gathering import gather, log_counts, timed
from brimful.builders.memory.options import check_options
from brimful.builders.memory.steps import Plan, Step, arun, run
from brimful.config import NearDuplicateOptions, check_flag
from brimful.render.memory import MemoryWords
from brimful.stages.counters import ExactCounter
from brimful.stages.counting import EstimateCounter
from brimful.stages.models import for_model
from brimful.stores.moments import read_moment, utc_now

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brimful.builders.memory.assembly import Assembled
    from brimful.builders.memory.context import MemoryContext
    from brimful.protocols import Embedder, TokenCounter
    from brimful.stores.moments import Clock

NEAR_DUPLICATES: Final = NearDuplicateOptions(
    words="alphanumeric", shingles="auto", normalize=True, distinguish_facts=True
)
"""Texts that are the same but for a few words; those that differ in a number or a name stay apart."""


@dataclass(frozen=True, slots=True)
class ContextBuilder:
    """Makes messages of an agent's memory: constraints, clusters, retrieved cards, some that were seen little lately.

    The first five are the original's. `retriever` has `search(query, top_k=)` or `asearch`; `adapter` is one of ours or
    has what it can of `write_card`, `write_cards`, `record_access`, `read_card`, `read_cards`, `list_cards`,
    `list_clusters` and `vector_search`: what is missing is left out. `embedder` tells what is loosely relevant; without
    it words do, in a store of ours. `associative_memory` shows explored cards under a heading of their own, with
    guidance.

    Explored are at most `exploration_count` cards that score within `exploration_band` for the query, of the
    `exploration_pool` best of those, whose `exposure` is below `exposure_threshold`; the least exposed first, without
    those that are blank or repeat a retrieved one: never shown, they would stay the least exposed. At most
    `cluster_limit` clusters that have cards found are summed up. All constraints that were not merged are active. A
    card repeats one that is shown where both are one card or were merged, where their embeddings have a cosine of at
    least `duplicate_similarity` (None: not asked), or by `near_duplicates` of their texts (None: not asked).

    With `max_tokens` cards are let in while they fit, the best first; the prompt, the turns and the constraints are
    never cut. `model` or `token_counter` say how to count, by default exactly in o200k_base. Frames of messages count
    by the rules of `brimful.stages.framing`. Without a budget the trace has estimates.

    `on_error="degrade"` goes on without what fails, with a note. `clock` gives the present moment. Immutable, and safe
    to share between threads where its parts are.

    Raises ConfigError for an option out of range.

    >>> from brimful.builders.memory import Card, HybridRetriever, InMemoryAdapter
    >>> store = InMemoryAdapter()
    >>> store.write_cards([
    ...     Card("We deploy with Ansible.", id="a"),
    ...     Card("Never deploy on Fridays.", id="b", type="constraint"),
    ... ])
    >>> builder = ContextBuilder(HybridRetriever(store), store)
    >>> messages = builder.build("How do we deploy?", system_prompt="You are a backend developer.")
    >>> print(messages[0]["content"])
    You are a backend developer.
    <BLANKLINE>
    ACTIVE CONSTRAINTS:
    - Never deploy on Fridays.
    <BLANKLINE>
    YOU REMEMBER:
    - We deploy with Ansible.
    >>> [card.access_count for card in store.list_cards()]
    [1, 1]
    """

    retriever: Any
    adapter: Any
    retrieval_top_k: int = 15
    embedder: Embedder | None = None
    associative_memory: bool = False
    exploration_count: int = field(default=2, kw_only=True)
    exploration_band: tuple[float, float] = field(default=(0.2, 0.5), kw_only=True)
    exploration_pool: int = field(default=100, kw_only=True)
    exposure: ExposureTracker = field(default=ExposureTracker(), kw_only=True)
    exposure_threshold: float = field(default=1.0, kw_only=True)
    cluster_limit: int = field(default=3, kw_only=True)
    duplicate_similarity: float | None = field(default=0.92, kw_only=True)
    near_duplicates: NearDuplicateOptions | None = field(default=NEAR_DUPLICATES, kw_only=True)
    words: MemoryWords = field(default=MemoryWords(), kw_only=True)
    max_tokens: int | None = field(default=None, kw_only=True)
    model: str | None = field(default=None, kw_only=True)
    token_counter: TokenCounter | None = field(default=None, kw_only=True)
    on_error: OnError = field(default="raise", kw_only=True)
    clock: Clock = field(default=utc_now, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        """Check every field, and store plain ints and floats."""
        for name, value in check_options(self).items():
            object.__setattr__(self, name, value)

    @property
    def counter(self) -> TokenCounter:
        """The counter that the budget goes by; without one and without a budget, an estimate for the trace."""
        if self.token_counter is not None:
            return self.token_counter
        if self.model is not None:
            return for_model(self.model)
        return EstimateCounter("script_safe") if self.max_tokens is None else ExactCounter()

    def build(
        self,
        query: str,
        recent_turns: Iterable[Mapping[str, Any]] = (),
        system_prompt: str | None = None,
        read_only: bool = False,  # noqa: FBT001, FBT002 - the original's
    ) -> MemoryContext:
        """Return the messages: the prompt with the memory, then the turns as they are. The query is none of them.

        Accesses of the cards that were found and are shown are recorded in one batch when the text is there, unless
        `read_only`; a store that fails then is told of in the result. No argument is changed.

        Raises InputError for an argument that cannot be used, BudgetError where what must be there is over the budget,
        and RetrievalError, EmbeddingError or StoreError where a part fails, unless `on_error` is `"degrade"`.
        """
        return run(self._plan(query, recent_turns, system_prompt, read_only=read_only))

    async def abuild(
        self,
        query: str,
        recent_turns: Iterable[Mapping[str, Any]] = (),
        system_prompt: str | None = None,
        read_only: bool = False,  # noqa: FBT001, FBT002 - the original's
    ) -> MemoryContext:
        """Return the same: async twins of the parts, as `asearch`, are awaited, all else runs in threads."""
        return await arun(self._plan(query, recent_turns, system_prompt, read_only=read_only))

    def _plan(self, query: object, turns: object, prompt: object, *, read_only: bool) -> Plan[MemoryContext]:
        """Gather, assemble, commit."""
        check_flag("read_only", read_only)
        request = open_request(query, turns, prompt)
        now, failures = read_moment("clock", self.clock()), Failures(self.on_error)
        gathered = yield from gather(self, request.query, now, failures)
        with timed("assemble"):
            assembled: Assembled = yield Step(assembly, "assemble", (gathered, request, self))
        context = assembled.context
        context.notes = tuple(failures.notes)
        if not read_only:
            with timed("record access of %d cards", len(assembled.accessed)):
                yield from commit(assembled, self.adapter, now)
        log_counts(gathered, context)
        return context
