"""Every recorded case of the documents builder: 163 of them, on the back end of this run.

Cases of private functions are asserted on what replaces them here:

| recorded | asserted on |
|---|---|
| `_count_tokens` | `RuleCounter("words_times_1_3")` |
| `int(remaining/1.3)` | the words that a cut document keeps |
| `_shingles` | `near_duplicates`: the text repeats the shingles in a row, and no text that lacks one of them |
| `_content_hash` | `find_exact_repeats`: texts repeat each other exactly when their hashes are equal |
| `_jaccard` | `near_duplicates` of texts with these shingles; an empty set cannot come about, a text has a shingle |
| `utilization_pct` | the property of `ContextResult` |
"""

from __future__ import annotations

import hashlib
import re
from itertools import combinations
from typing import Any

import pytest

from brimful import ConfigError, InputError, near_duplicates
from brimful.builders.documents import ContextManager, ContextResult, Document, Message, PromptRequest
from brimful.stages.counting import RuleCounter
from brimful.stages.dedup import find_exact_repeats
from seeds.recorded import load

CASES = load("documents")


def of(method: str) -> dict[str, dict[str, Any]]:
    return {name: case for name, case in CASES.items() if case["method"] == method}


BUILDS, MEMORIES = of("build"), of("format_memory")


def build(case: dict[str, Any]) -> tuple[ContextResult, list[Document]]:
    documents = [Document(**fields) for fields in case["input"]["documents"]]
    request = PromptRequest("", documents, max_context_tokens=case["input"]["max_context_tokens"])
    return ContextManager(**case["ctor"]).build(request), documents


def report(result: ContextResult, documents: list[Document]) -> dict[str, Any]:
    """A result as it was recorded: documents by their index, a copy has none."""
    indices = {id(document): index for index, document in enumerate(documents)}
    return {
        "context_block": result.context_block,
        "included": [
            {
                "input_index": indices.get(id(document)),
                **{name: getattr(document, name) for name in ("content", "source", "score", "metadata")},
                "chunk_id": document.chunk_id,
                "language": document.language,
            }
            for document in result.included_docs
        ],
        "excluded_input_indexes": [indices[id(document)] for document in result.excluded_docs],
        "citation_map": {str(number): source for number, source in result.citation_map.items()},
        "tokens_used": result.tokens_used,
        "tokens_budget": result.tokens_budget,
        "duplicates_removed": result.duplicates_removed,
        "truncated": result.truncated,
        "utilization_pct": result.utilization_pct,
    }


def test_nothing_is_left_out() -> None:
    methods = {"build", "format_memory", "_count_tokens", "int(remaining/1.3)", "_shingles", "_content_hash"}

    assert len(CASES) == 163
    assert {case["method"] for case in CASES.values()} == methods | {"_jaccard", "utilization_pct"}


# The first score that is not finite is named (D6); a content that is no text would have been an AttributeError.
REFUSED = {
    "score_label_16": "documents[0].score must be a finite number, got inf",
    "score_label_17": "documents[0].score must be a finite number, got -inf",
    "score_nan_single": "documents[0].score must be a finite number, got nan",
    "score_nan_mixed_order": "documents[1].score must be a finite number, got nan",
    "score_nan_first": "documents[0].score must be a finite number, got nan",
    "score_nan_many": "documents[1].score must be a finite number, got nan",
    "score_inf_mixed": "documents[0].score must be a finite number, got -inf",
    "score_none_raises": "documents[1].score must be a finite number, got None",
    "score_none_single_raises": "documents[0].score must be a finite number, got None",
    "content_none_raises": "documents[0].content must be a str, got None",
}
KEPT_FIELDS = {"partial_remaining_51_yes": {"chunk_id": "c1", "language": "ar"}}
"""D5: a copy has them too."""

CHARGED = {"partial_then_small_fits": 1, "partial_multiple": 1, "partial_second_doc": 2}
"""D4: the copy takes the rest of the budget, so nothing follows it; so many documents are shown."""


@pytest.mark.parametrize("name", sorted(BUILDS.keys() - REFUSED.keys() - CHARGED.keys()))
def test_build(name: str) -> None:
    expected = BUILDS[name]["expected"]
    for document in expected["included"]:
        document.update(KEPT_FIELDS.get(name, {}) if document["input_index"] is None else {})

    assert report(*build(BUILDS[name])) == expected


@pytest.mark.parametrize("name", REFUSED)
def test_build_refuses_by_d6_what_has_no_place_in_an_order(name: str) -> None:
    with pytest.raises(InputError) as refusal:
        build(BUILDS[name])

    assert str(refusal.value) == REFUSED[name]


