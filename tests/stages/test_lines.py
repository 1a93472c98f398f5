"""Lines counted once: the count is that of the whole text, whatever was taken out and put back."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful import count_tokens
from brimful.errors import InputError
from brimful.kernels.texts import repair_surrogates
from brimful.stages.counters import ExactCounter, from_callable
from brimful.stages.counting import EstimateCounter
from brimful.stages.exact_lines import ExactLines
from brimful.stages.joints import begins_anew
from brimful.stages.lines import MeasuredLines, count_lines
from hostile import hostile_texts
from recorded_cases import ENCODINGS, every_encoding

if TYPE_CHECKING:
    from brimful.config import Encoding

# At the beginnings and ends of lines all hangs.
JOINTS = (
    *(
        "",
        "\n",
        "\n\n",
        " ",
        "\t",
        "\r\n",
        "\ra",
        " \rb",
        "/",
        "//",
        "/usr/bin",
        "/a b",
        "\n/a",
        " /a",
        "a\n",
        "x \n",
        "foo  ",
    ),
    *("\n\n## Head", "  - one", "It rains.", "  \u3000中文没有空格", "\u3000\u3000中文段落", "/中文", " \n\n  y", "'s"),
    *("\x1c\n", "\x1ca", "\x85a", "end.\n\n", "...", "1", "12", " 's", "é", "a\u0301", "\u2028b", "😀", "//\n", "?\t"),
    *("a.", "9)", 'A"', "s'", "x*", "a`", "1:", "a..", "é.", "b!\n", "(c]", "d}", "e;", "f,", "g?", ".", "/."),
)
HOSTILE = [repair_surrogates(text) for text in hostile_texts(8, 2_000, runs=False)]
texts = st.lists(st.one_of(st.sampled_from(JOINTS), st.sampled_from(HOSTILE)), max_size=9)


def check(lines: Any, listed: list[str], kept: set[int], encoding: Encoding) -> None:
    text = "\n".join(listed[place] for place in sorted(kept))
    assert (lines.text(), lines.places()) == (text, sorted(kept))
    assert lines.total == count_tokens(text, encoding=encoding)


@given(listed=texts, encoding=st.sampled_from(ENCODINGS), seed=st.integers(0, 2**32))
def test_lines_taken_out_put_back_and_replaced_count_as_their_text_does(
    listed: list[str], encoding: Encoding, seed: int
) -> None:
    chance, kept = random.Random(seed), set(range(len(listed)))
    lines = ExactLines(listed, encoding)
    check(lines, listed, kept, encoding)
    for place in chance.choices(range(len(listed)), k=12) if listed else ():
        if place in kept:
            lines.remove(place)
        elif chance.random() < 0.7:
            lines.insert(place)
        else:
            listed[place] = chance.choice((*JOINTS, *HOSTILE[:100]))
            lines.insert(place, listed[place])
        kept ^= {place}
        check(lines, listed, kept, encoding)
    assert lines.counts == count_tokens(listed, encoding=encoding).tolist()


@every_encoding
def test_every_pair_of_joints_counts_as_its_text_does(encoding: Encoding) -> None:
    pairs = [(one, other) for one in JOINTS for other in JOINTS]
    totals = [ExactLines(pair, encoding).total for pair in pairs]

    assert totals == count_tokens(["\n".join(pair) for pair in pairs], encoding=encoding).tolist()


@every_encoding
def test_where_a_text_begins_anew_no_token_reaches_into_it(encoding: Encoding) -> None:
    behind = [text for text in (*JOINTS, *HOSTILE) if begins_anew(text, encoding)]
    assert len(behind) > 1_000
    for before in ("a", "a.", ". ", "/", "  ", "\n\n", "\r", "字", "'", "9"):
        alone = count_tokens(f"{before}\n", encoding=encoding)
        joined = count_tokens([f"{before}\n{text}" for text in behind], encoding=encoding)
        assert (joined == alone + count_tokens(behind, encoding=encoding)).all()


@given(listed=texts, budget=st.integers(-1, 60), encoding=st.sampled_from(ENCODINGS))
def test_as_many_are_dropped_as_when_the_text_is_counted_each_time(
    listed: list[str], budget: int, encoding: Encoding
) -> None:
    order = list(range(len(listed)))[::-1]
    dropped = 0
    while dropped < len(order) and count_tokens("\n".join(listed[: len(order) - dropped]), encoding=encoding) > budget:
        dropped += 1

    assert ExactLines(listed, encoding).drop(order, budget) == dropped


@given(listed=texts, budget=st.integers(-1, 200))
def test_lines_that_are_measured_are_dropped_alike(listed: list[str], budget: int) -> None:
    order = list(range(len(listed)))[::-1]
    dropped = 0
    while dropped < len(order) and len("\n".join(listed[: len(order) - dropped])) > budget:
        dropped += 1
    lines = MeasuredLines(listed, from_callable(len))

    assert lines.drop(order, budget) == dropped
    assert (lines.text(), lines.total) == (text := "\n".join(listed[: len(order) - dropped]), len(text))


def test_a_counter_that_measures_is_asked_a_logarithm_of_times() -> None:
    asked: list[int] = []

    def count(given: list[str]) -> list[int]:
        asked.append(len(given))
        return [len(text) for text in given]

    lines = count_lines(["abc"] * 1_000, from_callable(count, batch=True))

    assert lines.drop(list(range(1_000)), 3_001) == 250
    assert len(asked) <= 2 + 10


def test_an_encoding_adds_and_any_other_counter_measures() -> None:
    assert isinstance(count_lines(["a"], ExactCounter("cl100k_base")), ExactLines)
    assert isinstance(count_lines(["a"], EstimateCounter()), MeasuredLines)


def test_a_counter_that_fails_is_named() -> None:
    with pytest.raises(InputError, match="must give whole numbers of at least 0, got -1 for text 0"):
        count_lines(["a"], from_callable(lambda _: -1))


@every_encoding
def test_a_long_run_of_lines_without_a_gap_is_counted(encoding: Encoding) -> None:
    listed = ["", "/a", "\n", "字" * 50] * 50
    lines = ExactLines(listed, encoding)

    assert lines.total == count_tokens("\n".join(listed), encoding=encoding)
    assert lines.drop(list(range(200))[::-1], -1) == 200
    assert (lines.total, lines.text()) == (0, "")
