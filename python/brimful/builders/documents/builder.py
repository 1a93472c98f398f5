"""`ContextManager`: the configuration, and the assembly step by step."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from brimful.builders.documents.assembly import assemble
from brimful.builders.documents.front_door import read_messages, read_request
from brimful.builders.qualified import Qualified
from brimful.config import MAX_TOKENS, check_callable, check_finite, check_flag, check_integer, check_number, show
from brimful.errors import ConfigError
from brimful.render.documents import render_turns
from brimful.stages.counters import check_counter
from brimful.stages.counting import RuleCounter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from brimful.builders.documents.types import ContextResult, Message, PromptRequest
    from brimful.protocols import TokenCounter

WORDS_TIMES_1_3: Final = RuleCounter("words_times_1_3")
"""The tokens of the original: 1.3 a word, rounded down."""

MESSAGES_A_TURN: Final = 2


@dataclass(repr=False, eq=False)
class ContextManager(Qualified):
    r"""Turns retrieved documents into an ordered, deduplicated, numbered block within a budget of tokens.

    Documents shorter than `min_doc_tokens` are dropped, the others sorted by score. One that equals a better one but
    for case and white space is dropped, and one whose 5-word shingles have a Jaccard similarity of `dedup_threshold`
    with a better one (NaN or above 1: equal ones only). With `use_lost_in_middle` the best stand at both ends, where
    more than three are left. They are taken in that order while they fit; the first that does not fit is cut, if there
    is room for more than 50 tokens. Headers are not charged. `max_memory_messages` are the turns that `format_memory`
    shows, two messages each.

    `summarize_overflow`: a document that does not fit leaves a synopsis, if that fits: its sentence that is nearest to
    the query by TF-IDF, or what `summarizer` makes of its content and the query. Documents that fit come first.
    Added: `enforce_total` charges the headers too: the block as a whole is within the budget. `counter` counts tokens
    in place of words times 1.3. `lost_in_middle_first_served` fills the budget in the order of the scores and sorts
    for reading afterwards. `trace` gives a decision for each document.

    Holds nothing but this configuration: it may be shared between threads. Raises ConfigError for an option out of
    range.

    >>> from brimful.builders.documents import Document, PromptRequest
    >>> documents = [Document("Paris is the capital of France.", score=0.9)]
    >>> ContextManager().build(PromptRequest("q", documents)).context_block
    '--- Source [1] (relevance: 0.90) ---\nParis is the capital of France.'
    """

    dedup_threshold: float = 0.85
    min_doc_tokens: int = 5
    use_lost_in_middle: bool = True
    summarize_overflow: bool = False
    max_memory_messages: int = 10
    enforce_total: bool = field(default=False, kw_only=True)
    counter: TokenCounter = field(default=WORDS_TIMES_1_3, kw_only=True)
    lost_in_middle_first_served: bool = field(default=False, kw_only=True)
    summarizer: Callable[[str, str], str] | None = field(default=None, kw_only=True)
    trace: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        """Check every field."""
        check_number("dedup_threshold", self.dedup_threshold)
        check_finite("min_doc_tokens", self.min_doc_tokens)
        for name in ("use_lost_in_middle", "summarize_overflow", "enforce_total", "lost_in_middle_first_served"):
            check_flag(name, getattr(self, name))
        check_integer("max_memory_messages", self.max_memory_messages, low=0, high=MAX_TOKENS)
        check_counter(self.counter, name="counter")
        _check_summarizer(self.summarizer, used=self.summarize_overflow)
        check_flag("trace", self.trace)

    def build(self, request: PromptRequest) -> ContextResult:
        """Return the block of the documents of a request. Time is that of `near_duplicates`.

        `documents` may be an iterator. With `enforce_total` each document that is considered costs a count of the
        block, which is at most the budget and that document.

        Raises InputError for documents, scores or a budget that cannot be used, with the index, and where a counter or
        a summarizer fails.
        """
        return assemble(read_request(request), self)

    def format_memory(self, memory: Iterable[Message], max_turns: int | None = None) -> str:
        r"""Return the last turns of a conversation line by line; None or 0 turns are `max_memory_messages`.

        Raises ConfigError for turns below 0, InputError for a message without content, with its index.

        >>> from brimful.builders.documents import Message
        >>> ContextManager().format_memory([Message("user", "Hi"), Message("assistant", "Hello")])
        'User: Hi\nAssistant: Hello'
        """
        if max_turns is not None:
            check_integer("max_turns", max_turns, low=0, high=MAX_TOKENS)
        turns = max_turns or self.max_memory_messages
        return render_turns(read_messages(memory, slice(-MESSAGES_A_TURN * turns or None, None)))


def _check_summarizer(summarizer: object, *, used: bool) -> None:
    if summarizer is None:
        return
    check_callable("summarizer", summarizer)
    if not used:
        message = f"summarizer needs summarize_overflow=True, got {show(summarizer)}"
        raise ConfigError(message)
