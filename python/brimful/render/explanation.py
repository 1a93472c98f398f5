"""The trace in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimful.render.table import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.types import Decision

COLUMNS = ("item", "label", "score", "tokens", "fate", "reason")


def summarize(trace: Sequence[Decision], *, tokens: int, max_tokens: int, exact: bool) -> str:
    """Return one line: how full the window is and what became of the documents."""
    count = "" if exact else " (estimated)"
    fates = [decision.fate for decision in trace]
    cut = fates.count("truncated") + fates.count("summarised")
    return (
        f"{tokens:,} of {max_tokens:,} tokens{count}; {len(trace)} documents: "
        f"{fates.count('included')} kept, {cut} cut, {fates.count('dropped')} dropped"
    )


def explain_row(decision: Decision) -> tuple[str, ...]:
    """Return a decision as words, in the order of `COLUMNS`."""
    score = "-" if decision.score is None else f"{decision.score:.4g}"
    row = str(decision.item), decision.label, score, f"{decision.tokens:,}", decision.fate
    note = "; lone surrogates replaced" if decision.repaired else ""
    return (*row, f"{_reason(decision)}{note}")


def explain(trace: Sequence[Decision]) -> str:
    """Return the trace as a plain table, a line a document in the order of the input."""
    return "\n".join(table([COLUMNS, *map(explain_row, trace)]))


def _reason(decision: Decision) -> str:
    if decision.reason == "fits":
        return "shown" if decision.citation is None else f"cited as [{decision.citation}]"
    if decision.reason in ("near_duplicate", "same_meaning"):
        verb = "repeats" if decision.reason == "near_duplicate" else "means the same as"
        return f"{verb} item {decision.duplicate_of} (similarity {decision.similarity:.3f})"
    if decision.reason == "same_card":
        return f"is the card of item {decision.duplicate_of}"
    return {
        "required": "always shown",
        "over_limit": "more than was asked for",
        "blank": "nothing visible in it",
        "below_min_score": "score below min_score",
        "below_min_tokens": "shorter than min_tokens",
        "over_budget": "does not fit in what is left",
        "before_a_dropped_turn": "older than a turn that did not fit",
    }[decision.reason]
