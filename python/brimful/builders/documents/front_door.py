"""The front door: a request is read once and checked, or refused with the place of what is wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from brimful.config import as_finite, show
from brimful.errors import InputError
from brimful.kernels.texts import plain_text
from brimful.stages.inputs import check_fields, read_field, read_items

if TYPE_CHECKING:
    from brimful.builders.documents.types import Document, Message

DOCUMENT_FIELDS: Final = ("content", "source", "score")
"""What a document must have; what else there is goes into a copy of it."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a build works on. Documents are named by their index; `scores` are finite floats.

    `budget` is `tokens_budget`, the one given, rounded down.
    """

    query: str
    documents: list[Document]
    contents: list[str]
    scores: list[float]
    budget: int
    tokens_budget: int


def read_request(request: Any) -> Gathered:  # noqa: ANN401 - the original's own request will do
    """Read a request: anything with its fields will do, and so will an iterator of documents.

    Raises InputError for documents that are in no order or have no content, for scores that are not finite and for a
    budget that is no number.
    """
    check_fields("request", request, ("documents", "max_context_tokens"), "a PromptRequest")
    documents = read_items("documents", request.documents)
    contents, _, scores = (read_field("documents", documents, field, "a Document") for field in DOCUMENT_FIELDS)
    for index, content in enumerate(contents):
        if type(content) is not str:  # most are
            _check_content(f"documents[{index}]", content)
            contents[index] = plain_text(content)
    budget = as_finite(request.max_context_tokens)
    if budget is None:
        message = f"max_context_tokens must be a finite number, got {show(request.max_context_tokens)}"
        raise InputError(message)
    query = getattr(request, "query", None)
    return Gathered(
        query=query if isinstance(query, str) else "",
        documents=documents,
        contents=contents,
        scores=_read_scores(scores),
        budget=math.floor(budget),
        tokens_budget=request.max_context_tokens,
    )


def read_messages(memory: object, kept: slice) -> list[tuple[str, str]]:
    """Read the role and the content of the messages in a slice."""
    messages = read_items("memory", memory)
    return [_read_message(f"memory[{index}]", messages[index]) for index in range(len(messages))[kept]]


def _read_message(place: str, message: Message) -> tuple[str, str]:
    check_fields(place, message, ("role", "content"), "a Message")
    _check_content(place, message.content)
    return message.role, plain_text(message.content)


def _check_content(place: str, content: object) -> None:
    if not isinstance(content, str):
        message = f"{place}.content must be a str, got {show(content)}"
        raise InputError(message)


def _read_scores(scores: list[object]) -> list[float]:
    """Return scores as finite floats; True and False are 1 and 0, as in the original."""
    numbers = []
    for index, score in enumerate(scores):
        number = float(score) if isinstance(score, bool) else as_finite(score)
        if number is None:
            message = f"documents[{index}].score must be a finite number, got {show(score)}"
            raise InputError(message)
        numbers.append(number)
    return numbers