@pytest.mark.parametrize("name", CHARGED)
def test_build_charges_a_cut_document_by_d4(name: str) -> None:
    recorded, shown = BUILDS[name]["expected"], CHARGED[name]
    result, documents = build(BUILDS[name])

    assert recorded["tokens_used"] > result.tokens_budget + 20
    assert result.context_block == "\n\n".join(recorded["context_block"].split("\n\n")[:shown])
    assert report(result, documents)["included"] == recorded["included"][:shown]
    assert result.excluded_docs == documents[shown - 1 :]
    assert result.truncated


REFUSED_MEMORIES = {
    "mem_max_negative": (
        ConfigError,  # D6
        "max_turns must be a whole number from 0 to 9,007,199,254,740,992, got -1",
    ),
    "mem_content_none_raises": (InputError, "memory[0].content must be a str, got None"),
}


def format_memory(case: dict[str, Any]) -> str:
    memory = [Message(**fields) for fields in case["input"]["memory"]]
    return ContextManager(**case["ctor"]).format_memory(memory, case["input"]["max_turns"])


@pytest.mark.parametrize("name", sorted(MEMORIES.keys() - REFUSED_MEMORIES.keys()))
def test_format_memory(name: str) -> None:
    assert format_memory(MEMORIES[name]) == MEMORIES[name]["expected"]


@pytest.mark.parametrize("name", REFUSED_MEMORIES)
def test_format_memory_refuses(name: str) -> None:
    error, message = REFUSED_MEMORIES[name]
    with pytest.raises(error) as refusal:
        format_memory(MEMORIES[name])

    assert str(refusal.value) == message


@pytest.mark.parametrize("case", of("_count_tokens").values(), ids=lambda case: case["id"])
def test_count_tokens(case: dict[str, Any]) -> None:
    text = " ".join(["word"] * case["input"]["words"])

    assert RuleCounter("words_times_1_3").count([text]) == [case["expected"]]


@pytest.mark.parametrize("case", of("int(remaining/1.3)").values(), ids=lambda case: case["id"])
def test_words_of_a_cut_document(case: dict[str, Any]) -> None:
    remaining, words = case["input"], [f"w{number}" for number in range(1_100)]
    request = PromptRequest("", [Document(" ".join(words))], max_context_tokens=remaining)
    result = ContextManager().build(request)

    if remaining > 50:
        assert result.included_docs[0].content.split() == [*words[: case["expected"]], "[...]"]
    else:
        assert result.included_docs == []
        assert int(remaining / 1.3) == case["expected"]


@pytest.mark.parametrize("case", of("_shingles").values(), ids=lambda case: case["id"])
def test_shingles(case: dict[str, Any]) -> None:
    # A window of words moves on by one: the last words of each shingle, behind the first one, are the text.
    first, *others = case["expected"]
    row = " ".join([first, *(shingle.split()[-1] for shingle in others)])
    found = near_duplicates([row, case["input"]], threshold=1.0)

    assert found.duplicate_of.tolist() == [-1, 0]
    for longer in (f"{row} more", f"{row} m o r e s"):
        union = len(case["expected"]) + len(longer.split()) - max(4, len(row.split()))
        if len(row.split()) >= 5:
            assert (
                near_duplicates([longer, case["input"]], threshold=0.01).similarity[1] == len(case["expected"]) / union
            )


def test_content_hash() -> None:
    cases = [*of("_content_hash").values()]
    for one, other in combinations(cases, 2):
        found = find_exact_repeats([one["input"], other["input"]], [0, 1])
        assert bool(found) == (one["expected"] == other["expected"]), (one["id"], other["id"])
    for case in cases:
        written = re.sub(r"\s+", " ", case["input"].lower())
        assert hashlib.md5(written.encode(), usedforsecurity=False).hexdigest() == case["expected"]
        assert find_exact_repeats([written, case["input"]], [0, 1])


@pytest.mark.parametrize("case", of("_jaccard").values(), ids=lambda case: case["id"])
def test_jaccard(case: dict[str, Any]) -> None:
    one, other = (" ".join(sorted(words)) for words in case["input"])
    found = near_duplicates([one, other], shingle_size=1, threshold=0.1)

    # Two empty sets have 0 there; two texts without words have the same one shingle, as `_shingles("")` has it.
    assert found.similarity[1] == (case["expected"] if one or other else 1.0)


@pytest.mark.parametrize("case", of("utilization_pct").values(), ids=lambda case: case["id"])
def test_utilization_pct(case: dict[str, Any]) -> None:
    used, budget = case["input"]

    assert ContextResult("", [], [], {}, used, budget, 0, truncated=False).utilization_pct == case["expected"]
