"""Seed 004: 85 recorded cases and 240 random ones, all of them; a deviation asserts our value and has its number.

What the original's scores decide by less than 1e-9 is noise of its logarithms: there the order is not held.
"""

from __future__ import annotations

from typing import Any

import pytest

from brimful.errors import BrimfulError, ConfigError, EmbeddingError, InputError
from packet_cases import CASES, HAND_MADE, RANDOM, build, look_inside, packets_of, reference, vectors_of
from references import naive_packets, naive_tfidf

NEAR = 1e-9

# What cannot be used is refused: D19 vectors that are too few or of different sizes, D20 numbers.
REFUSED: dict[str, tuple[type[BrimfulError], str]] = {
    "greedy_016_nan_rel": (InputError, r"\[0\].relevance_score must be a finite number or None, got nan"),  # D20
    "greedy_017_rel_over_1": (InputError, r"\[1\].relevance_score must be a finite number or None, got inf"),  # D20
    "greedy_018_nan_ts": (InputError, r"\[1\].timestamp must be a finite number, .* got nan"),  # D20
    "greedy_019_tau0": (ConfigError, "recency_tau must be a finite number above 0, got 0"),  # D20
    "mmr_022_lambda_out_of_range": (ConfigError, "mmr_lambda must be between 0 and 1, got 2"),  # D20
    "emb_006_short": (EmbeddingError, "must give 4 vectors, one for the query and one a packet, got 2"),  # D19
    "emb_007_empty": (EmbeddingError, "must give 3 vectors, one for the query and one a packet, got 0"),  # D19
    "emb_009_dim_mismatch": (EmbeddingError, "must be numbers in rows of one length"),  # D19
    "emb_010_nan": (EmbeddingError, r"vectors of the embedder\[1\]\[0\] must be finite, got nan"),  # D20
    "emb_012_memory_flat": (EmbeddingError, "must give 3 vectors, one for the query and one a packet, got 1"),  # D19
    "emb_017_nan_first_pick": (InputError, r"\[0\].timestamp must be a finite number, .* got nan"),  # D20
    "emb_018_nan_blocks": (InputError, r"\[1\].timestamp must be a finite number, .* got nan"),  # D20
}

# D18: words of all scripts count, so these are chosen otherwise, or in another order.
UNICODE_WORDS = {
    "mmr_008_chinese": "p1 p0",
    "mmr_009_mixed": "p2 p1 p0",
    "mmr_011_accents": "p2 p0 p1",
    "rand_026": "p5 p2 p1 p6 p4 p0 p3",
    "rand_041": "p2 p1 p3 p0",
    "rand_062": "p1 p3 p0 p5 p2 p4",
    "rand_066": "p7 p8 p5",
    "rand_077": "p2 p5 p1 p3 p8",
    "rand_090": "p1 p6 p8 p5 p7 p2 p3 p4",
    "rand_134": "p5 p3 p6 p0 p4 p2 p1",
    "rand_137": "p2 p7 p1 p4 p3",
    "rand_142": "p3 p6 p0 p1 p5 p4",
    "rand_157": "p1 p3 p0 p2",
    "rand_165": "p1 p2 p3",
    "rand_169": "p0 p2 p5 p4 p1 p3",
    "rand_178": "p3 p0 p2 p5 p7 p4 p6 p1",
}
# Two duplicates: which of them is picked first hangs on the last bit.
NOISE = {"rand_073"}

BUILT = sorted(CASES.keys() - REFUSED.keys())


def ids(case: dict[str, Any], items: list[int]) -> list[str]:
    return [packets_of(case)[item]["metadata"]["id"] for item in items]


def has_other_words(case: dict[str, Any]) -> bool:
    """Whether the words of the original and ours differ where they decide (D18)."""
    if not case["config"].get("enableMmr") or vectors_of(case) is not None:
        return False
    texts = [case["input"]["userQuery"], *(packet["content"] for packet in packets_of(case))]
    return any(naive_packets.ascii_words(text) != naive_tfidf.terms(text) for text in texts)


def output_of(case: dict[str, Any]) -> dict[str, Any]:
    """What was recorded; tok_004 has no output, because the original fails there (D19)."""
    messages = [{"role": "user", "content": case["input"]["userQuery"]}]
    nothing = {"system": "", "messages": messages, "totalTokens": 0, "includedIds": [], "includedPackets": []}
    found: dict[str, Any] = case.get("output", nothing)
    return found


def test_the_cases_are_all_here() -> None:
    assert (len(HAND_MADE), len(RANDOM)) == (85, 240)
    assert REFUSED.keys() | UNICODE_WORDS.keys() | NOISE <= CASES.keys()
    assert all(RANDOM[identifier]["minPositiveGap"] < NEAR for identifier in NOISE)


@pytest.mark.parametrize("identifier", REFUSED)
def test_what_cannot_be_used_is_refused(identifier: str) -> None:
    error, message = REFUSED[identifier]

    with pytest.raises(error, match=message):
        build(CASES[identifier])


