"""Public bug reports about cutting texts, as small inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

import brimful
from recorded_cases import BOUNDARIES, CASES, every_encoding

if TYPE_CHECKING:
    from brimful.config import Encoding


@pytest.mark.parametrize("rule", ["script", "chars_div_4"])
def test_truncation_01_the_marker_is_inside_the_budget(rule: Literal["script", "chars_div_4"]) -> None:
    case = CASES["truncation-01"]["input"]
    whole, marker = case["text"], case["marker"]
    needed = brimful.estimate_tokens(whole, rule=rule)

    for budget in range(needed + 2):
        piece = brimful.truncate(whole, budget, rule=rule, marker=marker)
        assert brimful.estimate_tokens(piece, rule=rule) <= budget
        assert piece != marker
        assert (piece == whole) == (budget >= needed)


@pytest.mark.parametrize("boundary", ["word", "sentence"])
@pytest.mark.parametrize("cut", ["end", "start", "middle"])
def test_truncation_03_a_run_without_boundaries_is_cut_all_the_same(
    boundary: Literal["word", "sentence"], cut: Literal["end", "start", "middle"]
) -> None:
    estimated = brimful.truncate("x" * 10_000, 10, cut=cut, boundary=boundary, rule="script")
    counted = brimful.truncate("x" * 10_000, 10, cut=cut, boundary=boundary)

    assert 0 < len(estimated) < 100
    assert brimful.estimate_tokens(estimated) <= 10
    assert 0 < len(counted) < 200
    assert brimful.count_tokens(counted) <= 10


@every_encoding
def test_truncation_01_the_marker_is_inside_an_exact_budget(encoding: Encoding) -> None:
    case = CASES["truncation-01"]
    whole, marker = case["input"]["text"], case["input"]["marker"]

    pieces = {
        budget: brimful.truncate(whole, budget, encoding=encoding, marker=marker) for budget in case["input"]["budgets"]
    }

    counts = dict(zip(pieces, brimful.count_tokens(pieces.values(), encoding=encoding).tolist(), strict=True))
    assert all(count <= budget for budget, count in counts.items())
    assert pieces[0] == ""
    assert not any(pieces[budget].endswith(marker) for budget in (1, 5, 6))
    assert all(len(pieces[budget]) > len(marker) and pieces[budget].endswith(marker) for budget in (7, 9))
    assert pieces[10] == pieces[11] == whole


@every_encoding
def test_truncation_05_a_word_that_costs_less_than_its_beginning_is_kept(encoding: Encoding) -> None:
    case = CASES["truncation-05"]["input"]

    for boundary in BOUNDARIES:
        piece = brimful.truncate(case["text"], case["budget"], encoding=encoding, boundary=boundary)
        assert piece.rstrip() == CASES["truncation-05"]["expected"][encoding]
