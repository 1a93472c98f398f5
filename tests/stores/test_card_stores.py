"""What every store of cards does, whichever it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from brimful import InputError
from brimful.stores.cards import Card, Cluster, Edge
from brimful.stores.filesystem_cards import FilesystemAdapter
from brimful.stores.in_memory import InMemoryAdapter
from brimful.stores.sqlite_cards import SqliteAdapter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from brimful.stores.indexed import CardStore

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
LASTING: dict[str, Callable[[Path], CardStore]] = {
    "sqlite": lambda folder: SqliteAdapter(folder / "cards.sqlite"),
    "filesystem": lambda folder: FilesystemAdapter(folder / "cards"),
}


@pytest.fixture(params=["in_memory", *LASTING])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CardStore]:
    name: str = request.param
    with InMemoryAdapter() if name == "in_memory" else LASTING[name](tmp_path) as opened:
        yield opened


@pytest.fixture(params=LASTING)
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], CardStore]:
    """Opens the same store once more."""
    return lambda: LASTING[request.param](tmp_path)


def full_card() -> Card:
    return Card(
        "Zwölf Boxkämpfer \0 \u2028 jagen",
        type="constraint",
        entities=["Viktor", "Sylt"],
        source_turn_ids=["turn_1"],
        id="card_full",
        embedding=[0.25, -1.5, 1e-20],
        importance=0.75,
        confidence=0.5,
        access_count=3,
        last_accessed=NOON,
        dwell=2.5,
        compression_level=2,
        canonical_id="card_other",
        created_at=NOON - HOUR,
        updated_at=NOON,
    )


def ids(items: Any) -> list[str]:
    return [item.id for item in items]


def test_what_is_read_is_what_was_written(store: CardStore) -> None:
    store.write_card(full_card())

    assert store.read_card("card_full") == full_card()
    assert store.list_cards() == [full_card()]
    assert len(store) == 1


def test_a_card_that_is_not_there_is_none(store: CardStore) -> None:
    store.write_card(Card("a", id="a"))

    assert store.read_card("b") is None
    assert ids(store.read_cards(["b", "a", "c", "a"])) == ["a", "a"]


def test_cards_are_copied_in_and_out(store: CardStore) -> None:
    card = Card("a", id="a", entities=["x"])
    store.write_card(card)
    card.text = "changed"
    card.entities.append("y")
    read = store.read_card("a")
    assert read is not None
    read.entities.append("z")

    assert [(card.text, card.entities) for card in store.list_cards()] == [("a", ["x"])]


def test_cards_are_listed_by_id_and_type(store: CardStore) -> None:
    store.write_cards([Card("1", id="b", type="decision"), Card("2", id="c"), Card("3", id="a", type="decision")])

    assert ids(store.list_cards()) == ["a", "b", "c"]
    assert ids(store.list_cards(type="decision")) == ["a", "b"]


def test_the_later_of_two_with_one_id_stays(store: CardStore) -> None:
    store.write_cards([Card("first", id="a", embedding=[1, 0]), Card("second", id="a")])

    assert [card.text for card in store.list_cards()] == ["second"]
    assert store.vector_search([1, 0], top_k=5) == []
    assert ids(store.keyword_search("first second", top_k=5)) == ["a"]


def test_deleted_cards_are_gone_from_every_search(store: CardStore) -> None:
    store.write_cards([Card(f"word {n}", id=f"{n}", embedding=[n, 1]) for n in range(5)])
    store.keyword_search("word", top_k=9)

    assert store.delete_cards(["1", "9", "1", "3"]) == 2
    assert ids(store.list_cards()) == ["0", "2", "4"]
    assert ids(store.vector_search([1, 0], top_k=9)) == ["4", "2", "0"]
    assert ids(store.keyword_search("word", top_k=9)) == ["0", "2", "4"]
    assert store.delete_cards([]) == 0


def test_a_deleted_card_may_be_written_again(store: CardStore) -> None:
    store.write_card(Card("a", id="a", access_count=4, embedding=[1, 0]))
    store.delete_cards(["a"])
    store.write_card(Card("a", id="a", embedding=[0, 1]))

    assert [card.access_count for card in store.list_cards()] == [0]
    assert store.vector_search([0, 1], top_k=1) == [("a", 1.0)]


def test_access_is_counted_in_one_batch(store: CardStore) -> None:
    store.write_cards([Card(name, id=name) for name in "abc"])

    assert store.record_access(["a", "b", "none"], NOON) == 2
    assert store.record_access(["a"], NOON + HOUR) == 1
    assert store.record_access([], NOON) == 0
    assert [(card.access_count, card.last_accessed) for card in store.list_cards()] == [
        (2, NOON + HOUR),
        (1, NOON),
        (0, None),
    ]


def test_the_last_access_only_moves_forward(store: CardStore) -> None:
    store.write_card(Card("a", id="a"))
    store.record_access(["a"], NOON)
    store.record_access(["a"], NOON - HOUR)

    assert [card.last_accessed for card in store.list_cards()] == [NOON]


def test_an_old_copy_does_not_undo_accesses(store: CardStore) -> None:
    old = Card("a", id="a")
    store.write_card(old)
    store.record_access(["a"], NOON)
    old.text = "new text"
    store.write_card(old)
    [card] = store.list_cards()

    assert (card.text, card.access_count, card.last_accessed) == ("new text", 1, NOON)


def test_clusters_and_edges_come_back(store: CardStore) -> None:
    clusters = [Cluster(id=name, summary=f"about {name}", card_ids=["x", "y"], centroid=[1, 2]) for name in "ab"]
    edges = [Edge("a", "b", type="contradicts", weight=0.5), Edge("a", "b"), Edge("a", "a")]
    store.write_clusters(reversed(clusters))
    store.write_edges(edges)
    store.write_edges([Edge("a", "b", weight=0.25, created_at=edges[1].created_at)])
    edges[1].weight = 0.25

    assert store.list_clusters() == clusters
    assert store.list_edges() == [edges[2], edges[0], edges[1]]


def test_vectors_are_found_nearest_first_and_ties_by_id(store: CardStore) -> None:
    rows = {"d": [1, 0], "b": [2, 0], "c": [1, 1], "a": [-1, 0], "z": [0, 0]}
    store.write_cards([Card(name, id=name, embedding=row) for name, row in rows.items()])
    store.write_card(Card("without", id="w"))
    found = store.vector_search([3, 0], top_k=9)

    assert found == [("b", 1.0), ("d", 1.0), ("c", 1 / np.sqrt(2)), ("z", 0.0), ("a", -1.0)]
    assert ids(store.vector_search([3, 0], top_k=1)) == ["b"]
    assert ids(store.vector_search([3, 0], top_k=9, threshold=0.0)) == ["b", "d", "c", "z"]
    assert ids(store.vector_search([3, 0], top_k=1, threshold=0.0, ceiling=0.9)) == ["c"]
    assert store.vector_search([3, 0], top_k=0) == []


def test_a_match_of_words_never_lowers_a_card(store: CardStore) -> None:
    store.write_cards(
        [
            Card("the auth service", id="near", embedding=[0.9, np.sqrt(1 - 0.81)]),
            Card("nothing alike", id="same", embedding=[0.9, np.sqrt(1 - 0.81)]),
            Card("auth auth auth", id="words"),
        ]
    )
    found = store.hybrid_search("auth", [1, 0], top_k=3, semantic_weight=0.5, keyword_weight=0.5)

    assert ids(found) == ["near", "words", "same"]
    assert [match.score for match in found[1:]] == pytest.approx([0.5, 0.45])
    assert 0.45 < found[0].score < 0.95


def test_what_does_not_match_at_all_is_not_found(store: CardStore) -> None:
    store.write_cards([Card("apples", id="a", embedding=[-1, 0]), Card("pears", id="p")])

    assert store.keyword_search("plums", top_k=5) == []
    assert ids(store.keyword_search("pears plums", top_k=5)) == ["p"]
    assert store.hybrid_search("plums", [1, 0], top_k=5, semantic_weight=0.5, keyword_weight=0.5) == []


def test_an_empty_store_finds_nothing(store: CardStore) -> None:
    assert store.vector_search([1, 0], top_k=5) == []
    assert store.keyword_search("a", top_k=5) == []
    assert (len(store), store.list_cards(), store.list_clusters(), store.list_edges()) == (0, [], [], [])


def test_similarity_is_the_cosine(store: CardStore) -> None:
    assert store.similarity([1, 0], [1, 1]) == 1 / np.sqrt(2)
    assert store.similarity([0, 0], [1, 1]) == 0
    with pytest.raises(InputError, match="other must have 2 components as one has, got 3"):
        store.similarity([1, 0], [1, 1, 1])


def test_embeddings_have_the_width_of_the_first(store: CardStore) -> None:
    with pytest.raises(InputError, match=r"cards\[1\].embedding must have 2 components .*, got 3"):
        store.write_cards([Card("a", embedding=[1, 0]), Card("b", embedding=[1, 0, 0])])
    assert len(store) == 0
    store.write_card(Card("a", embedding=[1, 0]))

    with pytest.raises(InputError, match=r"cards\[0\].embedding must have 2 components .*, got 3"):
        store.write_card(Card("b", embedding=[1, 0, 0]))
    with pytest.raises(InputError, match="embedding must have 2 components as those of the store have, got 3"):
        store.vector_search([1, 0, 0], top_k=1)
    assert len(store) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda store: store.write_cards(Card("a")), "cards must be Cards in an order, got Card"),
        (lambda store: store.write_cards([Card("a"), "b"]), r"cards\[1\] must be a Card or a mapping, got 'b'"),
        (lambda store: store.write_cards([{"text": 1}]), r"cards\[0\].text must be a str, got 1"),
        (lambda store: store.write_clusters([{"weight": 1}]), r"clusters\[0\].weight is not a field of a Cluster"),
        (lambda store: store.write_edges([{"source_id": "a"}]), r"edges\[0\].target_id is missing"),
        (lambda store: store.read_cards("abc"), "ids must be ids in an order, got 'abc'"),
        (lambda store: store.read_cards(["a", None]), r"ids\[1\] must be a str that is not empty"),
        (lambda store: store.delete_cards([""]), r"ids\[0\] must be a str that is not empty"),
        (lambda store: store.record_access(["a"], "noon"), "at must be a datetime"),
        (lambda store: store.vector_search([1, "x"], top_k=1), "embedding must be a vector of numbers"),
        (lambda store: store.vector_search([], top_k=1), "embedding must be a vector of numbers"),
        (lambda store: store.vector_search([np.inf], top_k=1), r"embedding\[0\] must be finite, got inf"),
        (lambda store: store.vector_search([1], top_k=-1), "top_k must be a whole number of at least 0, got -1"),
        (
            lambda store: store.vector_search([1], top_k=1, threshold=np.nan),
            "threshold must be a finite number or None",
        ),
        (lambda store: store.keyword_search(None, top_k=1), "query must be a str, got None"),
    ],
)
def test_what_cannot_be_used_is_refused(store: CardStore, call: Callable[[Any], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call(store)
    assert len(store) == 0


def test_mappings_are_read_as_cards(store: CardStore) -> None:
    store.write_cards([{"text": "a", "id": "a", "importance": None}])  # type: ignore[list-item]

    assert [(card.text, card.importance) for card in store.list_cards()] == [("a", 0.5)]


def test_what_was_written_outlives_the_store(reopen: Callable[[], CardStore]) -> None:
    with reopen() as first:
        first.write_card(full_card())
        first.write_clusters([Cluster(id="c", summary="s")])
        first.write_edges([Edge("a", "b")])
    with reopen() as second:
        assert second.list_cards() == [full_card()]
        assert (len(second.list_clusters()), len(second.list_edges())) == (1, 1)
        with pytest.raises(InputError, match="must have 3 components"):
            second.write_card(Card("b", embedding=[1, 0]))


def test_one_store_finds_what_another_wrote_changed_and_deleted(reopen: Callable[[], CardStore]) -> None:
    with reopen() as one, reopen() as other:
        one.write_cards([Card(f"word {n}", id=f"{n}", embedding=[n, 1]) for n in range(4)])
        assert ids(other.vector_search([1, 0], top_k=1)) == ["3"]
        one.write_card(Card("word", id="0", embedding=[9, 1]))
        one.delete_cards(["3"])
        other.write_card(Card("word", id="5", embedding=[5, 1]))

        for store in (one, other):
            assert ids(store.vector_search([1, 0], top_k=3)) == ["0", "5", "2"]
            assert ids(store.keyword_search("word", top_k=9)) == ["0", "5", "1", "2"]


def test_lists_that_were_spoilt_in_place_are_refused(store: CardStore) -> None:
    card = Card("a")
    card.entities.append(3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"cards\[0\].entities\[0\] must be a str, got 3"):
        store.write_card(card)
    assert len(store) == 0
