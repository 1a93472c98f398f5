"""The checks around `tfidf_similarities`: what both back ends accept, refuse and return."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from brimful.config import check_flag, show
from brimful.errors import InputError
from brimful.kernels.columns import floats
from brimful.kernels.texts import check_text, check_texts, is_unordered, sound_texts
from brimful.types import TextSimilarities

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from brimful.kernels.boundary import CheckedKernels

MOST_COMPARED: Final = 2**14
"""Texts among which cosines are given: those take 2 GiB then."""


def tfidf_similarities(
    kernels: CheckedKernels,
    query: str | None,
    texts: Iterable[str],
    *,
    among: Iterable[int] | None = None,
    include_query: bool = True,
) -> TextSimilarities:
    """Compare each text with the query, and those that `among` names (None: all) with each other."""
    check_flag("include_query", include_query)
    asked = None if query is None else check_text(query, name="query")
    sound = sound_texts(check_texts(texts))
    chosen = _read_indices(among, len(sound))
    scores, cosines = kernels.raw.tfidf_similarities(asked, sound, chosen, include_query=include_query)
    pairwise = floats(cosines).reshape(len(chosen), len(chosen))
    return TextSimilarities(scores=floats(scores), pairwise=pairwise)


def _read_indices(among: Iterable[int] | None, count: int) -> NDArray[np.int64]:
    if among is not None and is_unordered(among):
        message = f"among must be indices in an order, got {show(among)}"
        raise InputError(message)
    chosen = list(range(count) if among is None else cast("Iterable[object]", among))
    for place, index in enumerate(chosen):
        if isinstance(index, bool) or not isinstance(index, numbers.Integral) or not 0 <= int(index) < count:
            message = f"among[{place}] must be an index of the {count:,} texts, from 0 on, got {show(index)}"
            raise InputError(message)
    if len(chosen) > MOST_COMPARED:
        message = f"among must name at most {MOST_COMPARED:,} texts, got {len(chosen):,}"
        raise InputError(message)
    return np.array(chosen, dtype=np.int64)
