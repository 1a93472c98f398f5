"""as_rows and as_row: what is no vector is refused with its place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from brimful.errors import InputError
from brimful.kernels.vectors import as_row, as_rows, check_finite_rows

ROWS = "rows must be numbers in rows of one length, got "
ROW = "row must be a vector of numbers, got "
RECURSIVE: list[Any] = []
RECURSIVE.append(RECURSIVE)


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([[1, 2], [3, 4], [5]], f"{ROWS}[5] for rows[2]"),
        ((np.ones(2), np.ones(3)), f"{ROWS}array([1., 1., 1.]) for rows[1]"),
        ([[1, 2], None], f"{ROWS}None for rows[1]"),
        ([[1, 2], [3, None]], f"{ROWS}None for rows[1][1]"),
        ([[1, 2], (3, "4")], f"{ROWS}'4' for rows[1][1]"),
        ([[1, 2], "34"], f"{ROWS}'34' for rows[1]"),
        ([[1, 2], [3, 2**70]], f"{ROWS}{2**70} for rows[1][1]"),
        ([[1, 2j]], f"{ROWS}2j for rows[0][1]"),
        ([[1], [[2]]], f"{ROWS}[[2]] for rows[1]"),
        ([[[1, None]]], f"{ROWS}[1, None] for rows[0][0]"),
        (RECURSIVE, f"{ROWS}[[[["),
        (np.array([[1, None]]), f"{ROWS}array([[1, None]], dtype=object)"),
        (
            np.ma.masked_array([[1, 2], [3, 4]], [[False, False], [False, True]]),
            "rows[1][1] must be a number, got a masked one",
        ),
    ],
)
def test_what_is_no_row_of_numbers_is_named(vectors: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        as_rows(vectors, name="rows")

    assert str(refusal.value).startswith(message)


@pytest.mark.parametrize(
    ("vector", "message"),
    [
        ([1, None], f"{ROW}None for row[1]"),
        ([1, [2]], f"{ROW}[2] for row[1]"),
        ("12", f"{ROW}'12'"),
        (np.ma.masked_array([1, 2], [True, False]), "row[0] must be a number, got a masked one"),
    ],
)
def test_what_is_no_number_of_a_vector_is_named(vector: Any, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        as_row(vector, like=np.eye(2), name="row")

    assert str(refusal.value) == message


def test_a_mask_that_masks_nothing_is_no_hindrance() -> None:
    rows = np.ma.masked_array([[1.0, 2.0]], [[False, False]])

    assert as_rows(rows).tolist() == [[1.0, 2.0]]
    assert as_row(rows[0], like=np.eye(2), name="row").tolist() == [1.0, 2.0]


def test_what_is_too_large_for_float64_is_an_infinity() -> None:
    rows = as_rows(np.array([["1e308", "1e400"]], dtype=np.longdouble))

    with pytest.raises(InputError, match=r"rows\[0\]\[1\] must be finite, got inf"):
        check_finite_rows(rows, name="rows")
