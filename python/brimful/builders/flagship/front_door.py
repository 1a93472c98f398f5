"""The front door: every input is read once, made whole and made ours, or refused with its index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, TypeAlias, cast

from brimful.config import show
from brimful.errors import InputError
from brimful.kernels import repair_surrogates
from brimful.kernels.vectors import as_row, as_rows, check_finite_rows
from brimful.types import Document

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike

    from brimful.kernels.vectors import Row, Rows

Material: TypeAlias = "Document | str | Mapping[str, Any]"
"""What may stand in `documents`: a mapping has the fields of `Document`."""

DOCUMENT_FIELDS = tuple(field.name for field in fields(Document))


@dataclass(frozen=True, slots=True)
class Request:
    """The inputs of one build, ours from here on; `repaired` holds the indices that had lone surrogates."""

    query: str | None
    documents: tuple[Document, ...]
    repaired: frozenset[int]
    query_repaired: bool
    embeddings: Rows | None = None
    query_embedding: Row | None = None

    def texts(self, items: Iterable[int]) -> list[str]:
        """Return the texts of these documents."""
        return [self.documents[item].text for item in items]


def open_request(
    query: object, documents: object, embeddings: ArrayLike | None = None, query_embedding: ArrayLike | None = None
) -> Request:
    """Read the arguments of `build`, iterables once.

    Raises InputError that names the argument, the index and the value.
    """
    if query is not None and not isinstance(query, str):
        message = f"query must be a str or None, got {show(query)}"
        raise InputError(message)
    given = [read_document(index, item) for index, item in enumerate(_listed(documents))]
    whole = tuple(_repair(document) for document in given)
    repaired = frozenset(index for index, document in enumerate(given) if document is not whole[index])
    whole_query = None if query is None else repair_surrogates(query)
    rows, row = _read_embeddings(embeddings, query_embedding, len(whole))
    return Request(whole_query, whole, repaired, whole_query is not query, rows, row)


def _read_embeddings(
    embeddings: ArrayLike | None, query_embedding: ArrayLike | None, count: int
) -> tuple[Rows | None, Row | None]:
    if embeddings is None:
        if query_embedding is None:
            return None, None
        message = "query_embedding needs embeddings, one row a document"
        raise InputError(message)
    if count == 0:
        return None, None
    rows = as_rows(embeddings, name="embeddings")
    if len(rows) != count:
        message = f"embeddings must have one row a document, {count:,}, got {len(rows):,}"
        raise InputError(message)
    check_finite_rows(rows, name="embeddings")
    row = (
        None if query_embedding is None else as_row(query_embedding, like=rows, name="query_embedding", of="embeddings")
    )
    if row is not None:
        check_finite_rows(row, name="query_embedding")
    return rows, row


def read_document(index: int, item: object) -> Document:
    """Read one item of `documents`."""
    if isinstance(item, Document):
        return item
    try:
        if isinstance(item, str):
            return Document(item)
        if isinstance(item, Mapping):
            return _from_mapping(item)
    except InputError as error:
        message = f"documents[{index}].{error}"
        raise InputError(message) from None
    message = f"documents[{index}] must be a Document, a str or a mapping, got {show(item)}"
    raise InputError(message)


def _from_mapping(item: Mapping[Any, Any]) -> Document:
    for key in item:
        if key not in DOCUMENT_FIELDS:
            message = f"{show(key)} is not a field of a document, which are {', '.join(DOCUMENT_FIELDS)}"
            raise InputError(message)
    if "text" not in item:
        message = f"text is missing, got {show(item)}"
        raise InputError(message)
    options = {key: value for key, value in item.items() if key != "text"}
    if options.get("metadata", {}) is None:
        del options["metadata"]
    return Document(item["text"], **options)


def _listed(documents: object) -> list[object]:
    if documents is None:
        return []
    if isinstance(documents, (str, bytes, bytearray, Mapping, set, frozenset, Document)) or not isinstance(
        documents, Iterable
    ):
        hint = "\nhint: pass `[document]`" if isinstance(documents, (str, Mapping, Document)) else ""
        message = f"documents must be documents in an order, got {show(documents)}{hint}"
        raise InputError(message)
    return list(cast("Iterable[object]", documents))


def _repair(document: Document) -> Document:
    text = repair_surrogates(document.text)
    id_, source = (None if label is None else repair_surrogates(label) for label in (document.id, document.source))
    if text is document.text and id_ is document.id and source is document.source:
        return document
    return replace(document, text=text, id=id_, source=source)
