"""Each documented statement of seed 002, as a test named after it."""

from __future__ import annotations

import inspect
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.memory import (
    Card,
    Cluster,
    ContextBuilder,
    ExposureTracker,
    HybridRetriever,
    InMemoryAdapter,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
WEEK = timedelta(days=7)
TURNS: list[dict[str, Any]] = [
    {"role": "user", "content": "Hello", "id": object()},
    {"role": "assistant", "content": None, "tool_calls": []},
    {"role": "user", "content": "How does auth work?"},
]


class Axes:
    """Embeds a text as what it says of three things."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[text.count("auth") + 0.0, text.count("Porto") + 0.0, 1e-3] for text in texts]


def card(text: str, at: tuple[float, float, float], **options: Any) -> Card:
    return Card(text, embedding=at, created_at=NOON, **options)


@pytest.fixture
def store() -> InMemoryAdapter:
    filled = InMemoryAdapter()
    filled.write_cards(
        [
            card("The auth service issues tokens.", (1.0, 0.0, 0.0), id="tokens"),
            card("Tokens of auth live an hour.", (0.7, 0.0, 0.7), id="hour"),
            card("Ida spent May in Porto.", (0.35, 0.9, 0.2), id="porto"),
            card("Logins are audited.", (0.35, 0.2, 0.8), id="audit", access_count=9, last_accessed=NOON),
            card("Tea is served at four.", (0.0, 1.0, 0.0), id="tea"),
            Card("Secrets never go into logs.", id="secrets", type="constraint", created_at=NOON),
        ]
    )
    filled.write_clusters(
        [
            Cluster(id="login", title="Login", summary="Everything about signing in.", card_ids=["tokens", "hour"]),
            Cluster(id="food", summary="What is eaten.", card_ids=["tea"]),
        ]
    )
    return filled


class Fixed:
    """A retriever that finds the two cards about auth."""

    def __init__(self, store: InMemoryAdapter) -> None:
        self.store = store

    def search(self, _query: str, *, top_k: int) -> list[Card]:
        return self.store.read_cards(["tokens", "hour"])[:top_k]


def make_builder(store: InMemoryAdapter, **options: Any) -> ContextBuilder:
    return ContextBuilder(Fixed(store), store, embedder=Axes(), clock=lambda: NOON, **options)


def system(messages: Sequence[dict[str, Any]]) -> str:
    content: str = messages[0]["content"]
    return content


def test_the_parameters_and_their_defaults() -> None:
    constructor = inspect.signature(ContextBuilder).parameters
    build = inspect.signature(ContextBuilder.build).parameters

    assert [(name, constructor[name].default) for name in list(constructor)[2:5]] == [
        ("retrieval_top_k", 15),
        ("embedder", None),
        ("associative_memory", False),
    ]
    assert list(constructor)[:2] == ["retriever", "adapter"]
    assert [(name, build[name].default) for name in list(build)[2:]] == [
        ("recent_turns", ()),
        ("system_prompt", None),
        ("read_only", False),
    ]


def test_it_combines_all_tiers_into_one_context(store: InMemoryAdapter) -> None:
    messages = make_builder(store).build(query="auth?", recent_turns=TURNS, system_prompt="Be brief.")

    assert system(messages) == (
        "Be brief.\n\n"
        "ACTIVE CONSTRAINTS:\n- Secrets never go into logs.\n\n"
        "WHAT YOU KNOW IN GENERAL:\n- Login: Everything about signing in.\n\n"
        "YOU REMEMBER:\n- The auth service issues tokens.\n- Tokens of auth live an hour.\n- Ida spent May in Porto."
    )
    assert [role["role"] for role in messages] == ["system", "user", "assistant", "user"]


def test_it_returns_messages_ready_for_the_model(store: InMemoryAdapter) -> None:
    messages = make_builder(store).build("auth?")

    assert isinstance(messages, list)
    assert list(messages[0]) == ["role", "content"]


def test_recent_turns_are_the_same_objects_in_the_same_order(store: InMemoryAdapter) -> None:
    messages = make_builder(store).build("auth?", TURNS)

    assert all(message is turn for message, turn in zip(messages[1:], TURNS, strict=True))


def test_the_query_is_no_message() -> None:
    assert make_builder(InMemoryAdapter()).build("auth?", [], None) == []


def test_exploration_gives_one_or_two_low_exposure_cards_that_are_loosely_relevant(store: InMemoryAdapter) -> None:
    """Not `tea`, which has nothing to do with the query, nor `audit`, which was seen a lot of late."""
    context = make_builder(store).build("auth?")

    assert [row.label for row in context.trace if row.tier == "exploration"] == ["porto"]


def test_exploration_prevents_permanent_forgetting(store: InMemoryAdapter) -> None:
    """A card that was never found is shown in the end, and what is shown again and again makes room."""
    store.write_cards([card(f"Old tale {n}.", (0.35, 0.9, 0.2), id=f"tale {n}") for n in range(6)])
    builder = make_builder(store, exploration_count=1, duplicate_similarity=None)
    shown = [row.label for _ in range(7) for row in builder.build("auth?").trace if row.tier == "exploration"]

    assert sorted(shown) == ["porto", *(f"tale {n}" for n in range(6))]


def test_exploration_is_deterministic(store: InMemoryAdapter) -> None:
    first, second = (make_builder(store).build("auth?", read_only=True) for _ in range(2))

    assert first == second
    assert first.trace == second.trace


def test_associative_memory_labels_exploration_and_appends_guidance(store: InMemoryAdapter) -> None:
    text = system(make_builder(store, associative_memory=True).build("auth?"))
    before, after = text.split("\n\nYOU ALSO REMEMBER:\n- Ida spent May in Porto.\n\n")

    assert before.endswith("- Tokens of auth live an hour.")
    assert after.startswith("What you also remember has only loosely to do with the question.")


def test_without_associative_memory_exploration_looks_like_retrieval(store: InMemoryAdapter) -> None:
    text = system(make_builder(store).build("auth?"))

    assert text.endswith("- Ida spent May in Porto.")
    assert "ALSO" not in text


def test_without_explored_cards_there_is_no_guidance(store: InMemoryAdapter) -> None:
    options: dict[str, Any] = {"associative_memory": True, "exploration_count": 0}

    assert system(make_builder(store, **options).build("auth?")).endswith("- Tokens of auth live an hour.")


def test_access_is_recorded_for_the_cards_in_the_context(store: InMemoryAdapter) -> None:
    context = make_builder(store).build("auth?")

    assert context.accessed == ("tokens", "hour", "porto")
    assert {card.id: card.access_count for card in store.list_cards()} == {
        "tokens": 1,
        "hour": 1,
        "porto": 1,
        "audit": 9,
        "tea": 0,
        "secrets": 0,
    }
    assert [card.last_accessed for card in store.read_cards(["porto"])] == [NOON]


def test_read_only_skips_recording_access(store: InMemoryAdapter) -> None:
    before = store.list_cards()
    context = make_builder(store).build("auth?", read_only=True)

    assert context == make_builder(store).build("auth?", read_only=True)
    assert (context.accessed, store.list_cards()) == ((), before)


def test_a_card_has_the_documented_defaults() -> None:
    made = Card("text")

    assert made.id.startswith("card_")
    assert {
        name: value for name, value in made.to_dict().items() if name not in ("id", "created_at", "updated_at")
    } == {
        "text": "text",
        "type": "fact",
        "entities": [],
        "source_turn_ids": [],
        "embedding": None,
        "importance": 0.5,
        "confidence": 1.0,
        "access_count": 0,
        "last_accessed": None,
        "dwell": 0.0,
        "compression_level": 0,
        "canonical_id": None,
    }
    assert (made.merged, Card("text", canonical_id="other").merged) == (False, True)


def test_exposure_adds_frequency_recency_and_dwell() -> None:
    tracker = ExposureTracker(clock=lambda: NOON)

    assert tracker.exposure_score(Card("new", created_at=NOON)) == pytest.approx(0.4)
    assert tracker.exposure_score(Card("old", created_at=NOON - WEEK)) == pytest.approx(0.2)
    assert tracker.exposure_score(Card("held", created_at=NOON - 200 * WEEK, dwell=7)) == pytest.approx(0.2)
    often = Card("often", access_count=2, last_accessed=NOON - WEEK)
    assert tracker.exposure_score(often) == pytest.approx(0.4 * 1.0986122886681098 + 0.2)


def test_exposure_ranks_and_tells_what_is_low(store: InMemoryAdapter) -> None:
    tracker = ExposureTracker(store, clock=lambda: NOON + WEEK)

    assert [card.id for card in tracker.rank_by_exposure()] == ["hour", "porto", "secrets", "tea", "tokens", "audit"]
    assert [card.id for card in tracker.low_exposure_cards(0.3)] == ["hour", "porto", "secrets", "tea", "tokens"]


def test_hybrid_search_weighs_both_halves(store: InMemoryAdapter) -> None:
    hits = HybridRetriever(store, Axes()).hits("auth tokens", top_k=2)

    assert [card.id for card in hits.cards] == ["tokens", "hour"]
    assert hits.scores[0] == pytest.approx(0.5 * 1.0 + 0.5 * 1.0, abs=1e-3)


def test_fifteen_cards_are_retrieved() -> None:
    store = InMemoryAdapter()
    store.write_cards([Card(f"auth {n} {'x' * n}", id=f"{n}") for n in range(20)])
    context = ContextBuilder(HybridRetriever(store), store, exploration_count=0, near_duplicates=None).build("auth")

    assert len(context.used_cards) == 15
