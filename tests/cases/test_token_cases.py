"""Public bug reports about counting tokens, as small inputs."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

import brimful
from brimful import ContextBuilder
from recorded_cases import CASES, every_encoding, run

if TYPE_CHECKING:
    from brimful.config import Encoding


@every_encoding
def test_tokens_01_the_text_of_a_special_token_is_ordinary_text(encoding: Encoding) -> None:
    case = CASES["tokens-01"]

    found = brimful.count_tokens(case["input"]["texts"], encoding=encoding).tolist()

    assert [counts[encoding] for counts in case["expected"]["counts"]] == found


@pytest.mark.slow
@every_encoding
def test_tokens_03_a_million_repeated_characters_have_a_count(encoding: Encoding) -> None:
    case = CASES["tokens-03"]
    texts = [ast.literal_eval(expression.partition(" * ")[0]) * 1_000_000 for expression in case["input"]["texts"]]

    assert case["expected"][encoding] == brimful.count_tokens(texts, encoding=encoding).tolist()


@every_encoding
def test_tokens_05_counts_of_parts_do_not_add_up(encoding: Encoding) -> None:
    case = CASES["tokens-05"]
    spaced, words = case["expected"], case["expected"]["second_example"]

    parts = brimful.count_tokens([*case["input"]["parts"], *words["parts"]], encoding=encoding)
    joined = brimful.count_tokens([case["input"]["joined"], "".join(words["parts"])], encoding=encoding)

    assert [spaced["parts_sum"][encoding], words["sum"]] == [parts[:2].sum(), parts[2:].sum()]
    assert [spaced["joined"][encoding], words["joined"][encoding]] == joined.tolist()


@pytest.mark.parametrize(("model", "encoding"), [("gpt-4", "cl100k_base"), ("gpt-4o", "o200k_base")])
def test_tokens_07_the_names_and_arguments_of_tool_calls_are_counted(model: str, encoding: str) -> None:
    case = CASES["tokens-07"]
    [message] = case["input"]["messages"]
    named, argued = (case["expected"][f"{part}_tokens"][encoding] for part in ("name", "argument"))
    bare = brimful.count_chat_tokens([{"role": "assistant", "content": None}], model=model).messages[0]

    counted = brimful.count_chat_tokens([message], model=model).messages[0]

    assert counted == bare + named + argued + 3
    [call] = message["tool_calls"]
    longer = {**call, "function": {**call["function"], "name": "SearchInternetForCities"}}
    assert brimful.count_chat_tokens([{**message, "tool_calls": [longer]}], model=model).messages[0] > counted


def test_tokens_09_an_unknown_model_is_an_estimate_that_says_so() -> None:
    counter = brimful.for_model("some-model-of-tomorrow")
    context = ContextBuilder(99, model="some-model-of-tomorrow").build(documents=["Water is wet."])

    assert counter.approximate
    assert not context.tokens_exact
    assert "(estimated)" in context.summary()


def test_tokens_09_counting_needs_no_network_and_no_cache() -> None:
    script = """
        import socket
        def refuse(*arguments, **options):
            raise AssertionError("the network was asked for")
        socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse
        import brimful
        print(brimful.count_tokens("hello world"), brimful.count_tokens("hello world", encoding="cl100k_base"))
    """

    expected = CASES["tokens-09"]["expected"]['exact_count("hello world")']
    assert run(script, TIKTOKEN_CACHE_DIR="").split() == [str(expected)] * 2
