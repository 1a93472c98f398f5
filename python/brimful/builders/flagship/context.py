"""What the flagship gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from brimful.render.explanation import explain, summarize

if TYPE_CHECKING:
    from brimful.types import Citation, Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A prompt, with the reason for everything in it and everything left out.

    `tokens` counts `text` as a whole and is at most `max_tokens`; `tokens_exact` says whether it is a count or an
    estimate. `citations` lead from the numbers in the text to the documents, `trace` has one decision a document,
    in the order they were given. `query_repaired` says that lone surrogates in the query were replaced.
    """

    text: str
    tokens: int
    max_tokens: int
    tokens_exact: bool
    query_repaired: bool
    citations: tuple[Citation, ...]
    trace: tuple[Decision, ...]

    def summary(self) -> str:
        """Return one line: how full the window is, and how many documents were kept, cut and dropped."""
        return summarize(self.trace, tokens=self.tokens, max_tokens=self.max_tokens, exact=self.tokens_exact)

    def explain(self) -> str:
        """Return a table: what came in, what was dropped, and why."""
        note = "\nlone surrogates in the query were replaced" if self.query_repaired else ""
        return f"{self.summary()}{note}\n\n{explain(self.trace)}"
