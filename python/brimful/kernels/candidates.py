"""What a selection chooses among, read once and checked: texts or vectors, what they are worth and what they cost."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from brimful.config import MAX_TOKENS, as_finite, show
from brimful.errors import ConfigError, InputError
from brimful.kernels.texts import check_text, check_texts, is_unordered, sound_texts
from brimful.kernels.vectors import as_row, as_rows, check_finite_rows, is_masked

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from brimful.config import SelectionOptions
    from brimful.kernels.vectors import Row, Rows


class Candidates(NamedTuple):
    """Texts with a query that is a text, or vectors with one that is a vector; or the relevance in place of a query."""

    query: str | Row | None
    items: list[str] | Rows
    relevance: NDArray[np.float64] | None
    costs: NDArray[np.int64] | None
    texts: list[str] | None


def read_candidates(
    query: str | ArrayLike | None,
    candidates: Iterable[str] | ArrayLike,
    relevance: Sequence[float] | None,
    costs: Sequence[int] | None,
    *,
    texts: Iterable[str] | None,
    options: SelectionOptions,
) -> Candidates:
    """Read the arguments of a selection.

    Raises InputError for what cannot be used, with its index, and ConfigError for a budget of which it is not said, or
    said twice, what candidates cost, and for texts without an encoding.
    """
    items = _read_items(candidates)
    if options.budget is not None or options.encoding is not None:
        _check_prices(items, options, costs=costs is not None, texts=texts is not None)
    if query is None and relevance is None and len(items):
        message = "relevance must be given where query is None"
        raise InputError(message)
    asked = _read_query(query, items)
    if relevance is not None:
        # No kernel will see the query.
        if isinstance(asked, np.ndarray):
            check_finite_rows(asked, name="query")
        asked = None
    return Candidates(
        asked,
        items,
        None if relevance is None else read_scores("relevance", relevance, len(items)),
        None if costs is None else _read_counts("costs", costs, len(items)),
        None if texts is None else _read_texts(texts, items, options),
    )


def _check_prices(items: list[str] | Rows, options: SelectionOptions, *, costs: bool, texts: bool) -> None:
    if options.encoding is None:
        message = "" if costs else "budget needs costs, one a candidate, or an encoding to count them in"
    elif costs:
        message = f"one of costs and encoding may be given, got costs and encoding {show(options.encoding)}"
    elif isinstance(items, list) or texts:
        message = ""
    else:
        message = "encoding needs texts, one a vector"
    if message:
        raise ConfigError(message)


def _read_texts(texts: Iterable[str], items: list[str] | Rows, options: SelectionOptions) -> list[str]:
    if isinstance(items, list) and items:
        message = "texts go with vectors only: candidates that are texts are counted themselves"
        raise InputError(message)
    listed = sound_texts(check_texts(texts))
    if len(listed) != len(items):
        message = f"texts must be {len(items):,} str, one a vector, got {len(listed):,}"
        raise InputError(message)
    if options.encoding is None:
        message = "texts need an encoding to be counted in"
        raise ConfigError(message)
    return listed


def _read_items(candidates: Iterable[str] | ArrayLike) -> list[str] | Rows:
    if _is_like_an_array(candidates):
        candidates = np.asarray(candidates)
    if isinstance(candidates, np.ndarray) and not _holds_texts(candidates):
        return [] if candidates.shape == (0,) else as_rows(candidates, name="candidates")
    if is_unordered(candidates):
        return check_texts(candidates, name="candidates")
    listed = list(cast("Iterable[object]", candidates))
    if not listed or isinstance(listed[0], str):
        return check_texts(listed, name="candidates")
    return as_rows(cast("ArrayLike", listed), name="candidates")


def _is_like_an_array(candidates: object) -> bool:
    """Whether this is no array but becomes one as a whole: to iterate a table would give its columns."""
    is_like = isinstance(candidates, memoryview) or hasattr(candidates, "__array__")
    return is_like and not isinstance(candidates, (np.ndarray, str, bytes))


def _holds_texts(candidates: NDArray[np.generic]) -> bool:
    """Whether this is a column of texts: of a type for strings, or of objects as tables have them."""
    if candidates.ndim != 1 or not len(candidates):
        return False
    return candidates.dtype.kind in "UT" or (candidates.dtype.kind == "O" and isinstance(candidates[0], str))


def _read_query(query: str | ArrayLike | None, items: list[str] | Rows) -> str | Row | None:
    if query is None or not len(items):
        return None
    if isinstance(items, list):
        return check_text(query, name="query")
    return as_row(query, like=items, name="query")


def read_scores(name: str, values: ArrayLike, count: int) -> NDArray[np.float64]:
    """Read one finite number a text or vector.

    Raises InputError for another length, and for what is no finite number, with its index.
    """
    listed = _listed(name, values, count)
    if isinstance(listed, np.ndarray) and listed.dtype.kind in "iuf" and listed.size:  # what is empty may lie anywhere
        with np.errstate(over="ignore"):  # a longdouble beyond float64 is named below
            column = np.require(listed, np.float64, ["C", "A"])
        if np.isfinite(column).all():
            return cast("NDArray[np.float64]", column)
    numbers_read = [as_finite(value) for value in listed]
    for index, number in enumerate(numbers_read):
        if number is None:
            message = f"{name}[{index}] must be a finite number, got {show(listed[index])}"
            raise InputError(message)
    return np.array(numbers_read, dtype=np.float64)


def read_budgets(budgets: Sequence[int], count: int) -> NDArray[np.int64]:
    """Read one budget a text."""
    return _read_counts("budgets", budgets, count)


def _read_counts(name: str, values: Sequence[int], count: int) -> NDArray[np.int64]:
    listed = _listed(name, values, count)
    if isinstance(listed, np.ndarray) and listed.dtype.kind in "iu":
        column = np.require(listed, listed.dtype.newbyteorder("="), ["C", "A"])
        if not len(column) or (int(column.min()) >= 0 and int(column.max()) <= MAX_TOKENS):
            return column.astype(np.int64)
    for index, value in enumerate(listed):
        if not _is_count(value):
            message = f"{name}[{index}] must be a whole number from 0 to {MAX_TOKENS:,}, got {show(value)}"
            raise InputError(message)
    return np.array([int(value) for value in listed], dtype=np.int64)


def _is_count(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, numbers.Integral) and 0 <= int(value) <= MAX_TOKENS


def _listed(name: str, values: object, count: int) -> NDArray[np.generic] | list[Any]:
    """Read one value a text or vector: a flat array as it is, anything else in an order as a list.

    An array with masked values is a list as well: the check of its items refuses what is masked.
    """
    if is_unordered(values) or (isinstance(values, np.ndarray) and values.ndim != 1):
        message = f"{name} must be {count:,} numbers in an order, got {show(values)}"
        raise InputError(message)
    is_array = isinstance(values, np.ndarray) and not is_masked(values)
    listed = cast("NDArray[np.generic]", values) if is_array else list(cast("Iterable[Any]", values))
    if len(listed) != count:
        message = f"{name} must be {count:,} numbers, one a text or vector, got {len(listed):,}"
        raise InputError(message)
    return listed
