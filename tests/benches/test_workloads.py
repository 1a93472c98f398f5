"""The texts of the benches: the same ones every time, with the shares that they promise."""

from __future__ import annotations

import functools
import random
from typing import TYPE_CHECKING

import pytest

from brimful import NearDuplicateOptions
from references.naive_dedup import near_duplicates

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.checkout, pytest.mark.once]
REASON = "the benches are not here"
workloads = pytest.importorskip("workloads", reason=REASON)
inputs = pytest.importorskip("compare.dedup.inputs", reason=REASON)
documentation = pytest.importorskip("compare.dedup.documentation", reason=REASON)

FIRST = "jucotemobij gukiz za nubimu weja dijo pehajez"


@functools.cache
def verdicts(write: str, n: int) -> tuple[list[int], list[float]]:
    return near_duplicates(getattr(workloads, write)(n, 1), NearDuplicateOptions(threshold=0.5))


def test_the_same_arguments_give_the_same_texts() -> None:
    texts = workloads.corpus_texts(50, 1)

    assert texts == workloads.corpus_texts(50, 1)
    assert texts == list(workloads.write_corpus(50, 1))
    assert texts != workloads.corpus_texts(50, 2)
    assert texts[0].startswith(FIRST)


def test_texts_are_as_long_as_promised() -> None:
    lengths = [len(text.split()) for text in workloads.corpus_texts(600, 1)]

    assert min(lengths) in range(114, 125)  # a copy may lose up to 6 words
    assert max(lengths) in range(195, 207)
    assert {len(text.split()) for text in workloads.request_texts(100, 1)} <= set(range(194, 207))


@pytest.mark.slow
@pytest.mark.parametrize(("write", "n", "copies"), [("request_texts", 100, 20), ("corpus_texts", 600, 90)])
def test_the_promised_share_is_copied(write: str, n: int, copies: int) -> None:
    origins, _ = verdicts(write, n)

    assert n - origins.count(-1) == copies


def test_copies_lie_on_both_sides_of_the_threshold() -> None:
    _, similarities = verdicts("corpus_texts", 600)

    copies = [similarity for similarity in similarities if similarity]
    assert sum(similarity >= 0.85 for similarity in copies) / len(copies) == pytest.approx(0.6, abs=0.2)


def test_half_of_the_copies_have_other_capitals_and_white_space() -> None:
    texts = workloads.corpus_texts(600, 1)
    restyled = [text for text in texts if text != " ".join(text.lower().split())]

    assert len(restyled) == pytest.approx(45, abs=15)


def test_variants_straddle_the_threshold() -> None:
    variants = list(workloads.write_variants(60, 1))
    sets = [shingles(text) for text in random.Random(1).sample(variants, 40)]
    similarities = [len(a & b) / len(a | b) for at, a in enumerate(sets) for b in sets[:at]]

    assert min(similarities) > 0.7
    assert sum(similarity >= 0.85 for similarity in similarities) / len(similarities) == pytest.approx(0.35, abs=0.15)


def shingles(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[at : at + 5]) for at in range(len(words) - 4)}


def test_every_process_reads_the_texts_in_the_same_random_order(tmp_path: Path) -> None:
    texts = ["one\ntext", "Ärger", "three", "four", "five"]
    [found] = [
        (str(written), inputs.read_texts(written.path), inputs.read_texts(written.path))
        for written in inputs.write("corpus", texts, tmp_path)
    ]

    assert found[0] == "5"
    assert found[1] == found[2] != texts
    assert sorted(found[1]) == sorted(texts)
    assert list(tmp_path.iterdir()) == []


def test_inputs_end_with_the_size_that_is_asked_for(tmp_path: Path) -> None:
    assert [(found.kind, found.n) for found in inputs.write_inputs(tmp_path, 1_000)] == [
        ("request", 100),
        ("corpus", 100),
        ("corpus", 1_000),
    ]
    assert [found.n for found in inputs.write_inputs(tmp_path, 1_000, ["request"])] == [100]


def test_documentation_is_cut_into_chunks(tmp_path: Path) -> None:
    words = [f"w{number}" for number in range(430)]
    (tmp_path / "one.txt").write_text("\n".join(words), encoding="utf-8")
    (tmp_path / "two.bin").write_bytes(b"a \0 b " * 100)

    chunks = [chunk.split() for chunk in documentation.chunks_below([tmp_path])]

    assert chunks == [words[:200], words[200:400], words[400:]]


def test_a_machine_without_documentation_has_no_chunks(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("word " * 1_000, encoding="utf-8")

    assert documentation.read_documentation([[tmp_path], [tmp_path / "none"]]) == []
