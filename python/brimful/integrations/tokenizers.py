"""Counting with a tokenizer of Hugging Face (extra `tokenizers`)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from brimful.config import show
from brimful.errors import ConfigError
from brimful.kernels.texts import check_texts, sound_texts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizers import Tokenizer


@dataclass(frozen=True, slots=True, repr=False)
class TokenizerCounter:
    """A `TokenCounter` around a `tokenizers.Tokenizer`; see `from_tokenizer`."""

    tokenizer: Tokenizer
    approximate: ClassVar[bool] = False

    def __repr__(self) -> str:
        """Name the kind and the size: a tokenizer shows itself with its whole vocabulary."""
        return f"TokenizerCounter({type(self.tokenizer.model).__name__}, {self.tokenizer.get_vocab_size():,} tokens)"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the tokenizer and set it up again: it does not keep all of its settings."""
        return from_tokenizer, (self.tokenizer,)

    def count(self, texts: Iterable[str], /) -> list[int]:
        """Return the tokens of each text."""
        encodings = self.tokenizer.encode_batch_fast(sound_texts(check_texts(texts)), add_special_tokens=False)
        return [len(encoding) for encoding in encodings]


def from_tokenizer(tokenizer: Tokenizer | str | os.PathLike[str]) -> TokenizerCounter:
    """Return a `TokenCounter` that counts with a tokenizer of Hugging Face, or with that of a `tokenizer.json`.

    The text alone is counted: no special tokens are added, and such as stand in it are ordinary text. Padding and
    truncation are taken from a copy; the tokenizer given is not touched. The counter may be shared between threads
    and pickled.

    Raises ConfigError for a file that cannot be read as a tokenizer, for what is none, and where the package
    `tokenizers` is missing.

    >>> from tokenizers import Tokenizer, models, pre_tokenizers
    >>> tokenizer = Tokenizer(models.WordLevel({"water": 0, "is": 1, "?": 2}, unk_token="?"))
    >>> tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    >>> from_tokenizer(tokenizer).count(["water is wet", ""])
    [3, 0]
    """
    copy = _load(tokenizer) if isinstance(tokenizer, (str, os.PathLike)) else _copy(tokenizer)
    copy.no_padding()
    copy.no_truncation()
    copy.encode_special_tokens = True
    return TokenizerCounter(copy)


def _load(path: str | os.PathLike[str]) -> Tokenizer:
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - an extra
    except ImportError as error:
        message = "a tokenizer.json needs the package tokenizers: pip install 'brimful[tokenizers]'"
        raise ConfigError(message) from error
    try:
        return Tokenizer.from_file(os.fspath(path))
    except Exception as error:  # the package raises bare ones
        message = f"tokenizer {show(os.fspath(path))} cannot be read: {show(error)}"
        raise ConfigError(message) from error


def _copy(tokenizer: Tokenizer) -> Tokenizer:
    kind = type(tokenizer)
    if not callable(getattr(tokenizer, "encode_batch_fast", None)):
        message = f"tokenizer must be a tokenizers.Tokenizer or the path of a tokenizer.json, got {show(tokenizer)}"
        raise ConfigError(message)
    try:
        return kind.from_str(tokenizer.to_str())
    except Exception as error:
        message = f"tokenizer cannot be copied: {show(error)}"
        raise ConfigError(message) from error
