"""Filtering: blank texts, bounds, and which reason is named first."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from brimful.stages.filtering import why_unfit

BLANK = [
    "",
    " ",
    "\n\n",
    "\u200b",
    "\ufeff",
    "\t\x1c\x85\u2028",
    "\x00\x1b\x7f\x9f",
    "\xad\u2060\ufe0f",
    "\u3164\u2800",
]
VISIBLE = ["a", ".", "\u200ba\u200b", " \u0301", "\ufffd", "\u0600", "\U0001f600", "\x1b[1m"]


@pytest.mark.parametrize("text", BLANK)
@pytest.mark.parametrize("min_tokens", [0, 1, 100])
def test_a_text_with_nothing_visible_in_it_never_competes(text: str, min_tokens: int) -> None:
    assert why_unfit(text, 0.9, 50, min_score=None, min_tokens=min_tokens) == "blank"


@pytest.mark.parametrize("text", VISIBLE)
def test_one_visible_character_is_enough(text: str) -> None:
    assert why_unfit(text, None, 0, min_score=None, min_tokens=0) is None


def test_white_space_and_controls_of_this_interpreter_are_blank() -> None:
    named = "".join(map(chr, range(sys.maxunicode + 1)))
    nothing = [mark for mark in named if unicodedata.category(mark) in {"Cc", "Zs", "Zl", "Zp"} or mark.isspace()]

    assert len(nothing) > 80
    assert {why_unfit(mark, None, 1, min_score=None, min_tokens=1) for mark in nothing} == {"blank"}


def test_nothing_with_ink_is_blank() -> None:
    # Letters and symbols without ink, and the categories of controls, formats, separators and what has no name yet.
    inkless = set("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159")
    inkless |= {chr(code) for first in (0xFE00, 0xE0100) for code in range(first, first + (16, 240)[first > 0xFFFF])}
    named = (mark for mark in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(mark)[0] not in "CZ")
    blank = {mark for mark in named if why_unfit(mark, None, 1, min_score=None, min_tokens=1) == "blank"}

    assert blank <= inkless


def test_an_item_at_the_bound_passes() -> None:
    assert why_unfit("a", 0.3, 5, min_score=0.3, min_tokens=5) is None
    assert why_unfit("a", None, 5, min_score=0.3, min_tokens=5) is None
    assert why_unfit("a", 0.0, 5, min_score=None, min_tokens=0) is None


def test_the_first_reason_is_named() -> None:
    assert why_unfit(" ", 0.2, 4, min_score=0.3, min_tokens=5) == "blank"
    assert why_unfit("a", 0.2, 4, min_score=0.3, min_tokens=5) == "below_min_score"
    assert why_unfit("a", 0.3, 4, min_score=0.3, min_tokens=5) == "below_min_tokens"


@pytest.mark.timeout(20)
def test_a_long_blank_text_takes_no_quadratic_time() -> None:
    for run in ("\u200b", "\n", "\U000e0101", " \x00"):
        assert why_unfit(run * 300_000 + "a", None, 1, min_score=None, min_tokens=1) is None
