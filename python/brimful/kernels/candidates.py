"""What a selection chooses among, read once and checked: texts or vectors, what they are worth and what they cost."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from brimful.config import MAX_TOKENS, as_finite, show
from brimful.errors import ConfigError, InputError
from brimful.kernels.texts import check_texts
from brimful.kernels.vectors import as_row, as_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from brimful.kernels.vectors import Row, Rows


@dataclass(frozen=True, slots=True)
class Candidates:
    """Texts with a query that is a text, or vectors with one that is a vector; without a query, the relevance."""

    query: str | Row | None
    items: list[str] | Rows
    relevance: NDArray[np.float64] | None
    costs: NDArray[np.int64] | None


def read_candidates(
    query: str | ArrayLike | None,
    candidates: Iterable[str] | ArrayLike,
    *,
    relevance: Sequence[float] | None,
    costs: Sequence[int] | None,
    budget: int | None,
) -> Candidates:
    """Read the arguments of a selection.

    Raises InputError for what cannot be used, with its index, and ConfigError for a budget without costs.
    """
    items = _read_items(candidates)
    if budget is not None and costs is None:
        message = "budget needs costs, one a candidate"
        raise ConfigError(message)
    if query is None and relevance is None and len(items):
        message = "relevance must be given where query is None"
        raise InputError(message)
    return Candidates(
        query=_read_query(query, items),
        items=items,
        relevance=None if relevance is None else _read_relevance(relevance, len(items)),
        costs=None if costs is None else _read_counts("costs", costs, len(items)),
    )


def _read_items(candidates: Iterable[str] | ArrayLike) -> list[str] | Rows:
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    if isinstance(candidates, np.ndarray) and candidates.dtype.kind != "U":
        return [] if candidates.shape == (0,) else as_rows(candidates, name="candidates")
    if isinstance(candidates, (str, bytes)) or not isinstance(candidates, Iterable):
        return check_texts(candidates, name="candidates")
    listed = list(candidates)
    if not listed or isinstance(listed[0], str):
        return check_texts(listed, name="candidates")
    return as_rows(cast("ArrayLike", listed), name="candidates")


def _read_query(query: str | ArrayLike | None, items: list[str] | Rows) -> str | Row | None:
    if query is None or not len(items):
        return None
    if isinstance(items, list):
        return check_texts([query], name="query")[0]
    return as_row(query, like=items, name="query")


def _read_relevance(values: Sequence[float], count: int) -> NDArray[np.float64]:
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    listed = _listed("relevance", values, count)
    given = np.asarray(listed)
    if given.dtype.kind in "iuf" and given.ndim == 1 and np.isfinite(given).all():
        return np.ascontiguousarray(given, dtype=np.float64)
    for index, value in enumerate(listed):
        if as_finite(value) is None:
            message = f"relevance[{index}] must be a finite number, got {show(value)}"
            raise InputError(message)
    return np.array([as_finite(value) for value in listed], dtype=np.float64)


def read_budgets(budgets: Sequence[int], count: int) -> NDArray[np.int64]:
    """Read one budget a text."""
    return _read_counts("budgets", budgets, count)


def _read_counts(name: str, values: Sequence[int], count: int) -> NDArray[np.int64]:
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    listed = _listed(name, values, count)
    given = np.asarray(listed)
    if given.dtype.kind in "iu" and given.ndim == 1 and ((given >= 0) & (given <= MAX_TOKENS)).all():
        return np.ascontiguousarray(given, dtype=np.int64)
    for index, value in enumerate(listed):
        if not _is_count(value):
            message = f"{name}[{index}] must be a whole number from 0 to {MAX_TOKENS:,}, got {show(value)}"
            raise InputError(message)
    return np.array([int(value) for value in listed], dtype=np.int64)


def _is_count(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, numbers.Integral) and 0 <= int(value) <= MAX_TOKENS


def _listed(name: str, values: Iterable[float], count: int) -> NDArray[np.generic] | list[float]:
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        message = f"{name} must be {count:,} numbers, one a text or vector, got {show(values)}"
        raise InputError(message)
    listed = values if isinstance(values, np.ndarray) else list(values)
    if len(listed) != count:
        message = f"{name} must be {count:,} numbers, one a text or vector, got {len(listed):,}"
        raise InputError(message)
    return listed
