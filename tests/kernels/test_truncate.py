"""truncate: each back end against a reference that tries every cut, and against the statements of the contract."""

from __future__ import annotations

import functools
import time
from typing import TYPE_CHECKING, Any, NamedTuple, cast, get_args

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from brimful.config import Boundary, Cut, Encoding, EstimateRule, TruncationOptions
from brimful.kernels._python.boundary import heads, tails
from references import naive_truncate
from strategies import SPACES, WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.kernels import CheckedKernels

RULES: tuple[EstimateRule, ...] = get_args(EstimateRule)
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
CUTS: tuple[Cut, ...] = get_args(Cut)
BOUNDARIES: tuple[Boundary, ...] = get_args(Boundary)
TEN = "one two three four five six seven eight nine ten"

stops = (". ", "?! ", '." ', ".) ", "。", "！", "…", "." * 3)
joiners = ("\u0301", "\u0600", "\u302e", "🇩", "क्", "\u200d")
# The letter U+10D50 is of Unicode 16.0: the reference may not know it.
pieces = st.sampled_from(
    (*(word for word in WORDS if word != "\U00010d50"), *SPACES, *stops, *stops, *joiners, " ", " ", " ")
)
cuttable = st.one_of(st.lists(pieces, max_size=25).map("".join), st.text(pieces.map(lambda piece: piece[0])))
markers = st.sampled_from(["", "…", "\n[...truncated]", " ", "x", "\u0301", " x "])
# There are 72 choices, and each example is cut at every budget.
fewer_examples = settings(max_examples=min(40, max(1, settings().max_examples // 4)))


class Choice(NamedTuple):
    """Options without the marker; tokens are counted by a rule or in an encoding."""

    by: EstimateRule | Encoding
    cut: Cut
    boundary: Boundary

    @property
    def options(self) -> dict[str, Any]:
        return {"encoding" if self.by in ENCODINGS else "rule": self.by, "cut": self.cut, "boundary": self.boundary}


CHOICES = [Choice(by, cut, boundary) for by in (*RULES, *ENCODINGS) for cut in CUTS for boundary in BOUNDARIES]
every_choice = pytest.mark.parametrize("choice", CHOICES, ids="-".join)


class Kept(NamedTuple):
    """What is left of a text, and what the kernel says of it."""

    piece: str
    content: str
    head: int
    tail: int
    marked: bool
    tokens: int


def keep(kernels: CheckedKernels, text: str, budgets: Sequence[int], marker: str = "", **options: Any) -> list[Kept]:
    """What is kept of the text at each budget."""
    columns = kernels.truncate([text] * len(budgets), budgets, TruncationOptions(marker=marker, **options))
    assert {(np.dtype(np.int64), (len(budgets),))} == {(column.dtype, column.shape) for column in columns}
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        Kept(text[:head] + marker * marked + text[tail:], text[:head] + text[tail:], head, tail, bool(marked), tokens)
        for head, tail, marked, tokens in rows
    ]


def measure(kernels: CheckedKernels, text: str, by: EstimateRule | Encoding) -> int:
    if by in ENCODINGS:
        return int(kernels.count_tokens([text], encoding=by)[0])
    return int(kernels.estimate_tokens([text], rule=cast("EstimateRule", by))[0])


def all_budgets(kernels: CheckedKernels, text: str, by: EstimateRule | Encoding) -> range:
    return range(measure(kernels, text, by) + 2)


def grapheme_starts(kernels: CheckedKernels, text: str) -> list[int]:
    return [at for at, begins in enumerate(kernels.inspect_text(text)[3]) if begins]


@every_choice
@fewer_examples
@given(text=cuttable, marker=markers)
@example(text="", marker="…")
@example(text="  \n ", marker="…")
@example(text="One. Two.\u302e Three. \u0301 four", marker="…")
@example(text="\u0600 a\u0600 .\u0600 b", marker="")
def test_what_is_kept_is_the_longest_piece_that_fits(
    kernels: CheckedKernels, choice: Choice, text: str, marker: str
) -> None:
    budgets = all_budgets(kernels, text, choice.by)
    starts = grapheme_starts(kernels, text)

    @functools.cache
    def count(piece: str) -> int:
        return measure(kernels, piece, choice.by)

    found = keep(kernels, text, budgets, marker, **choice.options)

    assert [(kept.piece, kept.marked) for kept in found] == [
        naive_truncate.truncate(
            text, budget, starts, count_tokens=count, cut=choice.cut, boundary=choice.boundary, marker=marker
        )
        for budget in budgets
    ]


@every_choice
@fewer_examples
@given(text=cuttable, marker=markers)
def test_tokens_are_a_recount_within_the_budget_and_no_grapheme_is_split(
    kernels: CheckedKernels, choice: Choice, text: str, marker: str
) -> None:
    budgets = all_budgets(kernels, text, choice.by)
    borders = {*grapheme_starts(kernels, text), len(text)}

    found = keep(kernels, text, budgets, marker, **choice.options)

    for budget, kept in zip(budgets, found, strict=True):
        assert kept.tokens == measure(kernels, kept.piece, choice.by)
        assert kept.tokens <= budget or not kept.piece
        assert 0 <= kept.head <= kept.tail <= len(text)
        assert {kept.head, kept.tail} <= borders | {0}
        assert kept.content or not kept.marked
        assert (kept.content == text) == (measure(kernels, text, choice.by) <= budget or not text)


@every_choice
@fewer_examples
@given(text=cuttable, marker=markers)
def test_a_larger_budget_keeps_no_less(kernels: CheckedKernels, choice: Choice, text: str, marker: str) -> None:
    # Once the marker fits it takes room that text had; a middle that falls back to words is shared out anew; and by
    # exact counts a word may cost more than the beginning of a longer one.
    comparable = choice.boundary == "grapheme" or (choice.cut != "middle" and choice.by in RULES)
    for tried in {marker, ""} if comparable else ():
        budgets = all_budgets(kernels, text, choice.by)
        found = keep(kernels, text, budgets, tried, **choice.options)
        whole = measure(kernels, text, choice.by)
        for marked in (True, False):
            lengths = [len(kept.content) for kept in found[:whole] if kept.marked is marked]
            assert sorted(lengths) == lengths


@pytest.mark.parametrize("boundary", BOUNDARIES)
@given(text=cuttable, times=st.sampled_from([60, 107]))
@example(text="\u0600\n東 \u0600 \r\n ", times=300)
@example(text="👩\u200d" * 7, times=300)
def test_the_twin_finds_the_same_places_from_both_ends_of_a_text(boundary: Boundary, text: str, times: int) -> None:
    *from_start, end = heads(text * times, boundary)
    from_end = [*tails(text * times, boundary)][::-1]

    assert from_start == from_end[1:]
    assert end.at == len(text * times)


@pytest.mark.slow
@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a_text_that_is_read_in_many_stretches_is_cut_like_a_short_one(
    kernels: CheckedKernels, cut: Cut, boundary: Boundary
) -> None:
    text = "".join(f"Line {number} of “it”.  👩\u200d👧 क्षि\u0301 東京。{'y' * (number % 50)}" for number in range(50))
    starts = grapheme_starts(kernels, text)
    whole = measure(kernels, text, "script")

    def count(piece: str) -> int:
        return measure(kernels, piece, "script")

    for budget in (whole - 2, whole // 2):
        [kept] = keep(kernels, text, [budget], "…", rule="script", cut=cut, boundary=boundary)
        expected = naive_truncate.truncate(
            text, budget, starts, count_tokens=count, cut=cut, boundary=boundary, marker="…"
        )
        assert expected == (kept.piece, kept.marked)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("cut", CUTS)
def test_case_truncation_01_the_marker_is_inside_the_budget_and_never_alone(
    kernels: CheckedKernels, rule: EstimateRule, cut: Cut
) -> None:
    marker = "\n[...truncated]"
    budgets = all_budgets(kernels, TEN, rule)

    found = keep(kernels, TEN, budgets, marker, rule=rule, cut=cut, boundary="word")

    assert all(kept.tokens <= budget for budget, kept in zip(budgets, found, strict=True) if kept.piece)
    assert all(kept.piece.replace(marker, "").strip() for kept in found if kept.marked)
    assert [(kept.piece, kept.marked) for kept in found[-2:]] == [(TEN, False)] * 2


@pytest.mark.parametrize("rule", ["utf16_div_4", "chars_div_4", "script", "script_safe"])
@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("length", [10_000, 10_000_000])
def test_case_truncation_03_a_run_without_boundaries_is_cut_between_graphemes(
    kernels: CheckedKernels, rule: EstimateRule, cut: Cut, boundary: Boundary, length: int
) -> None:
    text = "e" * length  # less than a token by every rule, so that the budget can be met
    started = time.process_time()  # another test runs beside this one

    [kept] = keep(kernels, text, [10], "…", rule=rule, cut=cut, boundary=boundary)

    assert time.process_time() - started < 1
    assert kept.marked
    assert kept.tokens == 10


def test_white_space_at_the_cut_goes_and_elsewhere_stays(kernels: CheckedKernels) -> None:
    text = "  one   two   "
    options: dict[str, Any] = {"rule": "chars_div_4", "boundary": "word"}

    assert keep(kernels, text, [1], **options, cut="end")[0].piece == "  one"
    assert keep(kernels, text, [1], **options, cut="start")[0].piece == "two   "
    assert keep(kernels, text, [2], **options, cut="middle")[0].piece == "  onetwo   "


def test_sentences_are_kept_whole_with_their_quotes(kernels: CheckedKernels) -> None:
    text = "It was v1.5 (really!). “No?” asked he. 東京です。京都です。"
    options: dict[str, Any] = {"rule": "utf16_div_4", "boundary": "sentence"}

    assert keep(kernels, text, [8], **options, cut="end")[0].piece == "It was v1.5 (really!). “No?”"
    assert keep(kernels, text, [3], **options, cut="start")[0].piece == "東京です。京都です。"
    assert keep(kernels, text, [2], **options, cut="start")[0].piece == "京都です。"


def test_without_a_sentence_that_fits_words_are_kept_and_without_a_word_graphemes(kernels: CheckedKernels) -> None:
    options: dict[str, Any] = {"rule": "chars_div_4", "cut": "end", "boundary": "sentence"}

    assert keep(kernels, "One two three four.", [3], **options)[0].piece == "One two three"
    assert keep(kernels, "Onetwothree e\u0301e\u0301e\u0301.", [1], **options)[0].piece == "Onetwot"
    assert keep(kernels, "e\u0301" * 10, [1], **options)[0].piece == "e\u0301" * 3


def test_by_words_div_4_nothing_fits_a_budget_of_zero_and_nothing_counts_one(kernels: CheckedKernels) -> None:
    for text in ("", "one two"):
        [kept] = keep(kernels, text, [0], "…", rule="words_div_4", cut="middle", boundary="word")
        assert (kept.piece, kept.tokens, kept.marked) == ("", 1, False)


@pytest.mark.parametrize("cut", CUTS)
def test_a_whole_text_is_all_head_or_all_tail(kernels: CheckedKernels, cut: Cut) -> None:
    [kept] = keep(kernels, "two words", [1_000], "…", rule="script", cut=cut, boundary="word")

    assert (kept.head, kept.tail) == ((0, 0) if cut == "start" else (9, 9))
