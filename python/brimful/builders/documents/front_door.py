"""The front door: a request is read once and checked, or refused with the place of what is wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from brimful.config import as_finite, show
from brimful.errors import InputError
from brimful.stages.inputs import check_fields, read_items

if TYPE_CHECKING:
    from brimful.builders.documents.types import Document, Message

DOCUMENT_FIELDS: Final = ("content", "source", "score")
"""What a document must have; what else there is goes into a copy of it."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a build works on. Documents are named by their index; `scores` are finite floats, `budget` is whole."""

    query: str
    documents: list[Document]
    contents: list[str]
    scores: list[float]
    budget: int


def read_request(request: Any) -> Gathered:  # noqa: ANN401 - the original's own request will do
    """Read a request: anything with its fields will do, and so will an iterator of documents.

    Raises InputError for documents that are in no order or have no content, for scores that are not finite and for a
    budget that is no number.
    """
    check_fields("request", request, ("documents", "max_context_tokens"), "a PromptRequest")
    documents = read_items("documents", request.documents)
    for index, document in enumerate(documents):
        check_fields(f"documents[{index}]", document, DOCUMENT_FIELDS, "a Document")
    contents = [_read_content(f"documents[{index}]", document) for index, document in enumerate(documents)]
    scores = [_read_score(index, document) for index, document in enumerate(documents)]
    budget = as_finite(request.max_context_tokens)
    if budget is None:
        message = f"max_context_tokens must be a finite number, got {show(request.max_context_tokens)}"
        raise InputError(message)
    query = getattr(request, "query", None)
    return Gathered(query if isinstance(query, str) else "", documents, contents, scores, math.floor(budget))


def read_messages(memory: object, kept: slice) -> list[tuple[str, str]]:
    """Read the role and the content of the messages in a slice."""
    messages: list[Message] = read_items("memory", memory)
    chosen = range(len(messages))[kept]
    return [_read_message(f"memory[{index}]", messages[index]) for index in chosen]


def _read_message(place: str, message: Message) -> tuple[str, str]:
    check_fields(place, message, ("role", "content"), "a Message")
    return message.role, _read_content(place, message)


def _read_content(place: str, item: Document | Message) -> str:
    content: object = item.content
    if isinstance(content, str):
        return content
    message = f"{place}.content must be a str, got {show(content)}"
    raise InputError(message)


def _read_score(index: int, document: Document) -> float:
    score = document.score
    number = float(score) if isinstance(score, bool) else as_finite(score)
    if number is not None:
        return number
    message = f"documents[{index}].score must be a finite number, got {show(score)}"
    raise InputError(message)
