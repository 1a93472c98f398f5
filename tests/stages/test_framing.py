"""Chats: the figures that the source gives beside its rule, and every field counted or refused."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from brimful import ConfigError, InputError, count_chat_tokens, count_tokens

# Message for message and field for field as many tokens, in both encodings, as the examples of the source have, which
# says what the API billed for those.
TIDES = [
    {
        "role": "system",
        "content": "Read each note in the green folder twice, and don't answer before you have done.",
    },
    {"role": "system", "name": "example_user", "content": "The boat leaves the small harbor before noon today."},
    {"role": "system", "name": "example_assistant", "content": "It sails out in the morning today."},
    {
        "role": "system",
        "name": "example_user",
        "content": "We don't know yet who will bring bread, the cheese and the apples for lunch.",
    },
    {
        "role": "system",
        "name": "example_assistant",
        "content": "It isn't clear yet who brings lunch, and they don't mind.",
    },
    {
        "role": "user",
        "content": "Tell my sister that I can't come to the station because the last bus has left town.",
    },
]
QUESTION = [
    {"role": "system", "content": "Answer in one short line, from the list of low water times."},
    {"role": "user", "content": "When isn't there water at the pier?"},
]
TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": "get_high_water",
            "description": "Look up times of high water today",
            "parameters": {
                "type": "object",
                "properties": {
                    "place": {"type": "string", "description": "The pier or beach to look up, by its full name"},
                    "clock": {
                        "type": "string",
                        "description": "How times are to be",
                        "enum": ["full_hours", "clock hours"],
                    },
                },
                "required": ["place"],
            },
        },
    }
]


@pytest.mark.parametrize(
    ("model", "billed"),
    [("gpt-3.5-turbo", 129), ("gpt-4-0613", 129), ("gpt-4", 129), ("gpt-4o", 124), ("gpt-4o-mini", 124)],
)
def test_messages_cost_what_the_api_billed(model: str, billed: int) -> None:
    counted = count_chat_tokens(TIDES, model=model)

    assert counted.total == billed
    assert not counted.approximate


@pytest.mark.parametrize(("model", "billed"), [("gpt-3.5-turbo", 105), ("gpt-4", 105), ("gpt-4o", 101)])
def test_tools_cost_what_the_api_billed(model: str, billed: int) -> None:
    counted = count_chat_tokens(QUESTION, model=model, tools=TOOLS)

    assert counted.total == billed
    assert counted.approximate
    assert counted.total - counted.tools == count_chat_tokens(QUESTION, model=model).total


@pytest.mark.parametrize("model", ["gpt-5", "gpt-4.1", "o3", "claude-sonnet-4-5"])
def test_models_without_published_figures_are_approximate(model: str) -> None:
    assert count_chat_tokens(QUESTION, model=model).approximate


def test_no_messages_cost_the_beginning_of_a_reply() -> None:
    assert count_chat_tokens([], model="gpt-4o").total == 3
    assert count_chat_tokens(iter([]), model="gpt-4o", tools=[]).total == 3


def cost(**fields: Any) -> int:
    """What a message of the assistant costs with these fields."""
    return count_chat_tokens([{"role": "assistant", "content": None, **fields}], model="gpt-4o").messages[0]


def test_every_field_that_is_sent_is_counted() -> None:
    bare = cost()
    call = {"name": "search", "arguments": '{"q": "water"}'}
    called = sum(count_tokens([call["name"], call["arguments"]]).tolist()) + 3

    assert bare == 3 + count_tokens("assistant")
    assert cost(content="hello world") == bare + 2
    assert cost(name="hello world") == bare + 2 + 1
    assert cost(refusal="hello world") == bare + 2
    assert cost(content=[{"type": "text", "text": "hello"}, {"type": "text", "text": " world"}]) == bare + 2
    assert cost(content=[{"type": "refusal", "refusal": "hello world"}]) == bare + 2
    assert cost(tool_calls=[{"id": "c1", "type": "function", "function": call}] * 2) == bare + 2 * called
    assert cost(function_call=call) == bare + called
    assert cost(tool_call_id="c1", annotations=[{"type": "url_citation"}], audio=None) == bare


def test_what_is_counted_is_not_touched() -> None:
    messages, tools = copy.deepcopy(QUESTION), copy.deepcopy(TOOLS)

    count_chat_tokens(messages, model="gpt-4o", tools=tools)

    assert (messages, tools) == (QUESTION, TOOLS)


def tool(**parameters: Any) -> int:
    """What the properties of a tool cost beside the tool."""
    bare = {"type": "function", "function": {"name": "f"}}
    whole = {"type": "function", "function": {"name": "f", "parameters": {"properties": parameters}}}
    with_it, without = (count_chat_tokens([], model="gpt-4o", tools=[one]).tools for one in (whole, bare))
    return with_it - without


def test_a_tool_without_description_and_parameters_is_a_line() -> None:
    tools = [{"type": "function", "function": {"name": "f", "description": None, "parameters": None}}]

    assert count_chat_tokens([], model="gpt-4o", tools=tools).tools == 7 + count_tokens("f:") + 12
    assert count_chat_tokens([], model="gpt-4", tools=tools * 2).tools == 2 * (10 + 2) + 12


def test_properties_within_properties_cost_as_much() -> None:
    inner = {"a": {"type": "string", "description": "A city."}}

    assert tool(**inner) == 3 + 3 + count_tokens("a:string:A city")
    assert tool(o={"type": "object", "properties": inner}) == tool(o={"type": "object"}) + tool(**inner)
    assert tool(o={"type": "array", "items": {"type": "object", "properties": inner}}) == tool(
        o={"type": "array"}
    ) + tool(**inner)
    assert tool(o={"type": "array", "items": {"enum": ["x", 1]}}) == tool(o={"type": "array"}) - 3 + 2 * (3 + 1)


def test_what_else_a_schema_says_costs_its_json() -> None:
    assert tool(a={"type": "integer", "minimum": 3}) == tool(a={"type": "integer"}) + count_tokens('{"minimum":3}')
    assert tool(a={"type": ["string", "null"]}) == 6 + count_tokens("a:string | null:")
    assert tool(a={}) == 6 + count_tokens("a:any:")


def image(detail: str | None = None) -> dict[str, Any]:
    given = {"url": "https://example.org/a.png"}
    return {"type": "image_url", "image_url": given if detail is None else {**given, "detail": detail}}


def count_images(*parts: dict[str, Any], model: str = "gpt-4o", sizes: Any = None) -> int:
    messages = [{"role": "user", "content": [part]} for part in parts]
    counted = count_chat_tokens(messages, model=model, image_sizes=sizes)
    assert counted.approximate
    return counted.total - 3 - len(parts) * (3 + count_tokens("user"))


def test_images_cost_by_size_and_detail() -> None:
    assert count_images(image("low")) == 85
    assert count_images(image(), image("low"), image("high"), sizes=[(1, 1), (9, 9), (1_024, 1_024)]) == 255 + 85 + 765
    assert count_images(image("low"), model="gpt-4.1-mini", sizes=((1_024, 1_024),)) == 1_659


@pytest.mark.parametrize(
    ("parts", "sizes", "message"),
    [
        ([image()], None, "messages[0].content[0].image_url: its size is needed, image_sizes[0] is missing"),
        ([image("low"), image()], [(1, 1)], "messages[1].content[0].image_url: its size is needed, image_sizes[1] is"),
        ([image()], [(1, 1), (2, 2)], "image_sizes must have one size an image, 1, got 2"),
        ([image()], [(0, 1)], "image_sizes[0][0] must be a whole number of pixels above 0, got 0"),
        ([image()], [(1, -1)], "image_sizes[0][1] must be a whole number of pixels above 0, got -1"),
        ([image()], [3], "image_sizes[0] must be a (width, height), got 3"),
        ([image()], 3, "image_sizes must be (width, height) of each image in an order, or None, got 3"),
        ([image("medium")], None, "messages[0].content[0].image_url.detail must be one of auto, low, high, got 'med"),
        ([{"type": "image_url"}], None, "messages[0].content[0].image_url must be a mapping, got None"),
    ],
)
def test_images_that_cannot_be_counted(parts: Any, sizes: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        count_images(*parts, sizes=sizes)

    assert str(refusal.value).startswith(message)


USER = {"role": "user", "content": "x"}
BAD_MESSAGES: list[tuple[Any, str]] = [
    (USER, "messages must be mappings in an order, got {'content': 'x', 'role': 'user'}\nhint: pass `[message]`"),
    ("x", "messages must be mappings in an order, got 'x'"),
    (None, "messages must be mappings in an order, got None"),
    ([USER, "x"], "messages[1] must be a mapping, got 'x'"),
    ([{1: 2}], "messages[0] must be a mapping with str for keys, got 1"),
    (
        [{"content": "x"}],
        "messages[0].role must be one of system, developer, user, assistant, tool, function, got None",
    ),
    (
        [{**USER, "role": "bot"}],
        "messages[0].role must be one of system, developer, user, assistant, tool, function, g",
    ),
    ([{**USER, "role": ["user"]}], "messages[0].role must be one of system, developer, user, assistant, tool, functio"),
    ([{**USER, "content": 3}], "messages[0].content must be a str, a list of parts or None, got 3"),
    ([{**USER, "contents": "x"}], "messages[0].contents is not a field of a message, which are role, content, name,"),
    ([{**USER, "audio": {"id": "a"}}], "messages[0].audio is not a field of a message, which are role, content, name"),
    ([{**USER, "name": 3}], "messages[0].name must be a str or None, got 3"),
    ([{**USER, "refusal": 3}], "messages[0].refusal must be a str or None, got 3"),
    ([{**USER, "content": ["x"]}], "messages[0].content[0] must be a mapping, got 'x'"),
    ([{**USER, "content": [{"type": "text"}]}], "messages[0].content[0].text must be a str, got None"),
    (
        [{**USER, "content": [{"type": "file"}]}],
        "messages[0].content[0].type must be one of text, refusal, image_url, got '",
    ),
    (
        [{**USER, "content": [{"type": []}]}],
        "messages[0].content[0].type must be one of text, refusal, image_url, got []",
    ),
    ([{**USER, "tool_calls": {"a": 1}}], "messages[0].tool_calls must be a list or None, got {'a': 1}"),
    ([{**USER, "tool_calls": [3]}], "messages[0].tool_calls[0] must be a mapping, got 3"),
    ([{**USER, "tool_calls": [{}]}], "messages[0].tool_calls[0].function must be a mapping, got None"),
    (
        [{**USER, "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]}],
        "messages[0].tool_calls[0].function.arguments must be a str, got {'a': 1}",
    ),
    ([{**USER, "function_call": "f"}], "messages[0].function_call must be a mapping, got 'f'"),
]


@pytest.mark.parametrize(("messages", "message"), BAD_MESSAGES)
def test_messages_of_another_shape_are_refused_by_index_and_field(messages: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        count_chat_tokens(messages, model="gpt-4o")

    assert str(refusal.value).startswith(message)


def function(**fields: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "f", **fields}}


BAD_TOOLS: list[tuple[Any, str]] = [
    ("x", "tools must be tools in an order or None, got 'x'"),
    ({"type": "function"}, "tools must be tools in an order or None, got {'type': 'function'}"),
    ([3], "tools[0] must be a mapping, got 3"),
    ([function(), {"type": "custom"}], "tools[1].type must be one of function, got 'custom'"),
    ([{"type": "function"}], "tools[0].function must be a mapping, got None"),
    ([function(name=None)], "tools[0].function.name must be a str, got None"),
    ([function(description=3)], "tools[0].function.description must be a str or None, got 3"),
    ([function(parameters=[3])], "tools[0].function.parameters must be a mapping, got [3]"),
    ([function(parameters={"properties": [3]})], "tools[0].function.parameters.properties must be a mapping, got [3]"),
    (
        [function(parameters={"properties": {"a": 3}})],
        "tools[0].function.parameters.properties.a must be a mapping, got 3",
    ),
    (
        [function(parameters={"properties": {"a": {"enum": "xy"}}})],
        "tools[0].function.parameters.properties.a.enum must be a list or None, got 'xy'",
    ),
    (
        [function(parameters={"properties": {"a": {"default": {3}}}})],
        "tools[0].function.parameters.properties.a.default must be JSON: ",
    ),
]


@pytest.mark.parametrize(("tools", "message"), BAD_TOOLS)
def test_tools_of_another_shape_are_refused_by_index_and_field(tools: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        count_chat_tokens([], model="gpt-4o", tools=tools)

    assert str(refusal.value).startswith(message)


def test_schemas_without_end_are_refused() -> None:
    endless: dict[str, Any] = {"type": "object"}
    endless["properties"] = {"again": endless}

    with pytest.raises(InputError, match=r"^tools\[0\].function.parameters is nested too deeply"):
        count_chat_tokens([], model="gpt-4o", tools=[function(parameters=endless)])


def test_a_model_that_is_no_name_is_refused() -> None:
    with pytest.raises(ConfigError, match="model must be the name of a model, got ''"):
        count_chat_tokens([], model="")
    with pytest.raises(ConfigError, match="no rule for images is known for the model 'llama-3'"):
        count_images(image(), model="llama-3", sizes=[(1, 1)])
