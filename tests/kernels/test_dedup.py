"""near_duplicates: each back end against the plainest reference, and against the statements of the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brimful import NearDuplicateOptions
from references import naive_dedup
from strategies import options, texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.kernels import CheckedKernels


def judge(kernels: CheckedKernels, given_texts: Sequence[str], **changes: object) -> tuple[list[int], list[float]]:
    chosen = NearDuplicateOptions(**changes)  # type: ignore[arg-type]
    found = kernels.near_duplicates(given_texts, chosen)
    return found.duplicate_of.tolist(), found.similarity.tolist()


def numbered(first: int, last: int) -> str:
    return " ".join(f"w{number}" for number in range(first, last + 1))


@given(texts=texts, options=options)
@example(texts=["", " ", "\x1c"], options=NearDuplicateOptions())
@example(texts=["a b a b a b", "a b"], options=NearDuplicateOptions(shingle_size=1, threshold=1.0))
def test_verdicts_and_similarities_are_those_of_the_definition(
    kernels: CheckedKernels, texts: list[str], options: NearDuplicateOptions
) -> None:
    found = kernels.near_duplicates(texts, options)
    expected = naive_dedup.near_duplicates(texts, options)

    assert expected == (found.duplicate_of.tolist(), found.similarity.tolist())


@given(
    numbers=st.lists(st.integers(0, 3), max_size=40),
    size=st.integers(1, 32),
    thousandths=st.tuples(st.integers(-1, 1001), st.none() | st.integers(-1, 1001)),
    facts=st.booleans(),
)
def test_every_shingle_size_and_thousandth_is_met_as_the_division_meets_it(
    kernels: CheckedKernels, numbers: list[int], size: int, thousandths: tuple[int, int | None], *, facts: bool
) -> None:
    words = [f"{'Ww'[number % 2]}{number}" for number in numbers]
    windows = [" ".join(words[start : start + length]) for start, length in ((0, 40), (0, 35), (2, 34), (5, 9), (0, 3))]
    options = NearDuplicateOptions(
        shingle_size=size,
        threshold=thousandths[0] / 1000,
        containment=None if thousandths[1] is None else thousandths[1] / 1000,
        distinguish_facts=facts,
    )

    found = kernels.near_duplicates(windows, options)

    assert naive_dedup.near_duplicates(windows, options) == (found.duplicate_of.tolist(), found.similarity.tolist())


@given(texts=texts, options=options, data=st.data())
def test_scores_are_the_priority_and_ties_go_to_the_earlier_text(
    kernels: CheckedKernels, texts: list[str], options: NearDuplicateOptions, data: st.DataObject
) -> None:
    scores = data.draw(st.lists(st.sampled_from([-1.5, -0.0, 0.0, 2.0]), min_size=len(texts), max_size=len(texts)))
    line = sorted(range(len(texts)), key=lambda index: -scores[index])
    origins, similarities = naive_dedup.near_duplicates([texts[index] for index in line], options)

    found = kernels.near_duplicates(texts, options, scores)

    assert [found.duplicate_of.tolist()[index] for index in line] == [-1 if at < 0 else line[at] for at in origins]
    assert [found.similarity.tolist()[index] for index in line] == similarities


@given(texts=texts, options=options)
def test_removing_repeats_twice_removes_nothing_more(
    kernels: CheckedKernels, texts: list[str], options: NearDuplicateOptions
) -> None:
    origins = kernels.near_duplicates(texts, options).duplicate_of
    kept = [text for text, origin in zip(texts, origins, strict=True) if origin < 0]

    again = kernels.near_duplicates(kept, options).duplicate_of

    assert [-1] * len(kept) == again.tolist()


@given(texts=texts, options=options)
def test_a_text_repeats_kept_texts_only_and_earlier_ones_only(
    kernels: CheckedKernels, texts: list[str], options: NearDuplicateOptions
) -> None:
    origins = kernels.near_duplicates(texts, options).duplicate_of.tolist()

    assert all(origin < position for position, origin in enumerate(origins))
    assert all(origins[origin] == -1 for origin in origins if origin >= 0)


@pytest.mark.parametrize("words", [0, 1, 4, 5, 6])
def test_texts_of_any_length_around_the_shingle_size_repeat_themselves(kernels: CheckedKernels, words: int) -> None:
    text = numbered(1, words)

    assert judge(kernels, [text, text.upper()], threshold=1.0) == ([-1, 0], [0.0, 1.0])


def test_a_threshold_is_met_when_it_is_met_exactly(kernels: CheckedKernels) -> None:
    # 20 words have 16 shingles, all of them among the 20 of 24 words.
    both = [numbered(1, 24), numbered(1, 20)]

    assert judge(kernels, both, threshold=0.8) == ([-1, 0], [0.0, 0.8])
    assert judge(kernels, both, threshold=0.8000000000000002) == ([-1, -1], [0.0, 0.0])


@pytest.mark.parametrize("threshold", [0, 0.0, -1e300])
def test_at_a_threshold_of_zero_or_less_every_text_repeats_the_first(kernels: CheckedKernels, threshold: float) -> None:
    assert judge(kernels, ["a", "b", ""], threshold=threshold) == ([-1, 0, 0], [0.0, 0.0, 0.0])


def test_above_a_threshold_of_one_nothing_repeats(kernels: CheckedKernels) -> None:
    assert judge(kernels, ["a", "a"], threshold=1.0000000000000002) == ([-1, -1], [0.0, 0.0])


def test_containment_is_the_share_of_the_later_text_and_decides_where_jaccard_does_not(kernels: CheckedKernels) -> None:
    whole, part = numbered(1, 44), numbered(11, 24)

    assert judge(kernels, [whole, part], containment=1.0) == ([-1, 0], [0.0, 1.0])
    assert judge(kernels, [part, whole], containment=1.0) == ([-1, -1], [0.0, 0.0])


def test_the_similarity_is_the_jaccard_where_that_decides(kernels: CheckedKernels) -> None:
    assert judge(kernels, [numbered(1, 24), numbered(1, 20)], threshold=0.5, containment=0.5)[1] == [0.0, 0.8]


def test_final_sigma_is_sigma(kernels: CheckedKernels) -> None:
    assert judge(kernels, ["οδος", "ΟΔΟΣ", "οδοσ"])[0] == [-1, 0, 0]


def test_words_are_parted_by_what_str_split_takes_for_white_space_and_nothing_else(kernels: CheckedKernels) -> None:
    apart = [separator.join("abcdef") for separator in (" ", "\x1c", "\x85", "\u3000", "\u200b", "\ufeff")]

    assert judge(kernels, apart)[0] == [-1, 0, 0, 0, -1, -1]


def test_punctuation_counts_between_white_space_and_not_among_alphanumeric_words(kernels: CheckedKernels) -> None:
    both = ["one two three four five", "one, two: three (four) five."]

    assert judge(kernels, both)[0] == [-1, -1]
    assert judge(kernels, both, words="alphanumeric")[0] == [-1, 0]


def test_texts_without_spaces_are_compared_by_characters_when_asked(kernels: CheckedKernels) -> None:
    both = ["東京は日本の首都であり、人口は多い。", "東京は日本の首都であり、人口は多い"]

    assert judge(kernels, both, threshold=0.8)[0] == [-1, -1]
    assert judge(kernels, both, threshold=0.8, shingles="auto")[0] == [-1, 0]


@pytest.mark.parametrize("symbols", ["⼄⼃⺀", "㈀㈎", "㋐㋑", "၊။", "៚៙", "๏๚"])
def test_symbols_of_scripts_without_spaces_are_no_letters(kernels: CheckedKernels, symbols: str) -> None:
    both = [f"{symbols} a b", f"{symbols} ab"]

    assert judge(kernels, both, shingles="auto")[0] == [-1, -1]


def test_a_character_shingle_never_equals_a_word_shingle(kernels: CheckedKernels) -> None:
    # Both texts give one shingle that reads 東京東京東; one is a window of characters, the other of one word.
    assert judge(kernels, ["東京東京東", "東京東京東 abcdefgh"], shingle_size=1, threshold=0.1, shingles="auto")[0] == [
        -1,
        -1,
    ]


def test_facts_keep_texts_apart_only_when_each_has_one_that_the_other_lacks(kernels: CheckedKernels) -> None:
    price = "the price of one share rose to {} dollars on that day in {}"
    told = [price.format(12, "Paris"), price.format(13, "Paris"), price.format(12, "paris"), "The price"]

    assert judge(kernels, told, threshold=0.2, distinguish_facts=True)[0] == [-1, -1, 0, -1]
    assert judge(kernels, told[:2], threshold=0.2)[0] == [-1, 0]


def test_a_number_keeps_its_decimal_sign(kernels: CheckedKernels) -> None:
    assert judge(kernels, ["at 3.5 volts", "at 5.3 volts"], threshold=0.0, distinguish_facts=True)[0] == [-1, -1]
    assert judge(kernels, ["at 3,5 volts", "at 3,5, volts."], threshold=0.0, distinguish_facts=True)[0] == [-1, 0]
