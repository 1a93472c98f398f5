"""What cannot be used is refused in one line that names the argument, the index and the value."""

from __future__ import annotations

import copy
import pickle
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import brimful
from brimful import BudgetError, ConfigError, ContextBuilder, Document, InputError, NearDuplicateOptions

if TYPE_CHECKING:
    from collections.abc import Callable

NAN, INFINITY = float("nan"), float("inf")

TEXTS: list[tuple[Any, str]] = [
    ("text", "texts must be str in an order, got 'text'\nhint: pass `[text]`"),
    (b"text", "texts must be str in an order, got b'text'"),
    (None, "texts must be str in an order, got None"),
    (3, "texts must be str in an order, got 3"),
    ({"a": 1}, "texts must be str in an order, got {'a': 1}"),
    ({"a"}, "texts must be str in an order, got {'a'}"),
    (np.array("a"), "texts must be str in an order, got array('a', dtype='<U1')"),
    (["a", None], "texts[1] must be a str, got None"),
    (["a", "b", 3.5], "texts[2] must be a str, got 3.5"),
    ([b"a"], "texts[0] must be a str, got b'a'"),
    ([["a"]], "texts[0] must be a str, got ['a']"),
]


@pytest.mark.parametrize(("texts", "message"), TEXTS)
def test_texts_of_near_duplicates(texts: object, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        brimful.near_duplicates(texts)  # type: ignore[arg-type]

    assert message == str(refusal.value)


@pytest.mark.parametrize(("texts", "message"), TEXTS[1:])
def test_texts_of_estimate_tokens(texts: object, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        brimful.estimate_tokens(texts)  # type: ignore[call-overload]

    assert message == str(refusal.value)


@pytest.mark.parametrize(("texts", "message"), TEXTS[1:])
def test_texts_of_count_tokens(texts: object, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        brimful.count_tokens(texts)  # type: ignore[call-overload]

    assert message == str(refusal.value)


@pytest.mark.parametrize("encoding", ["gpt-4o", "p50k_base", "CL100K_BASE", "", None, 3, ["o200k_base"]])
def test_an_unknown_encoding_is_refused_with_the_known_ones(encoding: Any) -> None:
    with pytest.raises(ConfigError) as refusal:
        brimful.count_tokens("text", encoding=encoding)

    assert str(refusal.value) == f"encoding must be one of `cl100k_base`, `o200k_base`, got {encoding!r}"


OPTIONS: list[tuple[str, Any, str]] = [
    ("shingle_size", 0, "shingle_size must be a whole number from 1 to 32, got 0"),
    ("shingle_size", 33, "shingle_size must be a whole number from 1 to 32, got 33"),
    ("shingle_size", 2.0, "shingle_size must be a whole number from 1 to 32, got 2.0"),
    ("shingle_size", True, "shingle_size must be a whole number from 1 to 32, got True"),
    ("threshold", NAN, "threshold must be a finite number, got nan"),
    ("threshold", "0.5", "threshold must be a finite number, got '0.5'"),
    ("threshold", None, "threshold must be a finite number, got None"),
    ("threshold", 10**400, f"threshold must be a finite number, got 1{'0' * 57}..."),
    ("threshold", 10**5_000, "threshold must be a finite number, got a int that cannot be shown"),
    ("containment", INFINITY, "containment must be a finite number, got inf"),
    ("words", "bytes", "words must be one of `whitespace`, `alphanumeric`, got 'bytes'"),
    ("words", None, "words must be one of `whitespace`, `alphanumeric`, got None"),
    ("shingles", ["words"], "shingles must be one of `words`, `auto`, got ['words']"),
    ("normalize", 1, "normalize must be True or False, got 1"),
    ("distinguish_facts", "yes", "distinguish_facts must be True or False, got 'yes'"),
]


@pytest.mark.parametrize(
    ("name", "value", "message"), OPTIONS, ids=[f"{name}-{at}" for at, (name, *_) in enumerate(OPTIONS)]
)
def test_options_of_near_duplicates(name: str, value: object, message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        brimful.near_duplicates(["a"], **{name: value})  # type: ignore[arg-type]

    assert message == str(refusal.value)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1.0], "scores must be 2 numbers"),
        ([0.5, NAN], "scores[1] must be a finite number, got nan"),
        ([None, 0.5], "scores[0] must be a finite number, got None"),
    ],
)
def test_scores_of_near_duplicates(scores: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        brimful.near_duplicates(["a", "b"], scores=scores)

    assert message in str(refusal.value)


BUILDERS: list[tuple[dict[str, Any], str]] = [
    ({"max_tokens": -1}, "max_tokens must be a whole number from 0 to 9,007,199,254,740,992, got -1"),
    ({"max_tokens": 10**30}, f"max_tokens must be a whole number from 0 to 9,007,199,254,740,992, got {10**30}"),
    ({"max_tokens": "4000"}, "max_tokens must be a whole number from 0 to 9,007,199,254,740,992, got '4000'"),
    ({"max_tokens": None}, "max_tokens must be a whole number from 0 to 9,007,199,254,740,992, got None"),
    ({"max_tokens": 9, "min_score": NAN}, "min_score must be a finite number, got nan"),
    ({"max_tokens": 9, "min_tokens": -1}, "min_tokens must be a whole number from 0 to 9,007,199,254,740,992, got -1"),
    ({"max_tokens": 9, "order": "random"}, "order must be one of `edges`, `score`, `input`, got 'random'"),
    ({"max_tokens": 9, "near_duplicates": True}, "near_duplicates must be NearDuplicateOptions or None, got True"),
]


@pytest.mark.parametrize(("options", "message"), BUILDERS, ids=[message.partition(",")[0] for _, message in BUILDERS])
def test_options_of_the_builder(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        ContextBuilder(**options)

    assert message == str(refusal.value)


DOCUMENTS: list[tuple[Any, str]] = [
    ("text", "documents must be documents in an order, got 'text'\nhint: pass `[document]`"),
    (7, "documents must be documents in an order, got 7"),
    ([None], "documents[0] must be a Document, a str or a mapping, got None"),
    (["a", b"b"], "documents[1] must be a Document, a str or a mapping, got b'b'"),
    ([{"text": None}], "documents[0].text must be a str, got None"),
    ([{}], "documents[0].text is missing, got {}"),
    (["a", {"text": "b", "score": NAN}], "documents[1].score must be a finite number or None, got nan"),
    ([{"text": "b", "score": "0.9"}], "documents[0].score must be a finite number or None, got '0.9'"),
    ([{"text": "b", "score": True}], "documents[0].score must be a finite number or None, got True"),
    ([{"text": "b", "source": 3}], "documents[0].source must be a str or None, got 3"),
    ([{"text": "b", "metadata": ""}], "documents[0].metadata must be a mapping, got ''"),
    ({"a"}, "documents must be documents in an order, got {'a'}"),
    ([{"text": "b", "metadata": 3}], "documents[0].metadata must be a mapping, got 3"),
    (
        [{"text": "b", "scores": 1}],
        "documents[0].'scores' is not a field of a document, which are text, id, source, score, metadata",
    ),
]


@pytest.mark.parametrize(("documents", "message"), DOCUMENTS)
def test_documents_of_the_builder(documents: object, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        ContextBuilder(100).build(documents=documents)  # type: ignore[arg-type]

    assert message == str(refusal.value)


@pytest.mark.parametrize("query", [3, b"q", ["q"]])
def test_queries_of_the_builder(query: object) -> None:
    with pytest.raises(InputError, match="query must be a str or None, got"):
        ContextBuilder(100).build(query=query)  # type: ignore[arg-type]


def test_an_unknown_rule() -> None:
    with pytest.raises(ConfigError, match=r"rule must be one of `words_div_4`, .*, got 'exact'"):
        brimful.estimate_tokens("a", rule="exact")  # type: ignore[call-overload]


def test_a_shown_value_stays_on_one_short_line() -> None:
    with pytest.raises(InputError) as refusal:
        brimful.near_duplicates([["x" * 10_000]])  # type: ignore[list-item]

    assert len(str(refusal.value)) < 120


@pytest.mark.parametrize("number", [np.float32(0.5), np.float64(0.5), np.int64(1), 1])
def test_numbers_of_numpy_are_numbers(number: float) -> None:
    assert Document("a", score=number).score == float(number)
    assert ContextBuilder(np.int64(9)).max_tokens == 9  # type: ignore[arg-type]
    assert NearDuplicateOptions(threshold=number).threshold == float(number)


def test_lone_surrogates_are_repaired_and_named() -> None:
    found = brimful.near_duplicates(["\ud83d\ude00", "😀", "a\ud800", "a\ufffd", "b\ufeff"])

    assert found.duplicate_of.tolist() == [-1, 0, -1, 2, -1]
    assert found.repaired.tolist() == [0, 2]


def pickle_round_trip(protocol: int, value: object) -> object:
    return pickle.loads(pickle.dumps(value, protocol))  # noqa: S301 - our own bytes


ROUND_TRIPS: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy]
ROUND_TRIPS += [partial(pickle_round_trip, protocol) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]


@pytest.mark.parametrize("round_trip", ROUND_TRIPS)
def test_values_and_errors_survive_copies_and_pickles(round_trip: Callable[[Any], Any]) -> None:
    values = [
        Document("a", metadata={"k": [1]}),
        NearDuplicateOptions(threshold=0.5),
        brimful.near_duplicates(["a", "a"]),
    ]
    for value in values:
        again = round_trip(value)
        assert (value, repr(value)) == (again, repr(again))

    error = round_trip(BudgetError("too small", needed=3, available=2))
    assert (str(error), error.needed, error.available) == ("too small", 3, 2)


def test_metadata_is_copied_once_and_read_only() -> None:
    given = {"k": 1}
    document = Document("a", metadata=given)
    given["k"] = 2

    assert document.metadata == {"k": 1}
    with pytest.raises(TypeError):
        document.metadata["k"] = 3  # type: ignore[index]


def test_results_are_read_only() -> None:
    found = brimful.near_duplicates(["a", "a"])

    for column in (found.kept, found.duplicate_of, found.similarity, found.repaired):
        assert not column.flags.writeable
