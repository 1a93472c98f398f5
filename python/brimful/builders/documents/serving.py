"""Who is shown: whole, as a synopsis, or cut."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from brimful.builders.documents.order import reading_order
from brimful.render.documents import CUT_MARKER, Passage, render_passages
from brimful.stages.budgeting import Account, Filling, MeasuredAccount, PlainAccount, fill
from brimful.stages.counters import count_with
from brimful.stages.counting import RuleCounter
from brimful.stages.synopses import summarize, summarize_with
from brimful.stages.truncation import longest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.builders.documents.assembly import Line
    from brimful.builders.documents.builder import ContextManager
    from brimful.builders.documents.front_door import Gathered

LEAST_ROOM: Final = 50
"""Tokens that must be left, and more, for a document to be cut."""

TOKENS_A_WORD: Final = 1.3

Copies: TypeAlias = dict[int, str]
"""What is shown in place of the content of documents."""


@dataclass(frozen=True, slots=True)
class Serving:
    """The documents shown, in the order for reading, and what is shown in place of the content of some."""

    shown: list[int] = field(default_factory=list)
    synopses: Copies = field(default_factory=dict)
    cut: Copies = field(default_factory=dict)

    def content_of(self, item: int) -> str | None:
        """Return what is shown in place of the content; None where that is shown."""
        return self.synopses.get(item, self.cut.get(item))


@dataclass(slots=True)
class Table:
    """The budget, and what the documents show and cost: their content, or what is put in its place."""

    gathered: Gathered
    config: ContextManager
    contents: list[str]
    costs: list[int]
    line: list[int]
    places: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        """Find the place of each document in the line."""
        self.places = {item: place for place, item in enumerate(self.line)}

    @property
    def goes_by_words(self) -> bool:
        """Whether nothing but 1.3 tokens a word is charged, as in the original."""
        counter = self.config.counter
        return isinstance(counter, RuleCounter) and counter.rule == "words_times_1_3" and not self.config.enforce_total

    def open(self, taken: Sequence[int] = ()) -> Account:
        """Return the account in which these are taken already."""
        if self.config.enforce_total:
            return MeasuredAccount(self.costs, self.gathered.budget, self.measure, list(taken))
        spent = sum(self.costs[item] for item in taken)
        return PlainAccount(self.costs, self.gathered.budget - spent)

    def measure(self, items: Sequence[int]) -> int:
        """Return the tokens of the block of these documents."""
        return count_with(self.config.counter, [render_passages(self.passages(self.arrange(items)))])[0]

    def arrange(self, items: Sequence[int]) -> list[int]:
        """Return items in the order for reading."""
        return reading_order(sorted(items, key=self.places.__getitem__), self.config)

    def without(self, items: Sequence[int]) -> list[int]:
        """Return the others of the line, in its order."""
        out = set(items)
        return [item for item in self.line if item not in out]

    def passages(self, items: Sequence[int]) -> list[Passage]:
        """Return what is shown of each document."""
        documents, scores = self.gathered.documents, self.gathered.scores
        return [Passage(self.contents[item], documents[item].source, scores[item]) for item in items]

    def replace(self, texts: Copies) -> None:
        """Show and charge other texts in place of the contents."""
        counts = count_with(self.config.counter, [*texts.values()])
        for (item, text), count in zip(texts.items(), counts, strict=True):
            self.contents[item], self.costs[item] = text, count


def serve(gathered: Gathered, line: Line, config: ContextManager) -> Serving:
    """Offer the budget to the line: whole documents while they fit, then what the configuration makes of the others."""
    table = Table(gathered, config, list(gathered.contents), list(line.costs), line.items)
    filling = fill(line.items, table.open())
    if config.summarize_overflow:
        taken, synopses, cut = add_synopses(table, list(filling.taken))
    else:
        taken, synopses, cut = close_with_cut(table, filling)
    return Serving(table.arrange([*taken, *synopses, *cut]), synopses, cut)


def close_with_cut(table: Table, filling: Filling) -> tuple[list[int], Copies, Copies]:
    """Cut the first document that does not fit where there is room for that: it takes the rest of the budget."""
    taken: list[int] = []
    for item, room in filling.rooms.items():
        if table.costs[item] <= room:
            taken.append(item)
        elif cut := cut_document(table, taken, item, room):
            return taken, {}, cut
    return taken, {}, {}


def add_synopses(table: Table, taken: list[int]) -> tuple[list[int], Copies, Copies]:
    """Let the documents that did not fit leave synopses where these fit; then cut the first that left none."""
    offered = summarize_documents(table, table.without(taken))
    table.replace(offered)
    filling = fill(offered, table.open(taken))
    synopses = {item: offered[item] for item in filling.taken}
    shown = [*taken, *synopses]
    left = table.without(shown)
    cut = cut_document(table, shown, left[0], table.open(shown).room_for(left[0])) if left else {}
    return taken, synopses, cut


def summarize_documents(table: Table, items: list[int]) -> Copies:
    """Return the synopses of documents; without any where nothing is left to say."""
    contents, query = table.gathered.contents, table.gathered.query
    if table.config.summarizer is None:
        texts = summarize(query, [contents[item] for item in items])
    else:
        texts = summarize_with(table.config.summarizer, query, {f"documents[{item}]": contents[item] for item in items})
    return {item: text for item, text in zip(items, texts, strict=True) if text.strip()}


def cut_document(table: Table, taken: list[int], item: int, room: int) -> Copies:
    """Return the beginning of a document, where there is room for more than a few tokens and some word fits."""
    if room <= LEAST_ROOM:
        return {}
    words = table.gathered.contents[item].split()

    def shorten(size: int) -> str:
        return f"{' '.join(words[:size])}{CUT_MARKER}"

    def fits(size: int) -> bool:
        table.replace({item: shorten(size)})
        account = table.open(taken)
        return account.cost_of(item) <= account.room_for(item)

    # The original's arithmetic leaves the marker out of the count.
    size = int(room / TOKENS_A_WORD) if table.goes_by_words else longest(len(words) - 1, fits)
    return {item: shorten(size)} if size else {}
