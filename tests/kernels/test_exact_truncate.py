"""truncate by exact counts: hostile texts against a reference that counts every piece, and counts that fall."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, get_args

import pytest

from brimful.config import Boundary, Cut, Encoding, TruncationOptions
from hostile import ALPHABETS, LINES, LONGEST_RUN, hostile_texts
from references import naive_truncate

if TYPE_CHECKING:
    from collections.abc import Callable

    from brimful.kernels import CheckedKernels

ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
CUTS: tuple[Cut, ...] = get_args(Cut)
BOUNDARIES: tuple[Boundary, ...] = get_args(Boundary)
# Markers that join a word, a number, white space, symbols, a contraction, a grapheme, or nothing.
MARKERS = ("", "", "…", " [...]", "\n", " ", "x", "A", "l", "1", "'s", "/", "中", "\u0301", "x" * 80)

every_encoding = pytest.mark.parametrize("encoding", ENCODINGS)
every_cut = pytest.mark.parametrize("cut", CUTS)
every_boundary = pytest.mark.parametrize("boundary", BOUNDARIES)


def counter(kernels: CheckedKernels, encoding: Encoding) -> Callable[[str], int]:
    kept: dict[str, int] = {}

    def count(text: str) -> int:
        if text not in kept:
            kept[text] = int(kernels.count_tokens([text], encoding=encoding)[0])
        return kept[text]

    return count


def grapheme_starts(kernels: CheckedKernels, text: str) -> list[int]:
    return [at for at, begins in enumerate(kernels.inspect_text(text)[3]) if begins]


def assert_cut_as_in_the_reference(kernels: CheckedKernels, text: str, budgets: list[int], **options: Any) -> None:
    """Hold what is kept at each budget against the reference, and its tokens against a recount."""
    count, starts = counter(kernels, options["encoding"]), grapheme_starts(kernels, text)
    marker = options["marker"]
    columns = kernels.truncate([text] * len(budgets), budgets, TruncationOptions(**options))

    for budget, head, tail, marked, tokens in zip(budgets, *(column.tolist() for column in columns), strict=True):
        piece = text[:head] + marker * marked + text[tail:]
        chosen = {name: options[name] for name in ("cut", "boundary", "marker")}
        expected = naive_truncate.truncate(text, budget, starts, count_tokens=count, **chosen)
        assert expected == (piece, bool(marked)), (ascii(text), budget, options)
        assert tokens == count(piece) <= budget


def some_budgets(rng: random.Random, whole: int) -> list[int]:
    return sorted({0, whole - 1, *(rng.randrange(whole) for _ in range(2))}) if whole else [0]


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.slow)])
@every_encoding
@every_cut
@every_boundary
def test_hostile_texts_are_cut_as_in_the_reference(
    kernels: CheckedKernels, encoding: Encoding, cut: Cut, boundary: Boundary, count: int
) -> None:
    rng = random.Random(f"{encoding} {cut} {boundary} {count}")
    texts = [text for text in hostile_texts(rng.randrange(2**32), count, runs=False) if is_sound(text)]

    for text in filter(naive_truncate.knows, texts):
        whole = counter(kernels, encoding)(text)
        marker = rng.choice(MARKERS)
        assert_cut_as_in_the_reference(
            kernels, text, some_budgets(rng, whole), encoding=encoding, cut=cut, boundary=boundary, marker=marker
        )


def is_sound(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


@pytest.mark.slow
@every_encoding
@every_cut
def test_long_runs_are_cut_as_in_the_reference(kernels: CheckedKernels, encoding: Encoding, cut: Cut) -> None:
    rng = random.Random(f"runs {encoding} {cut}")
    for alphabet in filter(is_sound, ALPHABETS):
        characters = rng.choice([alphabet, rng.choice(alphabet)])
        text = "".join(rng.choices(characters, k=rng.randint(150, 300))) + rng.choice(["", "a", "A", " b", "1", "\n"])
        if naive_truncate.knows(text):
            whole, marker = counter(kernels, encoding)(text), rng.choice(MARKERS)
            assert_cut_as_in_the_reference(
                kernels, text, [whole // 3, whole - 2], encoding=encoding, cut=cut, boundary="grapheme", marker=marker
            )


@pytest.mark.slow
@every_encoding
@every_cut
def test_prose_and_code_are_cut_as_in_the_reference(kernels: CheckedKernels, encoding: Encoding, cut: Cut) -> None:
    rng = random.Random(f"lines {encoding} {cut}")
    for line in LINES:
        text, boundary = f"{line} {rng.choice(LINES)}", rng.choice(BOUNDARIES)
        whole = counter(kernels, encoding)(text)
        budgets = some_budgets(rng, whole)
        assert_cut_as_in_the_reference(
            kernels, text, budgets, encoding=encoding, cut=cut, boundary=boundary, marker=rng.choice(MARKERS)
        )


@every_encoding
def test_the_longest_piece_often_lies_behind_one_that_is_over(kernels: CheckedKernels, encoding: Encoding) -> None:
    options = TruncationOptions(encoding=encoding, boundary="grapheme")
    count = counter(kernels, encoding)
    behind = 0
    for line in LINES:
        ends = [*grapheme_starts(kernels, line), len(line)][1:]
        budgets = [*range(1, count(line))]
        heads = kernels.truncate([line] * len(budgets), budgets, options).head.tolist()
        for budget, head in zip(budgets, heads, strict=True):
            behind += any(count(line[:end]) > budget for end in ends if end < head)

    assert behind > 25


@pytest.mark.parametrize(
    ("text", "budget", "expected"),
    [
        ("international treaty", 1, "international"),
        ("an international treaty", 2, "an international"),
        ("internationa", 1, "intern"),
        ("a \n\n\n\n b", 2, "a \n\n\n\n"),
    ],
)
def test_a_word_is_kept_though_its_beginning_is_over(
    kernels: CheckedKernels, text: str, budget: int, expected: str
) -> None:
    [head] = kernels.truncate([text], [budget], TruncationOptions(encoding="cl100k_base", boundary="grapheme")).head

    assert text[:head] == expected


def test_a_marker_that_makes_a_text_cheaper_does_not_stand_behind_all_of_it(kernels: CheckedKernels) -> None:
    options = TruncationOptions(encoding="cl100k_base", boundary="grapheme", marker="l")
    assert kernels.count_tokens(["internationa", "international"], encoding="cl100k_base").tolist() == [3, 1]

    kept = kernels.truncate(["internationa"], [1], options)

    assert (kept.head.tolist(), kept.marked.tolist()) == ([len("interna")], [1])


@pytest.mark.slow
@every_encoding
@every_cut
@every_boundary
@pytest.mark.parametrize("character", ["x", " ", "\n", "!", "1", "字", "\u0301"])
def test_a_run_of_ten_thousand_characters_is_cut(
    kernels: CheckedKernels, encoding: Encoding, cut: Cut, boundary: Boundary, character: str
) -> None:
    text = character * LONGEST_RUN

    kept = kernels.truncate([text], [10], TruncationOptions(encoding=encoding, cut=cut, boundary=boundary, marker="…"))

    piece = text[: kept.head[0]] + "…" * int(kept.marked[0]) + text[kept.tail[0] :]
    assert kernels.count_tokens([piece], encoding=encoding).tolist() == kept.tokens.tolist()
    assert bool(piece) == (character != "\u0301")
    assert kept.tokens[0] <= 10
