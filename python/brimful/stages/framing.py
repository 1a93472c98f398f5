"""What a chat costs: messages, the reply's beginning, tools and images.

Source for messages: OpenAI cookbook, "How to count tokens with tiktoken", part 6, which gives the API's own figures for
GPT-3.5, GPT-4 and GPT-4o beside the rule's:

* a message costs 3 tokens and those of its role and content, and with a name 1 more and those of the name;
* the reply begins with 3 tokens.

The cookbook calls its rule an estimate: providers may change what they bill. What it does not say is counted by rules
that users of the API found: the text parts of a content one by one, a refusal as content, a tool call with the tokens
of its name and arguments and 3 more. Ids are not counted. Tools and images: `tool_framing` and `images`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from brimful.config import Detail, show
from brimful.errors import InputError
from brimful.kernels.texts import is_unordered
from brimful.stages.images import Tiles, check_side, image_rule
from brimful.stages.models import check_model, encoding_of_model, find_family, for_model, plain_name
from brimful.stages.shapes import Framed, check_field, combine, read_list, read_mapping, read_word, refuse
from brimful.stages.tool_framing import frame_tools

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MESSAGE: Final = 3
NAME: Final = 1
REPLY: Final = 3
CALL: Final = 3
ROLES: Final = ("system", "developer", "user", "assistant", "tool", "function")
BORNE_OUT: Final = ("gpt-3.5", "gpt-35-turbo", "gpt-4", "gpt-4o")
"""Families for which the source gives the figures of the API beside those of the rule."""
OTHERWISE: Final = ("audio", "vision", "realtime", "search", "transcribe", "tts", "0301")
"""In the name of a model of these families: it is framed in a way that the source does not give, or no longer."""

_PLAIN: Final = ("role", "content", "name")
"""What the messages have for which the source gives figures of the API."""

_FIELDS: Final = ("role", "content", "name", "refusal", "tool_calls", "tool_call_id", "function_call", "annotations")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTokens:
    """The tokens of a chat: of each message with its frame, of all tool definitions, and of the reply's beginning.

    `approximate` is False where the texts were counted exactly and every rule used is borne out by figures of the
    API: messages of text for GPT-3.5, GPT-4 and GPT-4o.
    """

    messages: tuple[int, ...]
    tools: int
    reply: int
    approximate: bool

    @property
    def total(self) -> int:
        """All of it: what a request costs before the first token of the answer."""
        return sum(self.messages) + self.tools + self.reply


def count_chat_tokens(
    messages: Iterable[Mapping[str, Any]],
    *,
    model: str,
    tools: Iterable[Mapping[str, Any]] | None = None,
    image_sizes: Sequence[tuple[int, int]] | None = None,
) -> ChatTokens:
    """Return what messages and tool definitions in the format of OpenAI's chat completions cost a model.

    Texts are counted by `for_model(model)`, frames by the published rules named in `brimful.stages.framing`.
    `image_sizes` has the (width, height) in pixels of every image, in the order in which they stand in the messages;
    it may be left out where all are of low detail and the model counts in tiles. Linear in the texts, in one batch.

    Raises ConfigError for a model that is no name, InputError that names the message and the field for what has
    another shape, cannot be counted (sound, files) or is not known.

    >>> count_chat_tokens([{"role": "user", "content": "hello world"}], model="gpt-4o")
    ChatTokens(messages=(6,), tools=0, reply=3, approximate=False)
    >>> count_chat_tokens([{"role": "user", "text": "hello world"}], model="gpt-4o")
    Traceback (most recent call last):
    brimful.errors.InputError: messages[0].text is not a field of a message, which are role, content, name, ...
    """
    counter, encoding = for_model(model), encoding_of_model(model)
    parts = [*frame_messages(messages, model=model, image_sizes=image_sizes), frame_tools(tools, encoding)]
    counts = iter(counter.count([text for part in parts for text in part.texts]))
    *costs, definitions = (part.fixed + sum(next(counts) for _ in part.texts) for part in parts)
    borne_out = is_borne_out(model) and all(part.published for part in parts)
    return ChatTokens(messages=tuple(costs), tools=definitions, reply=REPLY, approximate=not borne_out)


def frame_messages(
    messages: object, *, model: str | None, image_sizes: object = None, name: str = "messages"
) -> list[Framed]:
    """Return what each message costs, in texts to count and tokens to add; images need a model.

    Raises as `count_chat_tokens` does; `name` is what the messages are called.
    """
    images = _Images(model, image_sizes)
    parts = [_frame_message(f"{name}[{index}]", given, images) for index, given in enumerate(_listed(name, messages))]
    images.finish()
    return parts


def is_borne_out(model: str) -> bool:
    """Whether the source gives what the API bills for the messages of a model.

    >>> is_borne_out("gpt-4o-mini"), is_borne_out("gpt-4o-audio-preview")
    (True, False)
    """
    return find_family(model, BORNE_OUT) is not None and not any(part in plain_name(model) for part in OTHERWISE)


def _frame_message(place: str, given: object, images: _Images) -> Framed:
    message = read_mapping(place, given)
    for field in message:
        if field not in _FIELDS and message[field] is not None:
            error = f"{place}.{field} is not a field of a message, which are {', '.join(_FIELDS)}"
            raise InputError(error)
    role = read_word(f"{place}.role", message.get("role"), ROLES)
    plain = isinstance(message.get("content"), str) and all(
        message[field] is None for field in message if field not in _PLAIN
    )
    parts = [
        Framed((role,), MESSAGE, published=plain),
        *_frame_content(f"{place}.content", message.get("content"), images),
    ]
    if (name := check_field(place, message, "name", optional=True)) is not None:
        parts.append(Framed((name,), NAME))
    if (refusal := check_field(place, message, "refusal", optional=True)) is not None:
        parts.append(Framed((refusal,), published=False))
    return combine([*parts, *_frame_calls(place, message)])


def _frame_content(place: str, content: object, images: _Images) -> list[Framed]:
    if content is None:
        return []
    if isinstance(content, str):
        return [Framed((content,))]
    if not isinstance(content, (list, tuple)):
        refuse(place, "a str, a list of parts or None", content)
    return [_frame_part(f"{place}[{index}]", part, images) for index, part in enumerate(content)]


def _frame_part(place: str, given: object, images: _Images) -> Framed:
    part = read_mapping(place, given)
    kind = read_word(f"{place}.type", part.get("type"), ("text", "refusal", "image_url"))
    if kind != "image_url":
        return Framed((check_field(place, part, kind) or "",), published=False)
    return Framed(fixed=images.count(f"{place}.image_url", part.get("image_url")), published=False)


def _frame_calls(place: str, message: Mapping[str, Any]) -> Iterator[Framed]:
    for index, given in enumerate(read_list(place, message, "tool_calls")):
        within = f"{place}.tool_calls[{index}]"
        yield _frame_call(f"{within}.function", read_mapping(within, given).get("function"))
    if message.get("function_call") is not None:
        yield _frame_call(f"{place}.function_call", message["function_call"])


def _frame_call(place: str, given: object) -> Framed:
    call = read_mapping(place, given)
    texts = (check_field(place, call, "name") or "", check_field(place, call, "arguments") or "")
    return Framed(texts, CALL, published=False)


class _Images:
    """The images of a chat, counted one by one with the sizes given."""

    def __init__(self, model: str | None, sizes: object) -> None:
        if sizes is not None and is_unordered(sizes):
            refuse("image_sizes", "(width, height) of each image in an order, or None", sizes)
        self._model = model
        self._sizes: list[object] | None = None if sizes is None else list(sizes)  # type: ignore[call-overload]
        self._seen = 0

    def count(self, place: str, given: object) -> int:
        """Return what the next image costs."""
        chosen = read_mapping(place, given).get("detail")
        detail = "auto" if chosen is None else read_word(f"{place}.detail", chosen, get_args(Detail))
        rule = image_rule(check_model(self._model))
        self._seen += 1
        if self._sizes is None and detail == "low" and isinstance(rule, Tiles):
            return rule.base
        return rule.count(*self._size(place), cast("Detail", detail))

    def _size(self, place: str) -> tuple[int, int]:
        if self._sizes is None or self._seen > len(self._sizes):
            message = f"{place}: its size is needed, image_sizes[{self._seen - 1}] is missing"
            raise InputError(message)
        name = f"image_sizes[{self._seen - 1}]"
        size = self._sizes[self._seen - 1]
        if not isinstance(size, (list, tuple)) or len(size) != 2:  # noqa: PLR2004 - width and height
            refuse(name, "a (width, height)", size)
        return check_side(f"{name}[0]", size[0]), check_side(f"{name}[1]", size[1])

    def finish(self) -> None:
        """Refuse sizes that no image has."""
        if self._sizes is not None and self._seen != len(self._sizes):
            message = f"image_sizes must have one size an image, {self._seen:,}, got {len(self._sizes):,}"
            raise InputError(message)


def _listed(name: str, messages: object) -> list[object]:
    if is_unordered(messages):
        hint = "\nhint: pass `[message]`" if isinstance(messages, Mapping) else ""
        message = f"{name} must be mappings in an order, got {show(messages)}{hint}"
        raise InputError(message)
    return list(messages)  # type: ignore[call-overload,no-any-return]
