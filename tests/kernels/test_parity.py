"""Both back ends give the same bytes, and fail in the same words."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful import NearDuplicateOptions
from brimful.config import AdditiveRule, Boundary, Cut, Encoding, EstimateRule, SelectionOptions, TruncationOptions
from brimful.errors import BrimfulError
from brimful.kernels.similarities import tfidf_similarities
from hostile import hostile_texts
from strategies import WORDS, options, texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from brimful.kernels import CheckedKernels

    Both = tuple[CheckedKernels, CheckedKernels]


any_texts = st.one_of(
    texts, st.lists(st.text(st.one_of(st.characters(), st.just("\U00010d50")), max_size=20), max_size=5)
)


@given(texts=any_texts, options=options)
def test_near_duplicates_are_equal_to_the_last_bit(both: Both, texts: list[str], options: NearDuplicateOptions) -> None:
    rust, python = (back_end.near_duplicates(texts, options) for back_end in both)

    assert rust.duplicate_of.tobytes() == python.duplicate_of.tobytes()
    assert rust.similarity.tobytes() == python.similarity.tobytes()


@given(texts=any_texts, rule=st.sampled_from(get_args(EstimateRule)))
def test_estimates_are_equal(both: Both, texts: list[str], rule: EstimateRule) -> None:
    rust, python = (back_end.estimate_tokens(texts, rule=rule) for back_end in both)

    assert rust.tolist() == python.tolist()


@given(texts=any_texts, encoding=st.sampled_from(get_args(Encoding)))
def test_counts_are_equal(both: Both, texts: list[str], encoding: Encoding) -> None:
    rust, python = (back_end.count_tokens(texts, encoding=encoding) for back_end in both)

    assert rust.tolist() == python.tolist()


@pytest.mark.parametrize("encoding", get_args(Encoding))
def test_counts_of_hostile_texts_are_equal(both: Both, encoding: Encoding) -> None:
    texts = [*hostile_texts(11, 2_000)]

    rust, python = (back_end.count_tokens(texts, encoding=encoding) for back_end in both)

    assert rust.tolist() == python.tolist()


@given(texts=any_texts)
def test_sentences_are_equal(both: Both, texts: list[str]) -> None:
    rust, python = (back_end.sentence_ends(texts) for back_end in both)

    assert [column.tolist() for column in rust] == [column.tolist() for column in python]


@given(texts=any_texts, rule=st.sampled_from(get_args(AdditiveRule)))
def test_weights_are_equal_and_round_up_to_the_estimates(both: Both, texts: list[str], rule: AdditiveRule) -> None:
    rust, python = (back_end.weigh_tokens(texts, rule=rule).tolist() for back_end in both)

    assert rust == python
    assert [-(-weight // 1024) for weight in rust] == both[0].estimate_tokens(texts, rule=rule).tolist()


@given(texts=any_texts, query=st.text(max_size=12), include_query=st.booleans())
def test_scores_are_equal_to_the_last_bit(both: Both, texts: list[str], query: str, *, include_query: bool) -> None:
    rust, python = both

    found = [back_end.tfidf_scores(query, texts, include_query=include_query).tobytes() for back_end in both]
    assert found[0] == found[1]
    assert rust.bm25_scores(query, texts).tobytes() == python.bm25_scores(query, texts).tobytes()


@given(texts=any_texts, query=st.one_of(st.none(), st.text(max_size=12)), include_query=st.booleans())
def test_similarities_are_equal_to_the_last_bit(
    both: Both, texts: list[str], query: str | None, *, include_query: bool
) -> None:
    rust, python = (tfidf_similarities(back_end, query, texts, include_query=include_query) for back_end in both)

    assert rust.scores.tobytes() == python.scores.tobytes()
    assert rust.pairwise.tobytes() == python.pairwise.tobytes()


@given(texts=any_texts, query=st.one_of(st.none(), st.text(max_size=12)), data=st.data())
def test_selections_of_texts_are_equal_to_the_last_bit(
    both: Both, texts: list[str], query: str | None, data: st.DataObject
) -> None:
    options = SelectionOptions(mmr_lambda=data.draw(st.sampled_from([0.0, 0.5, 0.9, 1.0])))
    relevance = [float(len(text) % 3) for text in texts]

    rust, python = (back_end.mmr_select(query, texts, options, relevance=relevance) for back_end in both)

    assert rust.indices.tobytes() == python.indices.tobytes()
    assert rust.scores.tobytes() == python.scores.tobytes()


@given(texts=any_texts, budget=st.integers(0, 12), data=st.data())
def test_truncations_are_equal(both: Both, texts: list[str], budget: int, data: st.DataObject) -> None:
    by = data.draw(st.sampled_from([*get_args(EstimateRule), *get_args(Encoding)]))
    options = TruncationOptions(
        rule=by if by in get_args(EstimateRule) else None,
        encoding=by if by in get_args(Encoding) else None,
        cut=data.draw(st.sampled_from(get_args(Cut))),
        boundary=data.draw(st.sampled_from(get_args(Boundary))),
        marker=data.draw(st.sampled_from(["", "...", "\u0301", "l"])),
    )

    rust, python = (back_end.truncate(texts, [budget] * len(texts), options) for back_end in both)

    assert [column.tolist() for column in rust] == [column.tolist() for column in python]


@pytest.mark.slow
@pytest.mark.parametrize("encoding", get_args(Encoding))
@pytest.mark.parametrize("cut", get_args(Cut))
def test_exact_truncations_of_hostile_texts_are_equal(both: Both, encoding: Encoding, cut: Cut) -> None:
    texts = [*hostile_texts(13, 400, runs=False)]
    budgets = [len(text) // 4 for text in texts]

    for boundary, marker in product(get_args(Boundary), ("", "l", " ...")):
        options = TruncationOptions(encoding=encoding, cut=cut, boundary=boundary, marker=marker)
        rust, python = (back_end.truncate(texts, budgets, options) for back_end in both)
        assert [column.tolist() for column in rust] == [column.tolist() for column in python]


@given(text=st.text(max_size=60))
def test_text_rules_are_equal(both: Both, text: str) -> None:
    rust, python = (back_end.inspect_text(text) for back_end in both)

    assert rust == python


@pytest.mark.slow
def test_text_rules_are_equal_for_every_code_point(both: Both) -> None:
    every = "".join(chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000)
    rust, python = (back_end.inspect_text(every) for back_end in both)

    assert rust == python


@pytest.mark.slow
def test_near_duplicates_are_equal_in_a_corpus_large_enough_for_threads(both: Both) -> None:
    rng = random.Random(7)
    corpus = [" ".join(rng.choices(WORDS, k=rng.randrange(40))) for _ in range(3_000)]
    chosen = NearDuplicateOptions(threshold=0.3, containment=0.5, shingle_size=2, shingles="auto", normalize=True)

    rust, python = (back_end.near_duplicates(corpus, chosen) for back_end in both)

    assert rust == python


BAD_CALLS: dict[str, Callable[[CheckedKernels], object]] = {
    "bare str": lambda kernels: kernels.near_duplicates("text", NearDuplicateOptions()),
    "bytes": lambda kernels: kernels.estimate_tokens([b"a"]),  # type: ignore[list-item]
    "None among texts": lambda kernels: kernels.near_duplicates(["a", None], NearDuplicateOptions()),  # type: ignore[list-item]
    "a number among texts": lambda kernels: kernels.estimate_tokens(["a", "b", 3]),  # type: ignore[list-item]
    "None": lambda kernels: kernels.estimate_tokens(None),  # type: ignore[arg-type]
    "unknown rule": lambda kernels: kernels.estimate_tokens(["a"], rule="exact"),  # type: ignore[arg-type]
    "a rule that does not add up": lambda kernels: kernels.weigh_tokens(["a"], rule="chars_div_4"),  # type: ignore[arg-type]
    "bytes to inspect": lambda kernels: kernels.inspect_text(b"a"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("case", BAD_CALLS)
def test_bad_input_is_refused_in_the_same_words(both: Both, case: str) -> None:
    refusals = []
    for back_end in both:
        with pytest.raises(BrimfulError) as refusal:
            BAD_CALLS[case](back_end)
        refusals.append((refusal.type, str(refusal.value)))

    assert refusals[0] == refusals[1]
