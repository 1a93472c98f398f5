"""From a request to a block: the stages in order, pure and synchronous."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from brimful.builders.documents.order import reorder
from brimful.builders.documents.presentation import present
from brimful.builders.documents.serving import serve
from brimful.config import NearDuplicateOptions
from brimful.stages.counters import count_with
from brimful.stages.dedup import Repeat, find_exact_repeats, find_repeats
from brimful.stages.filtering import at_least
from brimful.stages.scoring import rank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.builders.documents.builder import ContextManager
    from brimful.builders.documents.front_door import Gathered
    from brimful.builders.documents.types import ContextResult


@dataclass(frozen=True, slots=True)
class Line:
    """The documents that compete, by index and in the order in which the budget is offered, and who does not.

    `costs` are the tokens of all documents, `short` those below the minimum, `repeats` the duplicates.
    """

    items: list[int]
    costs: list[int]
    short: set[int] = field(default_factory=set)
    repeats: dict[int, Repeat] = field(default_factory=dict)


def assemble(gathered: Gathered, config: ContextManager) -> ContextResult:
    """Filter, sort, deduplicate, reorder, fill the budget, format."""
    line = line_up(gathered, config)
    serving = serve(gathered, line, config)
    return present(gathered, line, serving, config)


def line_up(gathered: Gathered, config: ContextManager) -> Line:
    """Drop the short and the repeated, and put the others in the order of the budget."""
    costs = count_with(config.counter, gathered.contents)
    long = set(at_least(costs, config.min_doc_tokens))
    ranked = [item for item in rank(gathered.scores) if item in long]
    repeats = drop_repeats(gathered.contents, ranked, config.dedup_threshold)
    kept = [item for item in ranked if item not in repeats]
    items = kept if config.lost_in_middle_first_served else reorder(kept, config)
    return Line(items, costs, set(range(len(costs))) - long, repeats)


def drop_repeats(contents: Sequence[str], ranked: Sequence[int], threshold: float) -> dict[int, Repeat]:
    """Return the documents that repeat a better one; nothing is as similar as NaN or more than 1."""
    if not threshold <= 1:
        return find_exact_repeats(contents, ranked)
    # What is equal but for case and white space has the same shingles.
    return find_repeats(contents, ranked, NearDuplicateOptions(threshold=max(threshold, 0.0)))
