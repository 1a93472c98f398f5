"""What goes into a `ContextBuilder` and what comes out: plain, mutable values with the fields of seed 000."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from brimful.builders.qualified import Qualified
from brimful.stages.counting import estimate_tokens

if TYPE_CHECKING:
    from brimful.types import Decision


@dataclass(repr=False)
class Document(Qualified):
    """A retrieved passage; `metadata["source"]` is shown, `doc_id` is not.

    >>> Document("one two three four five six seven eight").token_estimate()
    2
    """

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    doc_id: str | None = None

    def token_estimate(self) -> int:
        """Return a quarter of the words, at least 1. `build` counts by itself and does not ask for this."""
        return estimate_tokens(self.page_content, rule="words_div_4")


@dataclass(repr=False)
class BuiltContext(Qualified):
    """A context: `sections` leads from a name to a section with its heading, `full_text` has them all.

    `token_estimate` adds up the sections and the line above them. `truncated` says that a section was cut.

    Added: `truncated_sections` names those that were cut. `warnings` says what about the configuration is unusual.
    `trace` has a decision for every input, section by section, where the builder was asked for it; the `item` of a
    decision is the index in its own list.
    """

    full_text: str
    token_estimate: int
    sections: dict[str, str]
    truncated: bool = False
    document_count: int = 0
    memory_count: int = 0
    truncated_sections: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)
    warnings: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)
    trace: tuple[Decision, ...] = field(default=(), kw_only=True, compare=False, repr=False)
