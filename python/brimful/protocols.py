"""What a part supplied from outside must offer: one method each, so that anything with that method fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class TokenCounter(Protocol):
    """Counts tokens, a whole batch a call.

    A counter that estimates says so by an attribute `approximate` that is True. What has none is taken for exact.
    """

    def count(self, texts: Sequence[str], /) -> Sequence[int]:
        """Return the tokens of each text, in the order of the texts."""
        ...
