"""How alike packets are: by the vectors of an embedder, or by words where there is none or it failed."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from brimful.config import show
from brimful.errors import ConfigError, EmbeddingError, InputError
from brimful.kernels.texts import is_unordered
from brimful.kernels.vectors import as_rows, check_finite_rows
from brimful.stages.awaiting import give_up
from brimful.stages.similarity import cosines, text_cosines

if TYPE_CHECKING:
    from brimful.builders.packets.config import PacketConfig
    from brimful.builders.packets.embedders import TextEmbedder
    from brimful.builders.packets.front_door import Request
    from brimful.kernels.vectors import Rows


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of the query and of the candidates; None where words decide. `warning` says why, if unasked."""

    vectors: Rows | None = None
    warning: str | None = None

    def relevance(self, texts: list[str]) -> list[float]:
        """Return the cosine of each candidate with the query, which is the first of the texts."""
        if self.vectors is None:
            return text_cosines(texts[0], texts[1:])
        return cosines(self.vectors[0], self.vectors[1:])


def choose_embedder(request: Request, config: PacketConfig) -> TextEmbedder | None:
    """Return the embedder to ask: none where packets are not chosen by similarity, or there is nothing to choose."""
    return config.text_embedder if config.enable_mmr and request.candidates else None


def embed(embedder: TextEmbedder | None, request: Request) -> Embedded:
    """Ask an embedder once for all texts. One that fails is recorded, and words decide.

    Raises ConfigError for one that is async, EmbeddingError for vectors that are too few or no vectors.
    """
    if embedder is None:
        return Embedded()
    if is_async(embedder):
        raise _refuse_async(embedder)
    texts = request.to_embed()
    count = len(texts)  # the list is the embedder's from here on
    try:
        answer = embedder(texts)
    except Exception as error:  # noqa: BLE001 - whatever an embedder raises: the seed falls back
        return _fall_back(error)
    if inspect.isawaitable(answer):
        give_up(answer)
        raise _refuse_async(embedder)
    return read_vectors(answer, count)


async def aembed(embedder: TextEmbedder | None, request: Request) -> Embedded:
    """Do the same with an embedder that may be async; one that is not is called in a thread.

    Raises EmbeddingError for vectors that are too few or no vectors.
    """
    if embedder is None:
        return Embedded()
    import asyncio  # noqa: PLC0415 - importing brimful must not load asyncio

    texts = request.to_embed()
    count = len(texts)  # the list is the embedder's from here on
    try:
        answer = embedder(texts) if is_async(embedder) else await asyncio.to_thread(embedder, texts)
        if inspect.isawaitable(answer):
            answer = await answer
    except Exception as error:  # noqa: BLE001 - whatever an embedder raises: the seed falls back
        return _fall_back(error)
    return read_vectors(answer, count)


def is_async(embedder: TextEmbedder) -> bool:
    """Whether a function, or an object that is called as one, is written with `async`."""
    return inspect.iscoroutinefunction(embedder) or inspect.iscoroutinefunction(getattr(embedder, "__call__", None))  # noqa: B004 - the method itself is asked for


def read_vectors(answer: object, count: int) -> Embedded:
    """Read one vector a text; None counts as a failure, and so does what fails while it is read.

    Raises EmbeddingError for too few or too many, for different sizes, and for what is no finite number.
    """
    if answer is None:
        return _fall_back(EmbeddingError("it gave None"))
    if is_unordered(answer) or not isinstance(answer, Iterable):
        message = f"the embedder must give {count:,} vectors, got {show(answer)}"
        raise EmbeddingError(message)
    try:
        vectors: Any = answer if hasattr(answer, "__array__") else list(cast("Iterable[object]", answer))
    except Exception as error:  # noqa: BLE001 - an embedder with `yield` works, and fails, while it is read
        return _fall_back(error)
    if len(vectors) != count:
        message = f"the embedder must give {count:,} vectors, one for the query and one a packet, got {len(vectors):,}"
        raise EmbeddingError(message)
    try:
        rows = as_rows(vectors, name="vectors of the embedder")
        check_finite_rows(rows, name="vectors of the embedder")
    except InputError as error:
        raise EmbeddingError(str(error)) from None
    return Embedded(rows)


def _fall_back(error: Exception) -> Embedded:
    return Embedded(warning=f"the embedder failed, so words (TF-IDF) say what is similar: {show(error)}")


def _refuse_async(embedder: TextEmbedder) -> ConfigError:
    return ConfigError(
        f"embedder is async, which `build` cannot wait for: use `await builder.abuild(...)`, got {show(embedder)}"
    )
