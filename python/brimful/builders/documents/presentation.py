"""From the decisions to what is handed back: the block, its citations, the documents in and out, and the trace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from brimful.builders.documents.types import ContextResult, Document
from brimful.render.documents import Passage, name_source, render_passages
from brimful.stages.counters import count_with
from brimful.types import Decision

if TYPE_CHECKING:
    from brimful.builders.documents.assembly import Line
    from brimful.builders.documents.builder import ContextManager
    from brimful.builders.documents.front_door import Gathered
    from brimful.builders.documents.serving import Serving
    from brimful.types import Fate, Reason


def present(gathered: Gathered, line: Line, serving: Serving, config: ContextManager) -> ContextResult:
    """Render what is shown, and say of every document where it is."""
    shown = [show_document(gathered, serving, item) for item in serving.shown]
    block = render_passages([read_passage(gathered, serving, item) for item in serving.shown])
    whole = {item for item in serving.shown if serving.content_of(item) is None}
    return ContextResult(
        context_block=block,
        included_docs=shown,
        excluded_docs=[gathered.documents[item] for item in line.items if item not in whole],
        citation_map={number: name_source(number, document.source) for number, document in enumerate(shown, start=1)},
        tokens_used=count_with(config.counter, [block])[0],
        tokens_budget=gathered.tokens_budget,
        duplicates_removed=len(line.repeats),
        truncated=len(whole) < len(shown),
        duplicate_sources=name_duplicates(gathered, line, serving),
        trace=decide(gathered, line, serving) if config.trace else (),
    )


def read_passage(gathered: Gathered, serving: Serving, item: int) -> Passage:
    """Return what the block says of a document: as it was read, whatever its own types make of a format."""
    content = serving.content_of(item)
    return Passage(
        gathered.contents[item] if content is None else content,
        gathered.documents[item].source,
        gathered.scores[item],
    )


def show_document(gathered: Gathered, serving: Serving, item: int) -> Document:
    """Return a document as it is shown: itself, or a copy that says in its metadata what it is."""
    document, content = gathered.documents[item], serving.content_of(item)
    if content is None:
        return document
    given = getattr(document, "metadata", None)
    metadata = dict(given) if isinstance(given, Mapping) else {}
    metadata["summarized" if item in serving.synopses else "truncated"] = True
    chunk_id, language = getattr(document, "chunk_id", None), getattr(document, "language", "en")
    return Document(content, document.source, document.score, metadata, chunk_id, language)


def name_duplicates(gathered: Gathered, line: Line, serving: Serving) -> dict[int, list[str]]:
    """Return, for each number in the block, the sources of the duplicates of that document, in the order given."""
    numbers = {item: number for number, item in enumerate(serving.shown, start=1)}
    found: dict[int, dict[str, None]] = {}
    for item in sorted(line.repeats):
        number, source = numbers.get(line.repeats[item].of), gathered.documents[item].source
        if number is not None and source:
            found.setdefault(number, {})[f"{source}"] = None
    return {number: list(found[number]) for number in sorted(found)}


def decide(gathered: Gathered, line: Line, serving: Serving) -> tuple[Decision, ...]:
    """Return what became of each document, in the order given."""
    numbers = {item: number for number, item in enumerate(serving.shown, start=1)}
    decisions = []
    for item, document in enumerate(gathered.documents):
        citation = numbers.get(item)
        fate, reason = judge(item, line, serving, shown=citation is not None)
        repeat = line.repeats.get(item)
        decisions.append(
            Decision(
                item=item,
                label=f"{document.source or f'documents[{item}]'}",
                fate=fate,
                reason=reason,
                tokens=line.costs[item],
                score=gathered.scores[item],
                relevance=gathered.scores[item],
                citation=citation,
                duplicate_of=repeat.of if repeat else None,
                similarity=repeat.similarity if repeat else None,
            )
        )
    return tuple(decisions)


def judge(item: int, line: Line, serving: Serving, *, shown: bool) -> tuple[Fate, Reason]:
    """Return the fate of a document, and the reason."""
    if item in line.short:
        return "dropped", "below_min_tokens"
    if item in line.repeats:
        return "dropped", "near_duplicate"
    if item in serving.synopses:
        return "summarised", "over_budget"
    if item in serving.cut:
        return "truncated", "over_budget"
    return ("included", "fits") if shown else ("dropped", "over_budget")
