"""Texts from whatever holds them: read once, checked, and sound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, cast

from brimful.config import show
from brimful.errors import InputError

_PLAIN: Final = frozenset({str})


def is_unordered(values: object) -> bool:
    """Whether these are no items in an order: a bare text, a mapping, a set, a single thing."""
    if type(values) is list:  # most are; to ask for abstract classes is slow
        return False
    if isinstance(values, (str, bytes, bytearray, Mapping, set, frozenset)) or not isinstance(values, Iterable):
        return True
    return getattr(values, "ndim", 1) == 0  # an array of one thing says that it can be iterated


def check_text(text: object, *, name: str) -> str:
    """`text`, which must be a `str`, with its surrogates repaired."""
    if isinstance(text, str):
        return repair_surrogates(plain_text(text))
    message = f"{name} must be a str, got {show(text)}"
    raise InputError(message)


def check_texts(texts: object, *, name: str = "texts") -> list[str]:
    """`texts` as a list, read once, every item a plain `str`.

    Raises InputError for a bare `str` (with the hint), for what cannot be iterated, for a set, whose order is
    another in every process, and for an item that is no `str`, with its index.

    >>> check_texts(["a", None])
    Traceback (most recent call last):
    brimful.errors.InputError: texts[1] must be a str, got None
    """
    if is_unordered(texts):
        hint = f"\nhint: pass `[{_singular(name)}]`" if isinstance(texts, str) else ""
        message = f"{name} must be str in an order, got {show(texts)}{hint}"
        raise InputError(message)
    listed: list[str] = list(cast("Iterable[str]", texts))
    if _PLAIN.issuperset(map(type, listed)):  # most are
        return listed
    for index, text in enumerate(listed):
        if type(text) is not str:
            if not isinstance(cast("object", text), str):
                message = f"{name}[{index}] must be a str, got {show(text)}"
                raise InputError(message)
            listed[index] = plain_text(text)
    return listed


def plain_text(text: str) -> str:
    """`text` as a `str` and nothing more: a subclass may have methods of its own, which no rule here goes by."""
    return text if type(text) is str else str.__str__(text)


def _singular(name: str) -> str:
    return f"{name.removesuffix('ies')}y" if name.endswith("ies") else name.removesuffix("s")


def repair_surrogates(text: str) -> str:
    """`text` with split surrogate pairs joined and lone surrogates replaced by U+FFFD; the same object if sound."""
    if text.isascii():  # a flag of the string, where to encode it is a copy
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def sound_texts(texts: list[str]) -> list[str]:
    """Repair every text; the same list where all are ASCII.

    `isascii` reads a flag of the string, so that costs next to nothing.
    """
    if all(map(str.isascii, texts)):
        return texts
    return [text if text.isascii() else repair_surrogates(text) for text in texts]
