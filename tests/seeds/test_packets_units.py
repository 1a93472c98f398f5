"""The unit groups of seed 004, each on what replaces the original's private helper.

| group | here |
|---|---|
| tokenEstimate, createTokenCounter | `estimate_tokens`, `create_token_counter` |
| tokenize | the terms of the kernels: `terms_of` of the twin; for either back end, cosines of texts with their terms |
| idf | `number_terms` and `inverse_frequencies` of the twin |
| tfidf | `tfidf_similarities`; the vectors by `TextVectors` of the twin |
| cosine | `cosines`, behind `read_vectors`, which refuses other sizes (D19) and numbers (D20) |
| recency, composite | `recency` and `composite` of the stages, behind the checks of `PacketConfig` (D20) |
| hashEmbedder | `create_default_text_embedder` |
| packetBuilder | `ContextPacketBuilder` |
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from brimful.builders.packets import (
    ContextPacket,
    ContextPacketBuilder,
    PacketConfig,
    create_default_text_embedder,
    create_token_counter,
    estimate_tokens,
)
from brimful.builders.packets.similarity import read_vectors
from brimful.errors import ConfigError, EmbeddingError
from brimful.kernels._python.terms import terms_of
from brimful.kernels._python.tfidf import TextVectors, inverse_frequencies, number_terms
from brimful.stages.scoring import composite, recency
from brimful.stages.similarity import cosines, tfidf_similarities
from packet_cases import UNITS, number

near = 1e-9


def units(group: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("unit", UNITS[group], ids=str)


def test_every_group_has_a_test() -> None:
    groups = "tokenEstimate createTokenCounter tokenize idf tfidf cosine recency composite hashEmbedder packetBuilder"

    assert set(groups.split()) == set(UNITS)


@units("tokenEstimate")
def test_token_estimate(unit: dict[str, Any]) -> None:
    assert unit["tokens"] == estimate_tokens(unit["text"])


@units("createTokenCounter")
def test_create_token_counter(unit: dict[str, Any]) -> None:
    ratio, encoding = unit["options"].get("charsPerToken", 4), unit["options"].get("encodingName")
    if ratio == 0:  # D20: no infinite counts, and none that are no number
        with pytest.raises(ConfigError, match="chars_per_token must be a finite number above 0, got 0"):
            create_token_counter(chars_per_token=ratio)
    elif encoding is not None:  # the original names encodings, and finds none where this was recorded: ours has them
        counter = create_token_counter(chars_per_token=ratio, encoding_name=encoding)
        assert {"hello world, this is a test": 7, "hello": 1}[unit["text"]] == counter.count(unit["text"])
    else:
        assert unit["tokens"] == create_token_counter(chars_per_token=ratio).count(unit["text"])


# D18: words of all scripts are words.
WORDS = {
    "café naïve": ["café", "naïve"],
    "你好 world": ["你好", "world"],
    "İstanbul": ["i̇stanbul"],
    "ſtraße": ["ſtraße"],
    "ÀÉÎ": ["àéî"],
    "ａｂｃ full": ["ａｂｃ", "full"],
    "x²": ["x²"],
    "１２": ["１２"],
}


@units("tokenize")
def test_tokenize(unit: dict[str, Any]) -> None:
    text = unit["text"]
    expected = WORDS.get(text, unit["tokens"])

    assert expected == terms_of(text)
    assert (text in WORDS) == (expected != unit["tokens"])
    [[_, same], _] = tfidf_similarities(None, [text, " ".join(expected)]).pairwise.tolist()
    assert same == pytest.approx(1.0 if expected else 0.0, abs=near)


@units("idf")
def test_idf(unit: dict[str, Any]) -> None:
    rows = [terms_of(text) for text in unit["docs"]]
    numbers = number_terms(rows)

    found = dict(zip(numbers, inverse_frequencies(rows, numbers), strict=True))

    assert unit["idf"] == pytest.approx(found, rel=0, abs=near)


def expected_tfidf(unit: dict[str, Any]) -> tuple[list[float], list[list[float]]]:
    """D18: the one Chinese text is its own bigram."""
    if unit["query"] == "你好":
        return [1.0], [[1.0]]
    return unit["queryCosines"], unit["pairCosines"]


@units("tfidf")
def test_tfidf(unit: dict[str, Any]) -> None:
    to_query, pairs = expected_tfidf(unit)

    found = tfidf_similarities(unit["query"], unit["docs"])

    assert to_query == pytest.approx(found.scores.tolist(), rel=0, abs=near)
    for expected, row in zip(pairs, found.pairwise.tolist(), strict=True):
        assert expected == pytest.approx(row, rel=0, abs=near)


@units("tfidf")
def test_tfidf_vectors(unit: dict[str, Any]) -> None:
    rows = [terms_of(text) for text in (unit["query"], *unit["docs"])]
    weights = vars(TextVectors(unit["query"], unit["docs"], include_query=True))
    dense = [
        [vector.get(place, 0.0) for place in range(len(number_terms(rows)))]
        for vector in (weights["_query"], *weights["_vectors"])
    ]

    if unit["query"] == "你好":  # D18
        assert (list(number_terms(rows)), dense) == (["你好"], [[1.0], [1.0]])
    else:
        assert unit["vocabulary"] == list(number_terms(rows))
        for expected, vector in zip([unit["queryVector"], *unit["docVectors"]], dense, strict=True):
            assert expected == pytest.approx(vector, rel=0, abs=near)


# D20: what the original's squares lose, or make infinite, has its cosine.
RESCUED = {"[1e-200, 0]": 1.0, "[1e+200]": 1.0}


@units("cosine")
def test_cosine(unit: dict[str, Any]) -> None:
    left, right = number(unit["a"]), number(unit["b"])
    if len(left) != len(right) or not all(map(math.isfinite, [*left, *right])):
        with pytest.raises(EmbeddingError):  # D19, D20
            read_vectors([left, right], 2)
        return
    rows = read_vectors([left, right], 2).vectors
    assert rows is not None

    [found] = cosines(rows[0], rows[1:])

    assert RESCUED.get(str(unit["a"]), unit["cosine"]) == pytest.approx(found, rel=0, abs=near)


@units("recency")
def test_recency(unit: dict[str, Any]) -> None:
    if unit["tau"] <= 0:  # D20
        with pytest.raises(ConfigError, match="tau must be"):
            PacketConfig(recency_tau=unit["tau"])
        with pytest.raises(ConfigError, match="tau must be"):
            recency([unit["ageMs"]], unit["tau"])
    else:
        assert [unit["recency"]] == pytest.approx(recency([unit["ageMs"]], unit["tau"]), rel=0, abs=near)


@units("composite")
def test_composite(unit: dict[str, Any]) -> None:
    weight, recencies = unit["recencyWeight"], recency([unit["ageMs"] or 0], unit["recencyTau"])
    if not 0 <= weight <= 1:  # D20
        with pytest.raises(ConfigError, match="recency_weight must be between 0 and 1"):
            PacketConfig(recency_weight=weight)
    else:
        found = composite([unit["relevance"]], recencies, weight)
        assert [unit["composite"]] == pytest.approx(found, rel=0, abs=near)


@units("hashEmbedder")
def test_hash_embedder(unit: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EMBEDDING_MODEL_ID", raising=False)
    embedder = create_default_text_embedder(dim=unit["dimension"])

    vector = embedder.encode(unit["text"])

    assert unit["nonZero"] == [[place, pytest.approx(value, abs=near)] for place, value in enumerate(vector) if value]
    assert embedder.encode([unit["text"], unit["text"]]) == [vector, vector]
    for word, place in unit["indexes"]:
        assert embedder.encode(word)[place] == 1.0


PACKETS = {
    "create('x')": ContextPacketBuilder.create("x"),
    "create('x',{source:'docs'})": ContextPacketBuilder.create("x", {"source": "docs"}),
    "withRelevance(create('x'),0.9)": ContextPacketBuilder.with_relevance(ContextPacketBuilder.create("x"), 0.9),
}


@units("packetBuilder")
def test_packet_builder(unit: dict[str, Any]) -> None:
    result = unit["result"]

    expected = ContextPacket(result["content"], result["metadata"], relevance_score=result.get("relevanceScore"))
    assert expected == PACKETS[unit["call"]]
