"""What goes into a `ContextManager` and what comes out: plain, mutable values with the fields of seed 001."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from brimful.builders.qualified import Qualified

if TYPE_CHECKING:
    from brimful.types import Decision


@dataclass(repr=False)
class Document(Qualified):
    """A retrieved passage. `score`: higher is better; it must be finite when a context is built.

    >>> Document("Paris is the capital of France.", source="wiki", score=0.9).language
    'en'
    """

    content: str
    source: str = ""
    score: float = 1.0
    metadata: dict[str, Any] = field(default_factory=dict)
    chunk_id: str | None = None
    language: str = "en"


@dataclass(repr=False)
class Message(Qualified):
    """A message of a conversation: `role` is "system", "user" or "assistant"."""

    role: str
    content: str


@dataclass(repr=False)
class PromptRequest(Qualified):
    """What a prompt is made from.

    A `ContextManager` reads `documents` and `max_context_tokens`, and `query` for its synopses. The other fields are
    those of the original, carried for who reads them; `prompt_type` to `user_profile` are the values of its enums.
    """

    query: str
    documents: list[Document] = field(default_factory=list)
    memory: list[Message] = field(default_factory=list)
    prompt_type: str = "qa"
    strategy: str = "simple"
    output_format: str = "text"
    complexity: str = "simple"
    user_profile: str = "general"
    max_context_tokens: int = 3000
    max_answer_tokens: int = 512
    output_schema: dict[str, Any] | None = None
    language: str = "en"
    enable_guardrails: bool = True
    enable_cot: bool = False
    enable_citations: bool = True
    enable_uncertainty: bool = True
    session_id: str = ""
    user_id: str = ""
    trace_id: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(repr=False)
class ContextResult(Qualified):
    """A context block and what became of the documents.

    `included_docs` are the documents shown, in their order in the block; one that was cut or summarised is a copy, and
    the original is in `excluded_docs` too. `citation_map` leads from a number in the block to a source. `tokens_used`
    counts the block with its headers, `truncated` says that a copy is shown.

    Added: `duplicate_sources` leads from a number in the block to the sources of the duplicates that were dropped for
    that document, and `trace` has a decision a document, in the order given, where the manager was asked for it.
    """

    context_block: str
    included_docs: list[Document]
    excluded_docs: list[Document]
    citation_map: dict[int, str]
    tokens_used: int
    tokens_budget: int
    duplicates_removed: int
    truncated: bool
    duplicate_sources: dict[int, list[str]] = field(default_factory=dict, kw_only=True, compare=False, repr=False)
    trace: tuple[Decision, ...] = field(default=(), kw_only=True, compare=False, repr=False)

    @property
    def utilization_pct(self) -> float:
        """The share of the budget that `tokens_used` is, in percent with one decimal; a budget below 1 counts as 1."""
        return round(self.tokens_used / max(self.tokens_budget, 1) * 100, 1)
