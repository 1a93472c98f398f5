"""Public bug reports about characters, as small inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import brimful
from brimful import ContextBuilder, Document
from recorded_cases import CASES, every_encoding

if TYPE_CHECKING:
    from brimful.config import Encoding


def test_unicode_09_composed_and_decomposed_forms_are_equal_and_the_first_is_shown_as_it_is() -> None:
    case = CASES["unicode-09"]
    texts = [case["input"]["a"], case["input"]["b"]]
    assert texts[0] != texts[1]

    context = ContextBuilder(200).build(documents=texts)

    assert case["expected"]["kept"] == [citation.items[0] for citation in context.citations]
    assert texts[0] in context.text
    assert brimful.near_duplicates(texts, normalize=True).kept.tolist() == [0]
    assert brimful.near_duplicates(texts).kept.tolist() == [0, 1]


def test_unicode_11_a_leading_byte_order_mark_is_no_content_and_joiners_stay() -> None:
    texts = CASES["unicode-11"]["input"]["texts"]

    context = ContextBuilder(400).build(documents=texts)

    assert [decision.duplicate_of for decision in context.trace] == [None, 0, None, None]
    assert all(texts[shown] in context.text for shown in (0, 2, 3))


@every_encoding
def test_unicode_03_a_lone_surrogate_counts_as_a_replacement_character_and_a_split_pair_as_one(
    encoding: Encoding,
) -> None:
    case = CASES["unicode-03"]
    pair = "pair \\ud83d\\udc4d counts as thumbs-up"

    found = brimful.count_tokens([case["input"]["text"], "ok \ufffd end", "\ud83d\udc4d"], encoding=encoding).tolist()

    assert found == [case["expected"]["count"][encoding]] * 2 + [case["expected"][pair][encoding]]


def test_unicode_03_no_call_refuses_a_lone_surrogate_or_gives_one_back() -> None:
    text = CASES["unicode-03"]["input"]["text"]

    assert brimful.truncate(text, 2, rule="chars_div_4") == "ok \ufffd end"
    assert brimful.near_duplicates([text, "ok \ufffd end"]).duplicate_of.tolist() == [-1, 0]
    assert ContextBuilder(200).build(documents=[text]).text.encode()


@every_encoding
def test_unicode_05_a_nul_is_a_character(encoding: Encoding) -> None:
    case = CASES["unicode-05"]
    text, name = case["input"]["text"], case["input"]["id"]

    assert brimful.count_tokens(text, encoding=encoding) == case["expected"]["count"][encoding]
    assert brimful.near_duplicates([text, "a\0c", "a"]).kept.tolist() == [0, 1, 2]
    context = ContextBuilder(200).build(documents=[Document(text, source=name)])
    assert "a\0b" in context.text


@every_encoding
def test_unicode_07_chinese_counts_by_characters_and_not_as_a_word(encoding: Encoding) -> None:
    case = CASES["unicode-07"]
    text = case["input"]["text"]

    assert brimful.count_tokens(text, encoding=encoding) == case["expected"]["exact_count"][encoding]
    assert brimful.estimate_tokens(text) >= 16


def test_unicode_07_chinese_is_kept_cut_and_compared_by_characters() -> None:
    case = CASES["unicode-07"]["input"]
    text, budget = case["text"], case["budget"]
    variant = text.replace("固定", "既定")

    assert ContextBuilder(200, min_tokens=case["min_tokens"]).build(documents=[text]).citations
    piece = brimful.truncate(text, budget, rule="script")
    assert text.startswith(piece)
    assert 0 < brimful.estimate_tokens(piece) <= budget
    assert 0 < brimful.near_duplicates([text, variant], threshold=0.1, shingles="auto").similarity[1] < 1


@every_encoding
def test_unicode_09_texts_are_counted_as_given_and_not_normalized(encoding: Encoding) -> None:
    expected = CASES["unicode-09"]["expected"]["count_note"]

    found = brimful.count_tokens(["caf\u00e9 society", "cafe\u0301 society"], encoding=encoding).tolist()

    assert [counts[encoding] for counts in expected.values()] == found


@every_encoding
def test_unicode_01_a_character_of_several_tokens_is_kept_whole_or_not_at_all(encoding: Encoding) -> None:
    case = CASES["unicode-01"]

    for budget, expected in case["expected"][encoding].items():
        assert brimful.truncate(case["input"]["text"], int(budget), encoding=encoding) == expected
