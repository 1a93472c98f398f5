"""What a part supplied from outside must offer: one method each, so that anything with that method fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

Found_co = TypeVar("Found_co", covariant=True)


class TokenCounter(Protocol):
    """Counts tokens, a whole batch a call.

    A counter that estimates says so by an attribute `approximate` that is True. What has none is taken for exact.
    """

    def count(self, texts: Sequence[str], /) -> Sequence[int]:
        """Return the tokens of each text, in the order of the texts."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors, a whole batch a call. An async one has `aembed` beside or instead."""

    def embed(self, texts: Sequence[str], /) -> ArrayLike:
        """Return one row a text, in the order of the texts, all of one length."""
        ...


class Retriever(Protocol[Found_co]):
    """Finds what is relevant to a query. An async one has `asearch` beside or instead."""

    def search(self, query: str, *, top_k: int) -> Sequence[Found_co]:
        """Return at most `top_k` items, the most relevant first."""
        ...
