"""Public bug reports about arrays, iterables, pickling, threads and sums, as small inputs."""

from __future__ import annotations

import ast
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import brimful
from brimful import ContextBuilder, Document
from brimful.errors import InputError
from brimful.kernels import active
from brimful.kernels.vectors import as_rows, check_finite_rows
from recorded_cases import CASES, run

if TYPE_CHECKING:
    from numpy.typing import NDArray


def matrix() -> NDArray[np.float64]:
    return np.arange(24, dtype=np.float64).reshape(4, 6)


VIEWS = {"m[:, ::2]": matrix()[:, ::2], "m[::-1]": matrix()[::-1], "m[1:3]": matrix()[1:3], "m.T": matrix().T}


@pytest.mark.parametrize("name", VIEWS)
def test_types_numpy_01_a_strided_view_reads_as_its_contiguous_copy(name: str) -> None:
    assert name in CASES["types_numpy-01"]["input"]["views"]
    rows = as_rows(VIEWS[name])

    assert rows.flags.c_contiguous
    assert np.ascontiguousarray(VIEWS[name]).tolist() == rows.tolist()


def test_types_numpy_01_contiguous_rows_are_not_copied() -> None:
    for kind in (np.float32, np.float64):
        given = np.ones((3, 4), dtype=kind)
        assert np.shares_memory(given, as_rows(given))


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "float32", "float16", ">f8", ">f4", "int64"])
def test_types_numpy_03_small_integers_do_not_overflow(kind: str) -> None:
    given = np.array([[100, 100, 100]], dtype=kind)
    given.flags.writeable = False

    [row] = as_rows(given).astype(np.float64)

    assert float(row @ row) == CASES["types_numpy-03"]["expected"]["dot_double"]
    assert as_rows(given).dtype == (np.float32 if kind == "float32" else np.float64)


def test_types_numpy_03_booleans_are_ones_and_zeros() -> None:
    assert as_rows(np.array([[True, False]])).tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (np.array([[1.0]], dtype=object), r"rows must be numbers in rows of one length, got array"),
        ([1.0, 2.0], r"rows must have 2 dimensions \(rows, components\), got 1"),
        ([["a"]], r"rows must be numbers in rows of one length, got 'a' for rows\[0\]\[0\]"),
        ([[1.0], [1.0, 2.0]], r"rows must be numbers in rows of one length, got \[1.0, 2.0\] for rows\[1\]"),
        (np.array([[1j]]), r"rows must be numbers in rows of one length, got array"),
    ],
)
def test_types_numpy_03_what_is_no_matrix_of_numbers_is_refused(vectors: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        as_rows(vectors, name="rows")  # type: ignore[arg-type]


def test_types_numpy_03_a_component_that_is_not_finite_is_named() -> None:
    with pytest.raises(InputError, match=r"rows\[1\]\[0\] must be finite, got nan"):
        check_finite_rows(as_rows([[1.0], [float("nan")]]), name="rows")


def test_types_numpy_05_iterables_are_read_once() -> None:
    texts = ["one text", "another text", "one text"]
    builder = ContextBuilder(200)

    assert builder.build(documents=(text for text in texts)) == builder.build(documents=texts)
    assert brimful.near_duplicates(iter(texts)) == brimful.near_duplicates(texts)
    assert brimful.near_duplicates(dict.fromkeys(texts).keys()).kept.tolist() == [0, 1]
    assert brimful.estimate_tokens(iter(texts)).tolist() == brimful.estimate_tokens(texts).tolist()
    assert brimful.estimate_tokens(np.array(texts)).tolist() == brimful.estimate_tokens(texts).tolist()


def test_native_parity_01_values_cross_to_a_fresh_interpreter(tmp_path: Path) -> None:
    script = """
        import pickle, sys
        from pathlib import Path
        builder, context, found = pickle.loads(Path(sys.argv[1]).read_bytes())
        print(builder.build(query="q", documents=["a b", "a b", "c"]) == context, found.duplicate_of.tolist())
    """
    builder = ContextBuilder(100)
    made = builder, builder.build(query="q", documents=["a b", "a b", "c"]), brimful.near_duplicates(["a", "a"])
    (tmp_path / "values").write_bytes(pickle.dumps(made))

    assert run(script, str(tmp_path / "values")).strip() == "True [-1, 0]"


def test_native_parity_01_values_are_hashable_where_they_hold_hashable_values() -> None:
    context = ContextBuilder(100).build(documents=["a b"])

    assert hash(context) == hash(ContextBuilder(100).build(documents=["a b"]))
    assert hash(Document("a", metadata={"k": [1]})) == hash(Document("a", metadata={"k": [2]}))


def test_native_parity_05_one_builder_and_one_result_are_shared_by_threads() -> None:
    builder = ContextBuilder(60)
    shared = builder.build(query="q", documents=["a b c", "d e f", "a b c"])

    def read(_: int) -> bool:
        again = builder.build(query="q", documents=["a b c", "d e f", "a b c"])
        return again == shared and [decision.fate for decision in shared.trace] == ["included", "included", "dropped"]

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(read, range(3_200 if active().name == "rust" else 320)))


def test_native_parity_09_the_twin_adds_in_a_stated_order() -> None:
    twin = Path(brimful.__file__).parent / "kernels" / "_python"
    forbidden = {"sum", "math.fsum", "math.sumprod", "np.sum", "np.dot", "np.matmul", "np.einsum", "np.log", "np.exp"}
    called = {
        (source.name, name)
        for source in sorted(twin.glob("*.py"))
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)) in forbidden
    }

    # Built-in `sum` compensates since Python 3.12, BLAS adds in the order it likes, and numpy's log is not libm's.
    assert called == set()
