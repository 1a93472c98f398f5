"""Every recorded case of the sections builder and its neighbours: 141 of them, on the back end of this run.

Cases of private functions are asserted on what replaces them here:

| recorded | asserted on |
|---|---|
| `budgets` of a builder | `ContextBuilder.budgets` |
| `MemoryCompressor.is_noise` | `brimful.builders.sections.compressor.is_noise` |
"""

from __future__ import annotations

from typing import Any

import pytest

from brimful import ConfigError, InputError
from brimful.builders.sections import (
    BuiltContext,
    ContextBuilder,
    Document,
    MemoryCompressor,
    MemoryEntry,
    MemorySelector,
    MemoryType,
    SelectionConfig,
)
from brimful.builders.sections.compressor import is_noise
from seeds.recorded import load

CASES = load("sections")
NOW = 1_700_000_000.0


def of(method: str) -> dict[str, dict[str, Any]]:
    return {name: case for name, case in CASES.items() if case["method"] == method}


BUILDS, PROMPTS = of("build"), of("build_prompt")


def read(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a build, with the types of the builder."""
    read = dict(given)
    if read.get("documents"):
        read["documents"] = [Document(**fields) for fields in read["documents"]]
    if read.get("memories"):
        read["memories"] = [MemoryEntry(fields["content"], NOW, MemoryType.SEMANTIC) for fields in read["memories"]]
    return read


def build(case: dict[str, Any]) -> BuiltContext:
    builder = ContextBuilder(**case["ctor"])
    if "budgets" in case:
        assert builder.budgets == case["budgets"]
    return builder.build(**read(case["input"]))


def report(built: BuiltContext) -> dict[str, Any]:
    names = ("full_text", "token_estimate", "sections", "truncated", "document_count", "memory_count")
    return {**{name: getattr(built, name) for name in names}, "section_order": [*built.sections]}


def test_nothing_is_left_out() -> None:
    assert len(CASES) == 141
    assert {case["method"] for case in CASES.values()} == {
        *("build", "build_prompt", "Document.token_estimate", "MemoryEntry.id", "MemoryEntry.importance"),
        *("MemorySelector.select", "SelectionConfig", "MemoryCompressor.is_noise"),
        *("MemoryCompressor.merge_duplicates", "MemoryCompressor.summarise"),
    }


SKIPPED = {
    "doc_metadata_none_raises": "=== Retrieved Documents ===\n[Doc 1]\nx\n",
    "history_turn_not_dict_raises": "=== Recent Conversation ===\n\n",
    "history_turn_none_raises": "=== Recent Conversation ===\n\n",
}
"""D2: what the document promises not to raise on says nothing."""

REFUSED = {"fraction_nan_raises": "nan", "fraction_inf_raises": "inf"}
"""D3."""


@pytest.mark.parametrize("name", sorted(BUILDS.keys() - SKIPPED.keys() - REFUSED.keys()))
def test_build(name: str) -> None:
    assert report(build(BUILDS[name])) == BUILDS[name]["expected"]


@pytest.mark.parametrize("name", SKIPPED)
def test_build_skips_by_d2_what_cannot_be_shown(name: str) -> None:
    assert "expected_error" in BUILDS[name]
    assert build(BUILDS[name]).full_text == SKIPPED[name]


@pytest.mark.parametrize("name", REFUSED)
def test_build_refuses_by_d3_a_fraction_that_is_not_finite(name: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        ContextBuilder(**BUILDS[name]["ctor"])

    assert str(refusal.value) == f"profile_budget_fraction must be a finite number, got {REFUSED[name]}"


INDENT = " " * 12
TRAILING = "prompt_trailing_ws_lines"
"""There the original also empties a blank line of the instruction, and its indent hid the end of a line."""


@pytest.mark.parametrize("name", sorted(PROMPTS.keys() - {TRAILING}))
def test_build_prompt_is_that_of_the_original_without_its_indents(name: str) -> None:
    case = PROMPTS[name]
    given = read(case["input"])
    query = given.pop("query")
    context = ContextBuilder(**case["ctor"]).build(
        **{key: value for key, value in given.items() if key != "system_instruction"}, query=query
    )
    expected: str = case["expected"]["prompt"]
    for line in ("# Context for: ", "=== Current Query ===", query):  # D1
        expected = expected.replace(f"\n{INDENT}{line}", f"\n{line}")

    assert ContextBuilder(**case["ctor"]).build_prompt(query, **given) == expected
    assert context.full_text in expected


def test_build_prompt_changes_no_value() -> None:  # D1
    case = PROMPTS[TRAILING]

    assert ContextBuilder().build_prompt(**case["input"]) == (
        "sys  \n   \nend\n\n# Context for: q  \n\n\n\n=== Current Query ===\nq"
    )
    assert case["expected"]["prompt"] != case["expected"]["prompt"].replace(INDENT, "")


@pytest.mark.parametrize("case", of("Document.token_estimate").values(), ids=lambda case: case["id"])
def test_token_estimate(case: dict[str, Any]) -> None:
    assert Document(**case["input"]).token_estimate() == case["expected"]


@pytest.mark.parametrize("case", of("MemoryEntry.id").values(), ids=lambda case: case["id"])
def test_memory_entry_id(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    entry = MemoryEntry(given["content"], given["timestamp"], MemoryType.from_string(given["memory_type"]))

    assert (entry.id, entry.memory_type.value, entry.priority.name) == tuple(expected.values())


@pytest.mark.parametrize("case", of("MemoryEntry.importance").values(), ids=lambda case: case["id"])
def test_memory_entry_importance(case: dict[str, Any]) -> None:
    importance, expected = case["input"]["importance"], case["expected"]
    if "error" in expected:
        with pytest.raises(InputError) as refusal:
            MemoryEntry("x", NOW, MemoryType.SEMANTIC, importance=importance)
        assert str(refusal.value) == expected["message"]
    else:
        entry = MemoryEntry("x", NOW, MemoryType.SEMANTIC, importance=importance)
        assert entry.effective_importance == expected["effective_importance"]


@pytest.mark.parametrize("case", of("MemorySelector.select").values(), ids=lambda case: case["id"])
def test_select(case: dict[str, Any]) -> None:
    given = case["input"]
    entries = [
        MemoryEntry(
            fields["content"],
            given["now"] - 3600 * fields["hours_old"],
            MemoryType.SEMANTIC,
            fields["importance"],
            metadata={"id": fields["id"]},
        )
        for fields in given["entries"]
    ]
    selector = MemorySelector(SelectionConfig(**given["config"]), clock=lambda: given["now"])
    found = selector.select("", entries, given["similarity_scores"])

    names = ("relevance", "recency", "importance", "composite")
    assert [{"id": one.entry.id, **{name: getattr(one, f"{name}_score") for name in names}} for one in found] == case[
        "expected"
    ]


@pytest.mark.parametrize("case", of("SelectionConfig").values(), ids=lambda case: case["id"])
def test_weights(case: dict[str, Any]) -> None:
    if case["expected"] == "ok":
        assert SelectionConfig(*case["input"]).relevance_weight == case["input"][0]
        return
    with pytest.raises(ConfigError) as refusal:
        SelectionConfig(*case["input"])
    assert f"ValueError: {refusal.value}" == case["expected"]


@pytest.mark.parametrize("case", of("MemoryCompressor.is_noise").values(), ids=lambda case: case["id"])
def test_is_noise(case: dict[str, Any]) -> None:
    assert is_noise(MemoryEntry(case["input"]["content"], NOW, MemoryType.WORKING)) == case["expected"]


def test_summarise() -> None:
    [case] = of("MemoryCompressor.summarise").values()
    entries = [MemoryEntry(content, NOW, MemoryType.WORKING) for content in case["input"]["contents"]]
    summary = MemoryCompressor().summarise(entries)

    assert summary is not None
    assert {
        "content": summary.content,
        "importance": summary.importance,
        "tags": summary.tags,
        "memory_type": summary.memory_type.value,
    } == case["expected"]


def test_merge_duplicates() -> None:
    [case] = of("MemoryCompressor.merge_duplicates").values()
    entries = [
        MemoryEntry(content, NOW, MemoryType.SEMANTIC, importance, embedding=embedding, metadata={"id": content[:8]})
        for content, embedding, importance in case["input"]["entries"]
    ]
    merged, count = MemoryCompressor().merge_duplicates(entries)

    assert {
        "n_merges": count,
        "contents": [entry.content for entry in merged],
        "importances": [entry.importance for entry in merged],
    } == case["expected"]
