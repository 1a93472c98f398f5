"""Parts of a memory builder that its tests share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from brimful import (
    from_callable,
)
from brimful.builders.memory import (
    Card,
    ContextBuilder,
    InMemoryAdapter,
    MemoryContext,
    MemoryWords,
)
from strategies import sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


LOCKED = "store is locked"


TURNS = [{"role": "user", "content": "How do we deploy?"}]


class Given:
    """A retriever that finds what it was given."""

    def __init__(self, *cards: Any) -> None:
        self.cards = cards

    def search(self, _query: str, *, top_k: int) -> list[Any]:  # noqa: ARG002 - it gives more than it is asked for
        return list(self.cards)


class Failing:
    """A part of any kind that fails."""

    def search(self, *_: object, **__: object) -> Any:
        raise ZeroDivisionError

    embed = write_cards = record_access = list_clusters = list_cards = search


class Two:
    """Embeds everything as the first of two axes."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 0.0] for _ in texts]


def build(*cards: Any, store: Any = None, **options: Any) -> MemoryContext:
    adapter = InMemoryAdapter() if store is None else store
    return ContextBuilder(Given(*cards), adapter, clock=lambda: NOON, **options).build("q")


def fates(context: MemoryContext) -> list[tuple[str, str]]:
    return [(row.label, row.reason) for row in context.trace]


def text_of(context: MemoryContext) -> str:
    return str(context[0]["content"]) if context else ""


texts = st.one_of(sentences(), st.text(max_size=40))


cards = st.lists(
    st.builds(Card, texts, type=st.sampled_from(["fact", "fact", "constraint"]), importance=st.sampled_from([0, 1])),
    max_size=6,
)


counting = st.sampled_from(
    [
        {},
        {"model": "gpt-4"},
        {"model": "claude-sonnet-4-5"},
        {"token_counter": from_callable(lambda text: len(text) // 3)},
    ]
)


headings = st.sampled_from([MemoryWords(), MemoryWords(cards="  /odd", constraints="", exploration="\n", guidance="/")])
