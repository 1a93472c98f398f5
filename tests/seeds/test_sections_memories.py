"""Memories, and what chooses and compresses them: the neighbours of the sections builder that its document names."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from brimful import ConfigError, InputError
from brimful.builders.sections import (
    MemoryCompressor,
    MemoryEntry,
    MemoryPriority,
    MemorySelector,
    MemoryType,
    SelectionConfig,
)

NOW = 1_700_000_000.0
DAY = 86_400.0


def entry(content: object, **fields: Any) -> MemoryEntry:
    return MemoryEntry(**{"content": content, "timestamp": NOW, "memory_type": MemoryType.SEMANTIC, **fields})


# MemoryEntry


def test_entries_are_equal_by_id() -> None:
    one, other = entry("a"), entry("b", metadata={"id": entry("a").id})

    assert one == other
    assert len({one, other}) == 1
    assert one != entry("b")


def test_an_id_is_made_in_a_copy_of_the_metadata() -> None:
    given = {"k": 1}
    one, other = entry("a", metadata=given), entry("b", metadata=given)

    assert given == {"k": 1}
    assert one.id != other.id
    assert one.metadata["k"] == 1


def test_an_access_raises_the_importance_a_little() -> None:
    one = entry("a", importance=0.5, last_access=0.0)
    one.access()

    assert (one.access_count, one.importance, one.original_importance) == (1, 0.525, 0.5)
    assert one.last_access > NOW


def test_decay_lowers_factor_and_importance_down_to_a_tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: NOW)
    one, old = entry("a", importance=0.8, last_access=NOW - 2 * DAY), entry("b", last_access=0.0)
    one.apply_decay(0.1)
    old.apply_decay()

    assert one.decay_factor == 0.8
    assert one.importance == pytest.approx(0.64)
    assert one.effective_importance == one.importance * one.decay_factor
    assert (old.decay_factor, old.importance) == (0.1, 0.1)


def test_ages_are_counted_from_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: NOW)
    one = entry("a", timestamp=NOW - DAY, last_access=NOW - 60)

    assert (one.age_seconds, one.age_days, one.time_since_access_seconds) == (DAY, 1.0, 60.0)


@pytest.mark.parametrize(
    ("importance", "level"),
    [(1.0, "CRITICAL"), (0.9, "CRITICAL"), (0.7, "HIGH"), (0.5, "MEDIUM"), (0.3, "LOW"), (0.29, "MINIMAL")],
)
def test_priorities(importance: float, level: str) -> None:
    assert entry("a", importance=importance).priority is MemoryPriority[level]


def test_tags_are_kept_once_in_lower_case() -> None:
    one = entry("a")
    one.add_tags([" Tea ", "tea", "", "Cup"])

    assert one.tags == ["tea", "cup"]
    assert one.has_tag("TEA")
    assert not one.has_tag("milk")


def test_kinds_have_short_forms() -> None:
    names = ("st", "SHORT", "lt", "long", "wm", "work", "ep", "episode", "sem", "proc", "episodic", "?")

    assert [MemoryType.from_string(name).name for name in names] == [
        *("SHORT_TERM", "SHORT_TERM", "LONG_TERM", "LONG_TERM", "WORKING", "WORKING", "EPISODIC", "EPISODIC"),
        *("SEMANTIC", "PROCEDURAL", "EPISODIC", "SHORT_TERM"),
    ]
    assert (str(MemoryType.SEMANTIC), repr(MemoryType.SEMANTIC)) == ("semantic", "MemoryType.SEMANTIC")


def test_entries_survive_dicts_json_copies_and_pickles() -> None:
    one = entry({"input": "Hi"}, importance=0.7, tags=["t"], metadata={"k": 1}, embedding=[0.5, 1.0])
    one.update_metadata("m", 2)
    one.merge_metadata({"n": 3})
    again = MemoryEntry.from_json(one.to_json(include_embedding=True))

    for same in (again, copy.deepcopy(one), pickle.loads(pickle.dumps(one))):  # noqa: S301 - our own bytes
        assert same == one
        assert (same.content, same.importance, same.tags, same.metadata) == (
            *(one.content, one.importance, one.tags, one.metadata),
        )
        assert same.embedding == [0.5, 1.0]
    assert "embedding" not in one.to_dict()


def test_entries_sort_by_effective_importance() -> None:
    assert [one.content for one in sorted([entry("a", importance=0.9), entry("b", importance=0.1)])] == ["b", "a"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"importance": 1.5}, "importance must be between 0 and 1, got 1.5"),
        ({"importance": None}, "importance must be between 0 and 1, got None"),
        ({"metadata": None}, "metadata must be a mapping, got None"),
        ({"memory_type": "semantic"}, "memory_type must be a MemoryType, got 'semantic'"),
    ],
)
def test_entries_refuse(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as refusal:
        entry("a", **fields)

    assert str(refusal.value) == message


def test_what_makes_no_entry_or_kind_is_named() -> None:
    with pytest.raises(InputError, match="timestamp is missing, got"):
        MemoryEntry.from_dict({"content": "a"})
    with pytest.raises(InputError, match="type_str must be a str, got None"):
        MemoryType.from_string(None)  # type: ignore[arg-type]


# MemorySelector


def test_select_weighs_relevance_recency_and_importance() -> None:
    config = SelectionConfig(0.5, 0.25, 0.25, recency_half_life_hours=1.0)
    [found] = MemorySelector(config, clock=lambda: NOW + 3600).select("", [entry("a", importance=0.4)], {})

    assert (found.relevance_score, found.recency_score, found.importance_score) == (0.5, 0.5, 0.4)
    assert found.composite_score == pytest.approx(0.475)
    assert found.to_dict()["composite"] == 0.475


def test_select_passes_over_what_does_not_fit_and_stops_at_top_k() -> None:
    given = [entry(letter * 40, importance=1 - at / 10) for at, letter in enumerate("abcd")]
    given.insert(1, entry("x" * 400, importance=0.95))
    chosen = MemorySelector(SelectionConfig(token_budget=31), clock=lambda: NOW).select_entries("", given)
    two = MemorySelector(SelectionConfig(top_k=2), clock=lambda: NOW).select_entries("", given)

    assert [one.content[0] for one in chosen] == ["a", "b", "c"]
    assert [one.content[0] for one in two] == ["a", "x"]
    assert MemorySelector(SelectionConfig(top_k=0)).select("", given) == []


def test_explain_shows_rounded_scores() -> None:
    [row] = MemorySelector(clock=lambda: NOW).explain("", iter([entry("a" * 200, metadata={"id": "i"})]))

    assert row == {
        "id": "i",
        "content": "a" * 120,
        "relevance": 0.5,
        "recency": 1.0,
        "importance": 0.5,
        "composite": 0.6,
    }


@pytest.mark.parametrize(
    ("candidates", "scores", "message"),
    [
        ([None], {}, "candidates[0] must be a MemoryEntry with the field id, got None"),
        (
            [entry("a", metadata={"id": "i"})],
            {"i": float("nan")},
            "similarity_scores['i'] must be a finite number, got nan",
        ),
        (
            [entry("a"), entry("b", timestamp="now")],
            {},
            "candidates[1].timestamp must be a finite number, got 'now'",
        ),
        (
            [entry("a", timestamp=NOW * 1000)],
            {},
            "ages[0] must not be that far below 0, got -471750000.0 at a half-life of 24.0",
        ),
        ([entry("a")], [0.5], "similarity_scores must be a mapping or None, got [0.5]"),
        ({"a"}, {}, "candidates must be items in an order, got {'a'}"),
    ],
)
def test_select_refuses(candidates: Any, scores: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        MemorySelector(clock=lambda: NOW).select("", candidates, scores)

    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"relevance_weight": 0.6}, "Weights must sum to 1.0, got 1.100"),
        ({"relevance_weight": float("nan")}, "relevance_weight must be a finite number, got nan"),
        ({"recency_half_life_hours": 0}, "recency_half_life_hours must be above 0, got 0"),
        ({"min_composite_score": None}, "min_composite_score must be a finite number, got None"),
        ({"top_k": -1}, "top_k must be a whole number from 0 to 9,007,199,254,740,992, got -1"),
        ({"token_budget": 1.5}, "token_budget must be a whole number from 0 to 9,007,199,254,740,992, got 1.5"),
    ],
)
def test_selection_config_refuses(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        SelectionConfig(**options)

    assert str(refusal.value) == message


# MemoryCompressor


def test_merging_takes_the_first_later_entry_that_is_near_enough_and_each_once() -> None:
    vectors = [[1.0, 0.0], [0.0, 1.0], [1.0, 0.05], [1.0, 0.1], [0.05, 1.0]]
    given = [entry(str(at), embedding=vector) for at, vector in enumerate(vectors)]
    merged, count = MemoryCompressor(clock=lambda: NOW).merge_duplicates([*given, entry("without")])

    assert count == 2
    assert [one.content if isinstance(one.content, str) else one.content["merged"] for one in merged] == [
        *("without", "0 | 2", "1 | 4", "3")
    ]


@pytest.mark.parametrize(
    ("threshold", "merges"), [(-1.0, 2), (0.5, 2), (0.999, 1), (1.1, 0), (float("nan"), 0)], ids=str
)
def test_merging_needs_a_cosine_of_the_threshold(threshold: float, merges: int) -> None:
    vectors = ([1.0, 0.0], [1.0, 0.01], [0.0, 1.0], [0.5, 1.0])  # cosines 0.99995 and 0.894 within the pairs
    given = [entry(str(at), embedding=vector) for at, vector in enumerate(vectors)]

    assert MemoryCompressor(merge_similarity_threshold=threshold).merge_duplicates(given)[1] == merges


def test_a_merged_entry_has_the_tags_of_both_and_the_greater_importance() -> None:
    one = entry({"input": "a", "output": "b"}, tags=["x", "y"], importance=0.2, embedding=np.array([1.0, 0.0]))
    other = entry("c", tags=["y", "z"], importance=0.6, embedding=np.array([1.0, 0.0]))
    [merged], _ = MemoryCompressor(tenant_id="t", clock=lambda: NOW).merge_duplicates([one, other])

    assert merged.content == {"merged": "user: a\nassistant: b | c", "sources": [one.id, other.id]}
    assert (merged.tags, merged.importance, merged.timestamp) == (["x", "y", "z"], 0.6, NOW)
    assert merged.metadata["tenant_id"] == "t"
    assert merged.metadata["merged_from"] == [one.id, other.id]


def test_compress_batch_says_what_it_did() -> None:
    near = [entry(f"a memory of tea {at}", embedding=[1.0, at / 100]) for at in range(2)]
    given = [*near, entry("short"), entry("another memory of cups")]
    compressor = MemoryCompressor(clock=lambda: NOW)

    plain = compressor.compress_batch(iter(given))
    assert (plain["noise_removed"], plain["merges"], plain["summarised"], len(plain["entries"])) == (1, 1, False, 2)
    one = compressor.compress_batch(given, summarise=True, summarise_threshold=1)
    assert one["summarised"]
    assert one["entries"][0].content["source_count"] == 2
    none = compressor.compress_batch(given, remove_noise=False, merge=False)
    assert none["entries"] == given
    assert compressor.summarise([]) is None


@pytest.mark.parametrize(
    ("embedding", "message"),
    [
        ([1.0, 2.0], "entries[2].embedding must have 1 components as the embeddings before it have, got shape (2,)"),
        ([float("nan")], "entries[2].embedding[0] must be finite, got nan"),
        (["x"], "entries[2].embedding must be a vector of numbers, got 'x' for entries[2].embedding[0]"),
    ],
)
def test_embeddings_that_cannot_be_compared_are_refused_with_the_index(embedding: Any, message: str) -> None:
    given = [entry("none"), entry("a", embedding=[1.0]), entry("b", embedding=embedding)]

    with pytest.raises(InputError) as refusal:
        MemoryCompressor().merge_duplicates(given)

    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"llm": "gpt"},
            "llm must be None, got 'gpt'\nhint: summaries by a model are not part of this package",
        ),
        ({"merge_similarity_threshold": "0.9"}, "merge_similarity_threshold must be a number, got '0.9'"),
        ({"clock": 3}, "clock must be callable, got 3"),
    ],
)
def test_the_compressor_refuses(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        MemoryCompressor(**options)

    assert str(refusal.value) == message