@pytest.mark.parametrize("identifier", BUILT)
def test_the_plain_reading_is_the_original(identifier: str) -> None:
    case = CASES[identifier]
    output, read = output_of(case), reference(identifier, unicode=False)

    assert output["totalTokens"] == read.total
    assert sorted(output["includedIds"]) == sorted(ids(case, read.chosen))
    if identifier not in NOISE:
        assert output["includedIds"] == ids(case, read.chosen)


@pytest.mark.parametrize("identifier", BUILT)
def test_a_case(identifier: str) -> None:
    case = CASES[identifier]
    output, read = output_of(case), reference(identifier, unicode=True)
    expected = UNICODE_WORDS[identifier].split() if identifier in UNICODE_WORDS else output["includedIds"]

    result = build(case)

    found = [packet.metadata["id"] for packet in result.included_packets]
    assert [(turn["role"], turn["content"]) for turn in output["messages"]] == [
        (turn.role, turn.content) for turn in result.messages
    ]
    assert output["system"] == result.system
    assert result.total_tokens == (read.total if identifier in UNICODE_WORDS else output["totalTokens"])
    if identifier in NOISE:
        assert sorted(expected) == sorted(found)
    else:
        assert expected == found == ids(case, read.chosen)


@pytest.mark.parametrize("identifier", UNICODE_WORDS)
def test_d18_only_words_make_the_difference(identifier: str) -> None:
    case = CASES[identifier]

    assert has_other_words(case)
    assert case["output"]["includedIds"] != UNICODE_WORDS[identifier].split()


@pytest.mark.parametrize("identifier", BUILT)
def test_d21_truncated_says_that_something_was_dropped(identifier: str) -> None:
    case = CASES[identifier]
    given, result = case["input"], build(case)

    history = len(given.get("conversationHistory") or [])
    whole = len(result.messages) == history + 1 and len(result.included_packets) == len(packets_of(case))
    assert result.truncated == (not whole)


@pytest.mark.parametrize(
    "identifier", [name for name in BUILT if name in HAND_MADE and name != "tok_004_plain_function"]
)
def test_packets_keep_their_fields_and_get_their_tokens(identifier: str) -> None:
    expected = {packet["metadata"]["id"]: packet for packet in CASES[identifier]["output"]["includedPackets"]}

    for packet in build(CASES[identifier]).included_packets:
        fields = ("content", packet.content), ("metadata", packet.metadata), ("tokens", packet.tokens)
        optional = ("relevanceScore", packet.relevance_score), ("timestamp", packet.timestamp)
        recorded = {name: value for name, value in expected[packet.metadata["id"]].items() if value is not None}
        assert recorded == dict(fields) | {name: value for name, value in optional if value is not None}


@pytest.mark.parametrize("identifier", BUILT)
def test_scores_are_within_a_billionth(identifier: str) -> None:
    case, read = CASES[identifier], reference(identifier, unicode=True)

    request, window = look_inside(case)

    assert read.filtered == list(request.candidates)
    assert read.worth == pytest.approx(list(window.choice.merits.values()), rel=0, abs=NEAR)
    assert read.scores == pytest.approx(list(window.choice.scores), rel=0, abs=NEAR)


@pytest.mark.parametrize("identifier", [name for name in BUILT if name in RANDOM and not has_other_words(RANDOM[name])])
def test_the_best_scores_of_random_cases(identifier: str) -> None:
    case = RANDOM[identifier]
    _, window = look_inside(case)
    found = window.choice.scores if case["config"]["enableMmr"] else sorted(window.choice.merits.values(), reverse=True)

    assert case["bestScores"] == pytest.approx(list(found), rel=0, abs=NEAR)


@pytest.mark.parametrize(
    "identifier", [name for name in BUILT if name in HAND_MADE and not has_other_words(CASES[name])]
)
def test_the_composites_and_rounds_of_hand_made_cases(identifier: str) -> None:
    case = CASES[identifier]
    trace = case.get("trace", {"filteredIds": [], "greedyComposite": []})
    request, window = look_inside(case)
    first = trace.get("greedyComposite") or (trace.get("mmrRounds") or [[]])[0]
    merits = dict(zip(ids(case, list(request.candidates)), window.choice.merits.values(), strict=True))

    assert trace["filteredIds"] == ids(case, list(request.candidates))
    for candidate in first:
        assert candidate["composite"] == pytest.approx(merits[candidate["id"]], rel=0, abs=NEAR)
    rounds = [max(mark["score"] for mark in fitting) for fitting in trace.get("mmrRounds", []) if fitting]
    if "mmrRounds" in trace:
        assert rounds == pytest.approx(list(window.choice.scores), rel=0, abs=NEAR)
        assert trace["fellBackToTfidf"] == any("embedder failed" in warning for warning in window.warnings)
