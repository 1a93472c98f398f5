"""Public bug reports about near-duplicates, as small inputs."""

from __future__ import annotations

from fractions import Fraction

import pytest

import brimful
from brimful import ContextBuilder, Document
from recorded_cases import CASES, numbered, run

BUILD = """
    import json, random
    from dataclasses import asdict
    from brimful import ContextBuilder
    rng = random.Random(5)
    words = "alpha beta gamma delta Epsilon zeta eta theta 7 12".split()
    texts = [" ".join(rng.choices(words, k=rng.randrange(1, 30))) for _ in range(50)]
    print(json.dumps(asdict(ContextBuilder(400).build(query="q", documents=texts)), sort_keys=True))
"""


def test_dedup_01_texts_shorter_than_the_shingle_size_have_a_shingle_of_their_own() -> None:
    case = CASES["dedup-01"]

    found = brimful.near_duplicates(case["input"]["docs"], shingle_size=5, threshold=0.85)

    assert case["expected"]["kept_indices"] == found.kept.tolist()


@pytest.mark.parametrize("size", [1, 2, 5, 32])
def test_dedup_01_whatever_the_shingle_size(size: int) -> None:
    texts = ["", "cat", "dog", "see you soon", "see you later", "cat"]

    assert brimful.near_duplicates(texts, shingle_size=size).duplicate_of.tolist() == [-1, -1, -1, -1, -1, 1]


def test_dedup_03_a_pair_below_the_threshold_is_no_duplicate() -> None:
    case = CASES["dedup-03"]["input"]
    texts = [numbered(case["a"]), numbered(case["b"])]

    found = brimful.near_duplicates(texts, shingle_size=case["k"], threshold=case["threshold"])

    assert CASES["dedup-03"]["expected"]["kept_indices"] == found.kept.tolist()
    assert brimful.near_duplicates(texts, threshold=0.8).similarity.tolist() == [0.0, float(Fraction(16, 20))]


def test_dedup_05_chains_are_not_merged() -> None:
    case = CASES["dedup-05"]

    found = brimful.near_duplicates(map(numbered, case["input"]["docs"]), threshold=case["input"]["threshold"])

    assert case["expected"]["kept_indices"] == found.kept.tolist()
    assert found.similarity.tolist() == [0.0, float(Fraction(19, 21)), 0.0]


@pytest.mark.parametrize("swapped", [False, True])
def test_dedup_07_the_survivor_is_the_best_scored_copy(swapped: bool) -> None:  # noqa: FBT001 - a test's parameter
    documents = CASES["dedup-07"]["input"]["docs"]
    given = documents[::-1] if swapped else documents

    context = ContextBuilder(200).build(documents=given)

    [citation] = context.citations
    assert citation.sources == ("A", "B")
    assert given[citation.items[0]]["score"] == CASES["dedup-07"]["expected"]["kept"]["score"]


def test_dedup_07_of_equal_scores_the_first_survives() -> None:
    context = ContextBuilder(200).build(documents=[Document("same", source=name, score=0.5) for name in "XYZ"])

    assert [citation.sources for citation in context.citations] == [("X", "Y", "Z")]


@pytest.mark.slow
def test_dedup_09_the_output_does_not_depend_on_the_hash_seed_or_the_threads() -> None:
    seeds = ["0", "1", "random"]

    outputs = {run(BUILD, PYTHONHASHSEED=seed, BRIMFUL_NUM_THREADS=threads) for seed in seeds for threads in "14"}

    assert len(outputs) == 1
