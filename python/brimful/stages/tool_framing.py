"""What the definitions of tools cost, by the rule that OpenAI publishes.

Source: OpenAI cookbook, "How to count tokens with tiktoken", part 7. Definitions are given to the model in a notation
of its own; the rule was fitted to what the API bills:

* a function costs 7 tokens, 10 where the model reads cl100k_base, and those of the line `name:description`;
* its properties, if it has any, cost 3, and each property 3 and those of the line `name:type:description`;
* an enumeration costs -3, and 3 and its own tokens for each value;
* all definitions together cost 12. A description's last point is left out.

The published rule ends at the properties of the first level. Here properties within objects and within the items of
arrays cost as much as those of the first level. What else a schema says of a property, like `default` or `anyOf`, costs
its compact JSON: that is more rather than less.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from brimful.errors import InputError
from brimful.kernels.texts import is_unordered
from brimful.stages.shapes import (
    Framed,
    check_field,
    combine,
    read_list,
    read_mapping,
    read_optional,
    read_word,
    refuse,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from brimful.config import Encoding

ALL_FUNCTIONS: Final = 12
PROPERTIES: Final = 3
PROPERTY: Final = 3
ENUMERATION: Final = -3
VALUE: Final = 3

_FUNCTION: Final = ("name", "description", "parameters", "strict")
_TOLD: Final = frozenset({"type", "description", "enum", "properties", "required"})


def frame_tools(tools: object, encoding: Encoding | None) -> Framed:
    """Return what the definitions cost: nothing where there are none.

    Raises InputError that names the tool and the field.
    """
    if tools is None:
        return Framed()
    if is_unordered(tools):
        refuse("tools", "tools in an order or None", tools)
    fixed = 7 if encoding == "o200k_base" else 10
    framed = [_frame_tool(f"tools[{index}]", tool, fixed) for index, tool in enumerate(cast("Iterable[object]", tools))]
    return combine([*framed, Framed(fixed=ALL_FUNCTIONS, published=False)]) if framed else Framed()


def _frame_tool(place: str, tool: object, fixed: int) -> Framed:
    given = read_mapping(place, tool)
    read_word(f"{place}.type", given.get("type"), ("function",))
    place = f"{place}.function"
    function = read_mapping(place, given.get("function"))
    for field in function:
        if field not in _FUNCTION:
            error = f"{place}.{field} is not a field of a function, which are {', '.join(_FUNCTION)}"
            raise InputError(error)
    name = check_field(place, function, "name")
    description = _describe(place, function)
    parameters = read_optional(place, function, "parameters")
    try:
        said = list(_frame_schema(f"{place}.parameters", parameters))
    except RecursionError as error:
        message = f"{place}.parameters is nested too deeply"
        raise InputError(message) from error
    return combine([Framed((f"{name}:{description}",), fixed), *said])


def _frame_properties(place: str, schema: Mapping[str, Any]) -> Iterator[Framed]:
    properties = read_optional(place, schema, "properties")
    if properties:
        yield Framed(fixed=PROPERTIES)
    for name, given in properties.items():
        within = f"{place}.properties.{name}"
        property_ = read_mapping(within, given)
        yield Framed((f"{name}:{_type(within, property_)}:{_describe(within, property_)}",), PROPERTY)
        yield from _frame_schema(within, property_)


def _frame_schema(place: str, schema: Mapping[str, Any]) -> Iterator[Framed]:
    """Frame what a schema says beside its type and description."""
    values = read_list(place, schema, "enum")
    if values:
        yield Framed(tuple(map(_as_text, values)), ENUMERATION + VALUE * len(values))
    yield from _frame_properties(place, schema)
    if isinstance(schema.get("items"), Mapping):
        yield from _frame_schema(f"{place}.items", schema["items"])
    yield Framed(tuple(_leftovers(place, schema)))


def _leftovers(place: str, schema: Mapping[str, Any]) -> Iterator[str]:
    for key, value in schema.items():
        framed = key == "items" and isinstance(value, Mapping)
        if key not in _TOLD and not framed and not isinstance(value, bool):
            try:
                yield json.dumps({key: value}, ensure_ascii=False, separators=(",", ":"))
            except (TypeError, ValueError, RecursionError) as error:
                message = f"{place}.{key} must be JSON: {error}"
                raise InputError(message) from error


def _describe(place: str, schema: Mapping[str, Any]) -> str:
    description = check_field(place, schema, "description", optional=True) or ""
    return description.removesuffix(".")


def _type(place: str, schema: Mapping[str, Any]) -> str:
    kind = schema.get("type")
    kinds = kind if isinstance(kind, (list, tuple)) else ["any" if kind is None else kind]
    if not all(isinstance(one, str) for one in kinds):
        refuse(f"{place}.type", "a str, a list of str or None", kind)
    return " | ".join(kinds)


def _as_text(value: object) -> str:
    try:
        return value if isinstance(value, str) else json.dumps(value, default=str)
    except (TypeError, ValueError) as error:
        message = f"a value of an enum must be JSON: {error}"
        raise InputError(message) from error
