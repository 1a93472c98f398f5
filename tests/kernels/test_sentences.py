"""sentence_ends: each back end against the definition, which looks at every grapheme of the whole text."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful import InputError
from references import naive_truncate
from strategies import SPACES, WORDS

if TYPE_CHECKING:
    from brimful.kernels import CheckedKernels

# The letter U+10D50 is of Unicode 16.0: the reference may not know it.
known = [word for word in WORDS if word != "\U00010d50"]
stops = (". ", "?! ", '." ', ".) ", "。", "！", "…", "." * 3, ".\u0301", "\u0600", "\u200d")
pieces = st.sampled_from((*known, *SPACES, *stops, *stops, " ", " "))
prose = st.lists(pieces, max_size=30).map("".join)


def ends_of(kernels: CheckedKernels, text: str) -> list[int]:
    counts, ends = kernels.sentence_ends([text])
    assert counts.tolist() == [len(ends)]
    return ends.tolist()  # type: ignore[no-any-return]


def naive_ends(kernels: CheckedKernels, text: str) -> list[int]:
    starts = [at for at, begins in enumerate(kernels.inspect_text(text)[3]) if begins]
    ends, _ = naive_truncate.allowed(text, [*starts, len(text)], "sentence")
    return sorted({*(end for end in ends if end), *([len(text)] if text else [])})


@given(text=prose)
def test_sentences_end_as_defined(kernels: CheckedKernels, text: str) -> None:
    assert ends_of(kernels, text) == naive_ends(kernels, text)


@given(texts=st.lists(prose, max_size=6))
def test_a_batch_has_the_ends_of_each_text(kernels: CheckedKernels, texts: list[str]) -> None:
    counts, ends = kernels.sentence_ends(texts)
    bounds = [0, *counts.cumsum().tolist()]

    assert len(counts) == len(texts)
    assert [ends[start:end].tolist() for start, end in pairwise(bounds)] == [ends_of(kernels, text) for text in texts]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("", []),
        (" ", [1]),
        ("One. Two! Three", [4, 9, 15]),
        ("One.  \n Two.", [4, 12]),
        ('"Is it?" Yes.', [8, 13]),
        ("3.5 and 5.3", [11]),
        ("东西。南北！", [3, 6]),
        ("e.g. this", [4, 9]),
        ("👩\u200d👧. Ja.", [4, 8]),
    ],
)
def test_examples(kernels: CheckedKernels, text: str, ends: list[int]) -> None:
    assert ends_of(kernels, text) == ends


def test_long_texts_are_read_in_stretches(kernels: CheckedKernels) -> None:
    sentence = "Water is wet, 東京。之 so on. "
    text = sentence * 5_000
    ends = ends_of(kernels, text)

    assert len(ends) == 10_001
    assert ends[0] == text.index("。") + 1
    assert ends[-3:] == [len(text) - len(sentence) + ends[0], len(text) - 1, len(text)]


def test_what_is_no_text_is_refused(kernels: CheckedKernels) -> None:
    with pytest.raises(InputError, match=r"texts\[1\] must be a str, got None"):
        kernels.sentence_ends(["a", None])  # type: ignore[list-item]
