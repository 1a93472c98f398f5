"""What changed between two contexts, in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    Tally = tuple[int, int, int]

UNCHANGED: Final = "No changes"


def summarize_changes(
    *, features: Tally, retrievers: Tally, content: str, tokens: int, dropped: int, tallies: Mapping[str, Tally]
) -> str:
    """Return what changed, `""` for nothing: how many were added, removed and modified, and how the text differs.

    >>> summarize_changes(
    ...     features=(1, 0, 0), retrievers=(0, 0, 0), content="+1 lines", tokens=6, dropped=-1,
    ...     tallies={"inputs": (0, 0, 2)})
    '1 features added; content: +1 lines; tokens: +6; dropped items: -1; inputs: +0 -0 ~2'
    """
    parts = [*_say("features", features), *_say("retrievers", retrievers)]
    if content != UNCHANGED:
        parts.append(f"content: {content}")
    parts += [f"{name}: {delta:+}" for name, delta in (("tokens", tokens), ("dropped items", dropped)) if delta]
    parts += [
        f"{name}: +{added} -{removed} ~{modified}"
        for name, (added, removed, modified) in tallies.items()
        if added or removed or modified
    ]
    return "; ".join(parts)


def _say(what: str, counts: Tally) -> list[str]:
    verbs = zip(counts, ("added", "removed", "modified"), strict=True)
    return [f"{count} {what} {verb}" for count, verb in verbs if count]
