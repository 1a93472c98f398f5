"""How the comparison of near-duplicates counts wrong decisions, and what it does with what it measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from brimful import near_duplicates

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.checkout
REASON = "the benches are not here"
verdicts = pytest.importorskip("compare.dedup.verdicts", reason=REASON)
tools = pytest.importorskip("compare.dedup.tools", reason=REASON)
passes = pytest.importorskip("compare.dedup.passes", reason=REASON)
rounds = pytest.importorskip("compare.dedup.rounds", reason=REASON)
tables = pytest.importorskip("compare.dedup.tables", reason=REASON)
workloads = pytest.importorskip("workloads", reason=REASON)

Verdicts = verdicts.Verdicts


@pytest.mark.parametrize(
    ("kept", "wrong"), [([0, 2, 3], 0), ([0, 2], 1), ([0, 1, 2, 3], 1), ([0, 1, 2], 2), ([], 3), ([1, 4], 5)]
)
def test_a_text_kept_or_dropped_wrongly_counts_once(kept: list[int], wrong: int) -> None:
    exact = Verdicts.of_origins([-1, 0, -1, -1, 2], [0, 0.9, 0, 0, 1])

    assert exact.kept.tolist() == [0, 2, 3]
    assert verdicts.count_wrong(Verdicts.of_kept(kept), exact) == wrong


def test_what_shall_be_equal_is_held_against_each_other() -> None:
    exact = Verdicts.of_origins([-1, 0, -1], [0, 0.9, 0])
    verdicts.assert_equal(exact, Verdicts.of_kept([0, 2]), "kept only")

    with pytest.raises(AssertionError, match="other: 1 texts decided differently"):
        verdicts.assert_equal(exact, Verdicts.of_kept([0]), "other")
    with pytest.raises(AssertionError, match=r"other: similarities differ at \[1\]"):
        verdicts.assert_equal(exact, Verdicts.of_origins([-1, 0, -1], [0, 0.95, 0]), "other")
    with pytest.raises(AssertionError, match=r"other: origins differ at \[2\]"):
        verdicts.assert_equal(
            Verdicts.of_origins([-1, -1, 0], [0, 0, 0.9]), Verdicts.of_origins([-1, -1, 1], [0, 0, 0.9]), "other"
        )


def test_verdicts_survive_a_file(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.npz"
    for written in (Verdicts.of_kept([0, 2]), Verdicts.of_origins([-1, 0], [0, 0.9])):
        written.write(path)
        read = Verdicts.read(path)

        verdicts.assert_equal(written, read, "file")
        assert (read.origins is None) == (written.origins is None)


def test_the_naive_form_and_ours_are_right_of_the_same_texts() -> None:
    texts = workloads.request_texts(60, 1)
    naive, found = tools.JUDGES["naive"](texts, tools.Shingling()), near_duplicates(texts)

    verdicts.assert_equal(Verdicts(found.kept, found.duplicate_of, found.similarity), naive, "naive")


def test_pairs_are_judged_greedily() -> None:
    pairs = [(3, 0), (1, 3), (1, 2), (4, 1)]

    assert tools.keep_greedily(range(5), pairs).kept.tolist() == [0, 1]
    assert tools.keep_greedily([0, 2, 3, 4], [(3, 2), (4, 3)]).kept.tolist() == [0, 2, 4]


def test_shingles_are_cut_in_batches_and_their_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "BATCH", 2)
    shingling = tools.Shingling()
    batches = list(shingling.batches(["a b c d e f", "A b", "c"], coded=True))

    assert [[sorted(own) for own in batch] for batch in batches] == [
        [[b"a b c d e", b"b c d e f"], [b"a b"]],
        [[b"c"]],
    ]
    assert shingling.seconds > 0


def test_every_call_is_timed_and_the_quickest_told() -> None:
    calls: list[int] = []

    def judge(texts: list[str], shingling: object) -> object:
        assert shingling
        calls.append(len(texts))
        return Verdicts.of_kept([len(calls)])

    measured, found = passes.measure(judge, ["text"] * 100, 0)
    assert calls == [passes.WARM_UP, 100]
    assert found.kept.tolist() == [2]

    measured, found = passes.measure(judge, ["text"] * 100, 0.02)
    assert calls[2:5] == [passes.WARM_UP, 100, 100]
    assert found.kept.tolist() == [len(calls)]
    assert 0 <= measured.cpu < 1
    assert measured.shingling == 0


def test_the_exponent_of_growth_is_that_of_the_times() -> None:
    def findings(n: int, seconds: float) -> object:
        return rounds.Findings(n, [passes.Measured(seconds, seconds, 0, seconds, 0)])

    found = [findings(n, 1e-6 * n**1.2) for n in (10_000, 100_000, 1_000_000)]

    assert tables.fit_exponent(found) == pytest.approx(1.2)


def test_processes_that_decide_differently_are_noticed() -> None:
    found = rounds.Findings(3, [], [Verdicts.of_kept([0, 1]), Verdicts.of_kept([0, 1])])
    assert np.array_equal(found.agreed("ours").kept, [0, 1])
    found.verdicts.append(Verdicts.of_kept([0, 2]))

    with pytest.raises(AssertionError, match="ours, another process: 2 texts"):
        found.agreed("ours")
