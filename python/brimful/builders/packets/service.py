"""Embeddings of a service that answers as OpenAI's does (extra `embeddings`)."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, overload

from brimful.config import check_positive, show
from brimful.errors import ConfigError, EmbeddingError
from brimful.kernels.texts import check_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_TEXTS: Final = 2_048
"""As many texts as OpenAI takes in a request."""


@dataclass(frozen=True, slots=True)
class ServiceEmbedder:
    """Asks `POST {base_url}/embeddings` for vectors, at most 2,048 texts a request, waiting `timeout_s` for each.

    Raises ConfigError where the package httpx2 is missing. `encode` raises EmbeddingError for whatever goes wrong, with
    the cause.
    """

    model: str
    base_url: str
    api_key: str = field(repr=False)
    timeout_s: float = field(default=30.0, kw_only=True)

    def __post_init__(self) -> None:
        """Check the fields, and that there is something to ask with."""
        for name in ("model", "base_url", "api_key"):
            if not isinstance(getattr(self, name), str):
                message = f"{name} must be a str, got a {type(getattr(self, name)).__name__}"  # it may be a secret
                raise ConfigError(message)
        check_positive("timeout_s", self.timeout_s)
        if importlib.util.find_spec("httpx2") is None:
            message = "an embedding service needs httpx2\nhint: pip install 'brimful[embeddings]'"
            raise ConfigError(message)

    @overload  # a str is a sequence of str as well
    def encode(  # type: ignore[overload-overlap]
        self, texts: str, /
    ) -> list[float]: ...
    @overload
    def encode(self, texts: Sequence[str], /) -> list[list[float]]: ...
    def encode(self, texts: str | Sequence[str], /) -> list[float] | list[list[float]]:
        """Return the vector of a text, or one a text of a list."""
        if isinstance(texts, str):
            return self.encode([texts])[0]
        given = check_texts(texts)
        batches = [given[start : start + MOST_TEXTS] for start in range(0, len(given), MOST_TEXTS)]
        return [vector for batch in batches for vector in self._ask(batch)]

    def _ask(self, texts: list[str]) -> list[list[float]]:
        import httpx2  # noqa: PLC0415 - an extra

        try:
            reply = httpx2.post(
                f"{self.base_url.rstrip('/')}/embeddings",
                headers={"Authorization": f"Bearer {self.api_key}"},
                json={"model": self.model, "input": texts},
                timeout=self.timeout_s,
            )
            reply.raise_for_status()
            return _read(reply.json(), len(texts))
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, TypeError, KeyError) as error:
            message = f"the embedding service {show(self.base_url)} failed: {show(error)}"
            raise EmbeddingError(message) from error


def _read(reply: Any, count: int) -> list[list[float]]:  # noqa: ANN401 - JSON of somebody else
    """Put the vectors in the order of the texts: the service numbers them."""
    vectors = {row["index"]: row["embedding"] for row in reply["data"]}
    return [vectors[index] for index in range(count)]
