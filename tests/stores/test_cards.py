"""Cards, clusters and edges: fields that cannot be wrong."""

from __future__ import annotations

import copy
import pickle
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful import InputError
from brimful.stores.cards import CARD_TYPES, Card, Cluster, Edge
from brimful.stores.moments import read_moment, write_moment

ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
moments = st.datetimes(
    datetime.fromisoformat("0002-01-01"),
    datetime.fromisoformat("9998-01-01"),
    timezones=st.sampled_from([None, UTC, timezone(timedelta(hours=-9))]),
)
shares = st.floats(0, 1)
cards = st.builds(
    Card,
    st.text(),
    type=st.sampled_from(CARD_TYPES),
    entities=st.lists(st.text()),
    id=ids,
    embedding=st.one_of(st.none(), st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1)),
    importance=shares,
    confidence=shares,
    access_count=st.integers(0, 2**62),
    last_accessed=st.one_of(st.none(), moments),
    dwell=st.floats(0, 1e300),
    compression_level=st.integers(0, 4),
    canonical_id=st.one_of(st.none(), ids),
    created_at=moments,
)


@given(cards)
def test_a_card_survives_dicts_pickles_and_copies(card: Card) -> None:
    assert Card.from_dict(card.to_dict()) == card
    assert pickle.loads(pickle.dumps(card)) == card == copy.deepcopy(card) == card.own()  # noqa: S301 - our own


@given(moments, moments)
def test_texts_of_moments_sort_as_the_moments_do(one: datetime, other: datetime) -> None:
    first, second = (read_moment("at", moment) for moment in (one, other))

    assert (first < second) == (write_moment(first) < write_moment(second))
    assert read_moment("at", write_moment(first)) == first


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"text": None}, "text is missing"),
        ({"text": 3}, "text must be a str, got 3"),
        (
            {"type": "rumour"},
            "type must be one of fact, concept, decision, constraint, preference, incident, got 'rumour'",
        ),
        ({"entities": "Ida"}, "entities must be str in an order, got 'Ida'"),
        ({"entities": ["Ida", 3]}, r"entities\[1\] must be a str, got 3"),
        ({"id": ""}, "id must be a str that is not empty and has no lone surrogates, got ''"),
        ({"id": "\ud800"}, "id must be a str that is not empty and has no lone surrogates"),
        ({"canonical_id": 3}, "canonical_id must be a str"),
        ({"embedding": []}, "embedding must be a vector of numbers"),
        ({"embedding": "abc"}, "embedding must be a vector of numbers, got 'abc'"),
        ({"embedding": [[1.0]]}, "embedding must be a vector of numbers"),
        ({"embedding": [1, None]}, "embedding must be a vector of numbers"),
        ({"embedding": {0.5}}, "embedding must be a vector of numbers"),
        ({"embedding": [1.0, float("inf")]}, r"embedding\[1\] must be finite, got inf"),
        ({"embedding": [1e39]}, r"embedding\[0\] must fit float32, got 1e\+39"),
        ({"importance": 1.5}, "importance must be between 0 and 1, got 1.5"),
        ({"importance": True}, "importance must be between 0 and 1, got True"),
        ({"confidence": float("nan")}, "confidence must be between 0 and 1, got nan"),
        ({"access_count": -1}, "access_count must be a whole number from 0"),
        ({"access_count": 2**62 + 1}, "access_count must be a whole number from 0"),
        ({"dwell": -0.5}, "dwell must be a finite number of at least 0, got -0.5"),
        ({"compression_level": 5}, "compression_level must be a whole number from 0 to 4, got 5"),
        ({"created_at": "yesterday"}, "created_at must be a datetime or a text in ISO 8601, got 'yesterday'"),
        ({"last_accessed": 3}, "last_accessed must be a datetime or a text in ISO 8601, got 3"),
        ({"mood": 1}, "mood is not a field of a Card, which are text, type"),
    ],
)
def test_a_field_that_cannot_be(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Card.from_dict({"text": "a", **fields})
    with pytest.raises(InputError, match=rf"cards\[3\]\.{message}"):
        Card.from_dict({"text": "a", **fields}, name="cards[3]")


def test_fields_are_checked_when_they_are_set() -> None:
    card = Card("a", id="a")
    with pytest.raises(InputError, match="importance must be between 0 and 1, got 2"):
        card.importance = 2
    for name in ("id", "type", "created_at"):
        with pytest.raises(AttributeError, match=f"{name} of a Card is read-only"):
            setattr(card, name, getattr(card, name))
    with pytest.raises(AttributeError, match="Card has no field mood"):
        card.mood = 1


def test_what_is_given_is_copied() -> None:
    names, row = ["Ida"], np.array([1.0, 2.0], np.float32)
    card = Card("a", entities=names, embedding=row)
    names.append("Bo")
    row[0] = 9

    assert (card.entities, card.to_dict()["embedding"]) == (["Ida"], [1.0, 2.0])
    assert card.vector is not None
    with pytest.raises(ValueError, match="read-only"):
        card.vector[0] = 3


def test_surrogates_in_texts_are_repaired() -> None:
    assert Card("a\ud800b\ud83d\ude00", entities=["\udfff"]).to_dict()["text"] == "a\ufffdb😀"


def test_clusters_and_edges_are_checked_as_well() -> None:
    with pytest.raises(InputError, match=r"card_ids\[0\] must be a str, got 1"):
        Cluster(card_ids=[1])  # type: ignore[list-item]
    with pytest.raises(InputError, match="weight must be between 0 and 1, got 2"):
        Edge("a", "b", weight=2)
    with pytest.raises(InputError, match="target_id is missing"):
        Edge.from_dict({"source_id": "a"})
    with pytest.raises(InputError, match="Edge must be a mapping, got 3"):
        Edge.from_dict(3)  # type: ignore[arg-type]
    assert Cluster(id="a") != Edge("a", "b")
