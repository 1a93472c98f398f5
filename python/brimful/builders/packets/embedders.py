"""Embedders: what is given, adapted; and the seed's own, which hashes words."""

from __future__ import annotations

import inspect
import math
import os
import re
from collections.abc import Sized
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, cast, overload

from brimful.builders.packets.service import ServiceEmbedder
from brimful.config import as_finite, check_integer, show
from brimful.errors import ConfigError, EmbeddingError
from brimful.kernels.texts import check_texts
from brimful.stages.awaiting import give_up

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Sequence
    from typing import TypeAlias

    TextEmbedder: TypeAlias = Callable[[list[str]], Any]
    """A function of texts that gives a vector each, or something to await that does."""

MOST_DIMENSIONS: Final = 2**20
SEED: Final = 5381
FACTOR: Final = 33
MASK: Final = 2**32 - 1
# White space as JavaScript has it: with U+FEFF, and without U+001C to U+001F and U+0085.
WHITE_SPACE: Final = re.compile("[\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")


class MemoryEmbedder(Protocol):
    """An embedder as memories have it."""

    def encode(self, texts: Any, /) -> Any:  # noqa: ANN401 - whatever it gives is checked where it is used
        """Return the vector of a text, or one a text of a list."""
        ...


@dataclass(frozen=True, slots=True)
class HashEmbedder:
    """Hashes words into `dim` counts of length 1. Deterministic; it knows nothing of meaning.

    Words are what stands between white space, in lower case; each adds 1 at `h mod dim`, where h goes over its UTF-16
    units by `h = (33 h) xor unit mod 2^32` from 5381 on. A text without words has zeros. Linear.

    >>> [index for index, value in enumerate(HashEmbedder(16).encode("hello world hello")) if value]
    [7]
    """

    dim: int = 384

    def __post_init__(self) -> None:
        """Check the dimensions."""
        object.__setattr__(self, "dim", check_integer("dim", self.dim, low=1, high=MOST_DIMENSIONS))

    @overload  # a str is a sequence of str as well
    def encode(  # type: ignore[overload-overlap]
        self, texts: str, /
    ) -> list[float]: ...
    @overload
    def encode(self, texts: Sequence[str], /) -> list[list[float]]: ...
    def encode(self, texts: str | Sequence[str], /) -> list[float] | list[list[float]]:
        """Return the vector of a text, or one a text of a list."""
        places: dict[str, int] = {}
        if isinstance(texts, str):
            return self._embed(texts, places)
        return [self._embed(text, places) for text in check_texts(texts)]

    def _embed(self, text: str, places: dict[str, int]) -> list[float]:
        vector = [0.0] * self.dim
        for word in WHITE_SPACE.split(text.lower()):
            if word:
                if word not in places:
                    places[word] = _hash(word) % self.dim
                vector[places[word]] += 1.0
        length = math.sqrt(sum(value * value for value in vector))  # whole numbers: exact in any order
        return [value / length for value in vector] if length else vector


def _hash(word: str) -> int:
    units = memoryview(word.encode("utf-16-le", "surrogatepass"))
    value = SEED
    for low, high in zip(units[::2], units[1::2], strict=True):
        value = (value * FACTOR ^ (low | high << 8)) & MASK
    return value


def create_default_text_embedder(dim: int = 384) -> HashEmbedder | ServiceEmbedder:
    """Return the embedder of a service where the environment names one, else one that hashes words.

    A service is named by EMBEDDING_MODEL_ID, EMBEDDING_API_KEY or LLM_API_KEY, and EMBEDDING_BASE_URL or LLM_BASE_URL
    together. It must offer `POST /embeddings` as OpenAI's does, and needs the extra `embeddings`. `dim` is that of
    hashed words.

    Raises ConfigError for a `dim` that is no whole number above 0, and where the extra is missing.
    """
    hashed = HashEmbedder(dim)
    model = os.environ.get("EMBEDDING_MODEL_ID")
    key = os.environ.get("EMBEDDING_API_KEY") or os.environ.get("LLM_API_KEY")
    url = os.environ.get("EMBEDDING_BASE_URL") or os.environ.get("LLM_BASE_URL")
    return ServiceEmbedder(model, url, key) if model and url and key else hashed


def from_memory_embedder(memory_embedder: MemoryEmbedder) -> TextEmbedder:
    """Return the embedder that asks the `encode` of another, which may be async.

    A flat vector is that of the first text alone. Raises ConfigError for what has no `encode`; what `encode` gives is
    checked when it is asked.

    >>> from_memory_embedder(HashEmbedder(4))(["a b", ""])[1]
    [0.0, 0.0, 0.0, 0.0]
    """
    return MemoryAdapter(check_memory_embedder("memory_embedder", memory_embedder))


@dataclass(frozen=True, slots=True)
class MemoryAdapter:
    """Calls `encode` with texts."""

    embedder: MemoryEmbedder

    def __call__(self, texts: list[str], /) -> Any:  # noqa: ANN401 - rows, or something to await that gives them
        """Return one vector a text, or something to await."""
        answer = self.embedder.encode(texts)
        return AdaptedLater(answer) if inspect.isawaitable(answer) else _adapt(answer)


@dataclass(frozen=True, slots=True)
class AdaptedLater:
    """Something to await, adapted once it is there."""

    answer: Awaitable[object]

    def __await__(self) -> Generator[Any, Any, object]:
        """Wait for the answer."""
        return _adapt((yield from self.answer.__await__()))

    def close(self) -> None:
        """Give the answer up."""
        give_up(self.answer)


def _adapt(answer: object) -> object:
    if answer is None:
        message = "the memory embedder gave None"
        raise EmbeddingError(message)
    if (
        isinstance(answer, Sized)
        and hasattr(answer, "__getitem__")
        and len(answer)
        and as_finite(answer[0]) is not None
    ):
        return [answer]
    return answer


def check_embedder(name: str, value: object) -> TextEmbedder:
    """`value`, which must be a function."""
    if callable(value):
        return cast("TextEmbedder", value)
    hint = "\nhint: pass it as memory_embedder" if hasattr(value, "encode") else ""
    message = f"{name} must be a function of texts, got {show(value)}{hint}"
    raise ConfigError(message)


def check_memory_embedder(name: str, value: object) -> MemoryEmbedder:
    """`value`, which must have a method `encode`."""
    if callable(getattr(value, "encode", None)) and not isinstance(value, (type, str)):
        return cast("MemoryEmbedder", value)
    message = f"{name} must have a method `encode(texts)`, got {show(value)}"
    raise ConfigError(message)
