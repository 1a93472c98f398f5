"""Chats: what no figure of an API bears out is approximate, and what would count as nothing is refused."""

from __future__ import annotations

from typing import Any

import pytest

from brimful import InputError, count_chat_tokens, count_tokens

PLAIN = {"role": "user", "content": "hello"}


def function(**fields: Any) -> list[dict[str, Any]]:
    return [{"type": "function", "function": {"name": "f", **fields}}]


def cost(**fields: Any) -> int:
    return count_chat_tokens([], model="gpt-4o", tools=function(**fields)).tools


def test_a_plain_message_is_borne_out() -> None:
    assert not count_chat_tokens([PLAIN, {**PLAIN, "name": "ada"}], model="gpt-4o").approximate


@pytest.mark.parametrize(
    "message",
    [
        {"role": "tool", "tool_call_id": "c1", "content": "42"},
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": "hello", "annotations": []},
        {"role": "user", "content": [{"type": "text", "text": "hello"}]},
    ],
)
def test_other_messages_are_approximate(message: dict[str, Any]) -> None:
    assert count_chat_tokens([message], model="gpt-4o").approximate


@pytest.mark.parametrize("model", ["gpt-4o-audio-preview", "gpt-4-vision-preview", "gpt-3.5-turbo-0301"])
def test_models_that_are_framed_otherwise_are_approximate(model: str) -> None:
    assert count_chat_tokens([PLAIN], model=model).approximate


def test_a_field_that_no_function_has_is_refused() -> None:
    message = (
        r"tools\[0\].function.paramters is not a field of a function, which are name, description, parameters, strict"
    )
    with pytest.raises(InputError, match=message):
        cost(paramters={"type": "object"})


def test_what_parameters_say_at_their_top_costs_what_it_says() -> None:
    bare = cost()

    assert cost(parameters={"type": "object"}, strict=True) == bare
    assert cost(parameters={"anyOf": [{"description": "a b c"}]}) == bare + count_tokens(
        '{"anyOf":[{"description":"a b c"}]}'
    )
    assert cost(parameters={"additionalProperties": {"type": "string"}}) > bare
    assert cost(parameters={"additionalProperties": False}) == bare


def test_a_value_of_an_enum_that_is_no_json_is_named() -> None:
    with pytest.raises(InputError, match="a value of an enum must be JSON: keys must be str"):
        cost(parameters={"enum": [{(1, 2): 3}]})
