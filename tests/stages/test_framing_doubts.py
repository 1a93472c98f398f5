"""Chats: what no figure of an API bears out is approximate, and what would count as nothing is refused."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
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


ARRAY = np.array(["user", "tool"])
NO_LISTS: tuple[Any, ...] = (0, False, "", {}, ARRAY, np.array([]))
NO_MAPPINGS: tuple[Any, ...] = (0, [], "", False, ARRAY)
NO_WORDS: tuple[Any, ...] = (0, "", False, ARRAY)
NO_TYPES: tuple[Any, ...] = (0, {}, [1], ARRAY)


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"role": ARRAY}, "role must be one of"),
        ({"role": ["user"]}, "role must be one of"),
        *(({"tool_calls": wrong}, "tool_calls must be a list") for wrong in NO_LISTS),
        ({"function_call": 0}, "function_call must be a mapping"),
        *(({"content": [{"type": wrong}]}, "content[0].type must be one of") for wrong in NO_WORDS),
        *(
            (
                {"content": [{"type": "image_url", "image_url": {"detail": wrong}}]},
                "content[0].image_url.detail must be one of",
            )
            for wrong in NO_WORDS
        ),
    ],
)
def test_a_field_of_a_message_of_another_type_is_refused_by_its_place(fields: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"messages[1].{place}")):
        count_chat_tokens([PLAIN, {**PLAIN, **fields}], model="gpt-4o", image_sizes=None)


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        *(({"parameters": wrong}, "parameters must be a mapping") for wrong in NO_MAPPINGS),
        *(({"parameters": {"properties": wrong}}, "parameters.properties must be a mapping") for wrong in NO_MAPPINGS),
        *(
            ({"parameters": {"properties": {"a": {"enum": wrong}}}}, "parameters.properties.a.enum must be a list")
            for wrong in NO_LISTS
        ),
        *(
            ({"parameters": {"properties": {"a": {"type": wrong}}}}, "parameters.properties.a.type must be a str")
            for wrong in NO_TYPES
        ),
    ],
)
def test_a_field_of_a_tool_of_another_type_is_refused_by_its_place(fields: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"tools[0].function.{place}")):
        cost(**fields)


@pytest.mark.parametrize("wrong", [0, None, ARRAY])
def test_a_tool_of_another_type_than_function_is_refused(wrong: object) -> None:
    with pytest.raises(InputError, match=r"^tools\[0\]\.type must be one of function, got"):
        count_chat_tokens([], model="gpt-4o", tools=[{"type": wrong, "function": {"name": "f"}}])


def test_what_is_missing_may_be_none_or_empty() -> None:
    plain = count_chat_tokens([PLAIN], model="gpt-4o")

    assert count_chat_tokens([{**PLAIN, "tool_calls": None}], model="gpt-4o") == plain
    assert cost(parameters=None) == cost(parameters={}) == cost(parameters={"properties": None}) == cost()
    assert cost(parameters={"enum": []}) == cost()
