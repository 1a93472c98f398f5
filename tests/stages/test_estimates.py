"""The public estimate: its flag, and how often it covers the exact count of text that the weights have not seen."""

from __future__ import annotations

import inspect
import json.encoder
from importlib import import_module
from typing import get_args

import numpy as np
import pytest

import brimful
from brimful import ConfigError
from brimful.config import Encoding, EstimateRule

# The first article of the Universal Declaration of Human Rights.
ARTICLE_1 = (
    (
        "All human beings are born free and equal in dignity and rights. They are endowed with reason and "
        "conscience and should act towards one another in a spirit of brotherhood."
    ),
    (
        "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt "
        "und sollen einander im Geist der Brüderlichkeit begegnen."
    ),
    (
        "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de "
        "conscience et doivent agir les uns envers les autres dans un esprit de fraternité."
    ),
    (
        "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и "
        "должны поступать в отношении друг друга в духе братства."
    ),
    "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。",
    (
        "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。"
        "人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。"
    ),
    (
        "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 "
        "양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다."
    ),
)
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
OTHER_RULES = [rule for rule in get_args(EstimateRule) if rule != "script"]


def pieces_of(text: str) -> list[str]:
    """The first pieces of 1,000 code points, at most 40."""
    return [text[start : start + 1000] for start in range(0, min(len(text) - 999, 40_000), 1000)]


def standard_library() -> list[str]:
    """Pieces of program text and of prose that come with Python."""
    topics: dict[str, str] = import_module("pydoc_data.topics").topics
    sources = [inspect.getsource(module) for module in (inspect, json.encoder)]
    return [piece for text in (*sources, "\n".join(topics.values())) for piece in pieces_of(text)]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_safe_estimate_covers_99_of_100_pieces_of_the_standard_library(encoding: Encoding) -> None:
    pieces = standard_library()
    assert len(pieces) > 80

    covered = brimful.estimate_tokens(pieces, safe=True) >= brimful.count_tokens(pieces, encoding=encoding)

    assert np.mean(covered) >= 0.99


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_safe_estimate_covers_every_script_of_a_declaration(encoding: Encoding) -> None:
    assert (brimful.estimate_tokens(ARTICLE_1, safe=True) >= brimful.count_tokens(ARTICLE_1, encoding=encoding)).all()


def test_the_estimate_of_a_declaration_is_nearer_than_a_quarter_of_the_characters() -> None:
    exact = brimful.count_tokens(ARTICLE_1)
    by_script, by_length = (
        np.abs(brimful.estimate_tokens(ARTICLE_1, rule=rule) / exact - 1).mean() for rule in ("script", "chars_div_4")
    )

    assert by_script < by_length / 2


def test_safe_is_the_rule_of_the_kernels_that_errs_high() -> None:
    safe = brimful.estimate_tokens(ARTICLE_1, safe=True).tolist()

    assert safe == brimful.estimate_tokens(ARTICLE_1, rule="script_safe").tolist()
    assert safe == [brimful.estimate_tokens(text, safe=True) for text in ARTICLE_1]
    assert all(safe > brimful.estimate_tokens(ARTICLE_1))


@pytest.mark.parametrize("rule", OTHER_RULES)
def test_safe_is_for_one_rule_only(rule: EstimateRule) -> None:
    with pytest.raises(ConfigError, match=rf"^safe must be False unless rule is `script`, got rule '{rule}'$"):
        brimful.estimate_tokens("a", rule=rule, safe=True)


def test_safe_is_true_or_false() -> None:
    with pytest.raises(ConfigError, match=r"^safe must be True or False, got 1$"):
        brimful.estimate_tokens("a", safe=1)  # type: ignore[call-overload]
