"""What a selection chooses among comes in arrays of many kinds, and both back ends read the same of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import brimful
from brimful.config import SelectionOptions
from brimful.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from brimful.kernels import CheckedKernels

ROWS = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
NAN = float("nan")


class Tensor:
    """What becomes an array, and nothing else."""

    def __init__(self, values: NDArray[Any]) -> None:
        self.values = values

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]:
        return self.values


class Table(Tensor):
    """A table as data frames are: iterated it gives its columns."""

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return iter(self.values.T)


@pytest.mark.parametrize("rows", [ROWS, ROWS[:2]])
@pytest.mark.parametrize("kind", [Tensor, Table])
def test_what_becomes_an_array_is_read_as_its_array(
    kernels: CheckedKernels, kind: type[Tensor], rows: NDArray[Any]
) -> None:
    options = SelectionOptions(limit=2)

    found = kernels.mmr_select(Tensor(np.array([1.0, 0.5])), kind(rows), options)

    assert found == kernels.mmr_select([1.0, 0.5], rows, options)


@pytest.mark.parametrize("wrap", [np.asarray, Tensor, Table])
@pytest.mark.parametrize("kind", ["U3", object])
def test_a_column_of_texts_is_read_as_its_texts(kernels: CheckedKernels, wrap: Any, kind: Any) -> None:
    texts = ["fox", "hen", "fox"]

    found = kernels.mmr_select("fox", wrap(np.array(texts, dtype=kind)), SelectionOptions())

    assert found == kernels.mmr_select("fox", texts, SelectionOptions())


def test_an_item_of_a_column_that_is_no_text_is_named(kernels: CheckedKernels) -> None:
    with pytest.raises(InputError, match=r"candidates\[1\] must be a str, got None"):
        kernels.mmr_select("fox", np.array(["fox", None], dtype=object), SelectionOptions())


@pytest.mark.parametrize("name", ["costs", "relevance"])
def test_masked_numbers_are_refused_with_their_index(kernels: CheckedKernels, name: str) -> None:
    options = SelectionOptions(budget=3)
    given: dict[str, Any] = {"costs": [1, 1, 1], "relevance": [3, 2, 1]}
    given[name] = np.ma.masked_array(given[name], [False, True, False])

    with pytest.raises(InputError, match=rf"{name}\[1\] must be a .* number.*, got masked"):
        kernels.mmr_select(None, ROWS, options, **given)
    given[name].mask = False
    assert len(kernels.mmr_select(None, ROWS, options, **given).indices) == 3


def test_a_relevance_too_large_for_float64_is_named(kernels: CheckedKernels) -> None:
    relevance: Any = np.array(["1", "1e400", "1"], dtype=np.longdouble)

    with pytest.raises(InputError, match=r"relevance\[1\] must be a finite number"):
        kernels.mmr_select(None, ROWS, SelectionOptions(), relevance=relevance)


@pytest.mark.parametrize("options", [{}, {"relevance": [1, 2, 3]}])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_query_that_is_not_finite_is_named_beside_a_relevance_too(options: dict[str, Any], kind: Any) -> None:
    with pytest.raises(InputError, match=r"query\[1\] must be finite, got nan"):
        brimful.mmr_select([1.0, NAN], ROWS.astype(kind), **options)


def test_a_lambda_of_minus_0_is_0_whatever_was_asked_before() -> None:
    scores = [
        brimful.mmr_select(None, ROWS, relevance=[1, 2, 3], mmr_lambda=share, limit=1).scores.tobytes()
        for share in (-0.0, 0.0, -0.0)
    ]

    assert {np.float64(0.0).tobytes()} == set(scores)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(0, 4), (3, 0)])
def test_an_empty_array_may_lie_anywhere(kernels: CheckedKernels, shape: tuple[int, int], kind: Any) -> None:
    count, width = shape
    packed = bytearray(32)
    vectors = np.frombuffer(packed, kind, offset=1, count=0).reshape(shape)
    query = np.frombuffer(packed, kind, offset=3, count=0)
    relevance: Any = np.frombuffer(packed, offset=5, count=0)
    asked = query if width == 0 else np.ones(width, kind)

    assert kernels.mmr_select(asked, vectors, SelectionOptions()).indices.tolist() == list(range(count))
    if count == 0:
        assert kernels.mmr_select(None, vectors, SelectionOptions(), relevance=relevance).indices.tolist() == []
