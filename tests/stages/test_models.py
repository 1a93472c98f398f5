"""Models and what reads their names: the families of tiktoken, and estimates for the rest."""

from __future__ import annotations

from typing import Any

import pytest

import brimful
from brimful import ConfigError, ExactCounter, estimate_tokens, for_model

tiktoken_models = pytest.importorskip("tiktoken.model", reason="the dependency group `references` is not installed")

KNOWN_TO_TIKTOKEN = {
    **tiktoken_models.MODEL_TO_ENCODING,
    **{
        f"{prefix.removesuffix('-')}-x": encoding
        for prefix, encoding in tiktoken_models.MODEL_PREFIX_TO_ENCODING.items()
    },
}


@pytest.mark.parametrize(("model", "encoding"), KNOWN_TO_TIKTOKEN.items())
def test_every_model_of_tiktoken_gives_its_encoding_or_an_estimate(model: str, encoding: str) -> None:
    counter = for_model(model)

    if encoding in {"o200k_base", "cl100k_base", "o200k_harmony"}:
        assert counter == ExactCounter("cl100k_base" if encoding == "cl100k_base" else "o200k_base")
    else:
        assert counter.approximate


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("gpt-4o", "o200k_base"),
        ("gpt-4o-mini-2024-07-18", "o200k_base"),
        ("chatgpt-4o-latest", "o200k_base"),
        ("gpt-4.1-nano", "o200k_base"),
        ("gpt-4.5-preview", "o200k_base"),
        ("gpt-5", "o200k_base"),
        ("gpt-5.2-pro", "o200k_base"),
        ("gpt-oss-120b", "o200k_base"),
        ("o1-pro", "o200k_base"),
        ("o3", "o200k_base"),
        ("o4-mini", "o200k_base"),
        ("ft:gpt-4o-2024-08-06:acme::abc", "o200k_base"),
        ("ft:gpt-4:acme", "cl100k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-3.5-turbo-0125", "cl100k_base"),
        ("text-embedding-3-large", "cl100k_base"),
        ("text-embedding-ada-002", "cl100k_base"),
    ],
)
def test_families_by_the_beginning_of_the_name(model: str, encoding: Any) -> None:
    counter = for_model(model)

    assert counter == ExactCounter(encoding)
    assert not counter.approximate


@pytest.mark.parametrize(
    "model", ["claude-sonnet-4-5", "gemini-2.5-pro", "llama-3", "gpt-4.9", "gpt-6", "gpt2", "o11", "gpt-40", "x", "ft:"]
)
def test_any_other_name_gives_an_estimate_that_says_so(model: str) -> None:
    counter = for_model(model)

    assert counter.approximate
    assert counter.count(["价格 of water"]) == [estimate_tokens("价格 of water", rule="script_safe")]


@pytest.mark.parametrize("model", ["", "  ", None, 4, b"gpt-4", ["gpt-4"]])
def test_what_is_no_name_is_refused(model: Any) -> None:
    for function in (for_model, lambda model: brimful.ContextBuilder(9, model=model).counter):
        if model is None and function is not for_model:
            continue
        with pytest.raises(ConfigError, match="model must be the name of a model, got"):
            function(model)


@pytest.mark.parametrize("model", ["GPT-4o", " gpt-4o\n", "FT:GPT-4o-Mini:Acme", "\tChatGPT-4o-latest"])
def test_case_and_white_space_around_a_name_do_not_matter(model: str) -> None:
    assert for_model(model) == ExactCounter("o200k_base")
    assert for_model("GPT-4") == ExactCounter("cl100k_base")


def test_a_chat_is_framed_by_the_same_name() -> None:
    message = {"role": "user", "content": "hello"}

    assert brimful.count_chat_tokens([message], model=" GPT-4o") == brimful.count_chat_tokens([message], model="gpt-4o")
    assert brimful.count_chat_tokens([message], model="GPT-4o-Audio-preview").approximate
