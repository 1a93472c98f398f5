"""Where sentences end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from brimful.kernels._python.boundary import heads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def sentence_ends(texts: Sequence[str], /) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return int64 sentences a text, and int64 ends of all of them, text after text, in code points. Linear.

    >>> counts, ends = sentence_ends(["It is wet. Is it?", ""])
    >>> counts.tolist(), ends.tolist()
    ([2, 0], [10, 17])
    """
    found = [_find_ends(text) for text in texts]
    counts = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
    return counts, np.fromiter((end for ends in found for end in ends), dtype=np.int64, count=int(counts.sum()))


def _find_ends(text: str) -> list[int]:
    places = heads(text, "sentence")
    return [place.at for place in places if place.may_end or place.at == len(text)] if text else []
