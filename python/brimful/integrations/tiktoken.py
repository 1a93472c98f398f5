"""Counting with an encoding of tiktoken (extra `tiktoken`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from brimful.config import show
from brimful.errors import ConfigError
from brimful.kernels.texts import check_texts, sound_texts
from brimful.stages.counters import shield

if TYPE_CHECKING:
    from collections.abc import Iterable

    import tiktoken


@dataclass(frozen=True, slots=True)
class TiktokenCounter:
    """A `TokenCounter` around a `tiktoken.Encoding`; see `from_tiktoken`."""

    encoding: tiktoken.Encoding
    approximate: ClassVar[bool] = False

    def count(self, texts: Iterable[str], /) -> list[int]:
        """Return the tokens of each text."""
        sound = sound_texts(check_texts(texts))
        return shield(show(self.encoding), self._count, sound)

    def _count(self, texts: list[str]) -> list[int]:
        return [len(self.encoding.encode_ordinary(text)) for text in texts]


def from_tiktoken(encoding: tiktoken.Encoding) -> TiktokenCounter:
    """Return a `TokenCounter` that counts with an encoding of tiktoken, special tokens as ordinary text.

    For encodings that are not built in, as `p50k_base` or one of your own; for cl100k_base and o200k_base
    `ExactCounter` gives the same counts without tiktoken. The counter may be shared between threads, and pickled where
    tiktoken knows the encoding by its name.

    Raises ConfigError for what is no encoding.

    >>> import tiktoken
    >>> letters = {bytes([byte]): byte for byte in range(256)}
    >>> encoding = tiktoken.Encoding("bytes", pat_str=".", mergeable_ranks=letters, special_tokens={})
    >>> from_tiktoken(encoding).count(["abc", "é"])
    [3, 2]
    """
    if callable(getattr(encoding, "encode_ordinary", None)):
        return TiktokenCounter(encoding)
    message = f"encoding must be a tiktoken.Encoding, got {show(encoding)}"
    raise ConfigError(message)
