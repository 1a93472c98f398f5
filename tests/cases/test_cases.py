"""Public bug reports as small inputs: each test is named after its case in `cases.jsonl` and states the right value."""

from __future__ import annotations

import ast
import json
import os
import pickle
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pytest

import brimful
from brimful import ContextBuilder, Document
from brimful.config import Boundary, Encoding
from brimful.errors import InputError
from brimful.kernels import active
from brimful.kernels.vectors import as_rows, check_finite_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

HERE = Path(__file__).parent
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case for case in map(json.loads, (HERE / "cases.jsonl").read_text(encoding="utf-8").splitlines())
}


def test_every_case_has_a_test_of_its_name() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in HERE.parent.rglob("test_*.py"))

    assert [case for case in CASES if f"def test_{case.replace('-', '_')}_" not in sources] == []


def numbered(words: str) -> str:
    """`w1 .. w24` as 24 words."""
    first, last = (int(word.removeprefix("w")) for word in words.split(" .. "))
    return " ".join(f"w{number}" for number in range(first, last + 1))


def run(script: str, *arguments: str, **environment: str) -> str:
    command = [sys.executable, "-c", textwrap.dedent(script), *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=True, env={**os.environ, **environment}
    )
    return done.stdout


def test_dedup_01_texts_shorter_than_the_shingle_size_have_a_shingle_of_their_own() -> None:
    case = CASES["dedup-01"]

    found = brimful.near_duplicates(case["input"]["docs"], shingle_size=5, threshold=0.85)

    assert case["expected"]["kept_indices"] == found.kept.tolist()


@pytest.mark.parametrize("size", [1, 2, 5, 32])
def test_dedup_01_whatever_the_shingle_size(size: int) -> None:
    texts = ["", "cat", "dog", "see you soon", "see you later", "cat"]

    assert brimful.near_duplicates(texts, shingle_size=size).duplicate_of.tolist() == [-1, -1, -1, -1, -1, 1]


def test_dedup_03_a_pair_below_the_threshold_is_no_duplicate() -> None:
    case = CASES["dedup-03"]["input"]
    texts = [numbered(case["a"]), numbered(case["b"])]

    found = brimful.near_duplicates(texts, shingle_size=case["k"], threshold=case["threshold"])

    assert CASES["dedup-03"]["expected"]["kept_indices"] == found.kept.tolist()
    assert brimful.near_duplicates(texts, threshold=0.8).similarity.tolist() == [0.0, float(Fraction(16, 20))]


def test_dedup_05_chains_are_not_merged() -> None:
    case = CASES["dedup-05"]

    found = brimful.near_duplicates(map(numbered, case["input"]["docs"]), threshold=case["input"]["threshold"])

    assert case["expected"]["kept_indices"] == found.kept.tolist()
    assert found.similarity.tolist() == [0.0, float(Fraction(19, 21)), 0.0]


@pytest.mark.parametrize("swapped", [False, True])
def test_dedup_07_the_survivor_is_the_best_scored_copy(swapped: bool) -> None:  # noqa: FBT001 - a test's parameter
    documents = CASES["dedup-07"]["input"]["docs"]
    given = documents[::-1] if swapped else documents

    context = ContextBuilder(200).build(documents=given)

    [citation] = context.citations
    assert citation.sources == ("A", "B")
    assert given[citation.items[0]]["score"] == CASES["dedup-07"]["expected"]["kept"]["score"]


def test_dedup_07_of_equal_scores_the_first_survives() -> None:
    context = ContextBuilder(200).build(documents=[Document("same", source=name, score=0.5) for name in "XYZ"])

    assert [citation.sources for citation in context.citations] == [("X", "Y", "Z")]


BUILD = """
    import json, random
    from dataclasses import asdict
    from brimful import ContextBuilder
    rng = random.Random(5)
    words = "alpha beta gamma delta Epsilon zeta eta theta 7 12".split()
    texts = [" ".join(rng.choices(words, k=rng.randrange(1, 30))) for _ in range(50)]
    print(json.dumps(asdict(ContextBuilder(400).build(query="q", documents=texts)), sort_keys=True))
"""


@pytest.mark.slow
def test_dedup_09_the_output_does_not_depend_on_the_hash_seed_or_the_threads() -> None:
    seeds = ["0", "1", "2", "3", "random"]

    outputs = {run(BUILD, PYTHONHASHSEED=seed, BRIMFUL_NUM_THREADS=threads) for seed in seeds for threads in "14"}

    assert len(outputs) == 1


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
        ([["a"]], r"rows must be numbers in rows of one length, got \[\['a'\]\]"),
        ([[1.0], [1.0, 2.0]], r"rows must be numbers in rows of one length, got \[\[1.0\], \[1.0, 2.0\]\]"),
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
        assert all(pool.map(read, range(3_200)))


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


def test_unicode_09_composed_and_decomposed_forms_are_equal_and_the_first_is_shown_as_it_is() -> None:
    case = CASES["unicode-09"]
    texts = [case["input"]["a"], case["input"]["b"]]
    assert texts[0] != texts[1]

    context = ContextBuilder(200).build(documents=texts)

    assert case["expected"]["kept"] == [citation.items[0] for citation in context.citations]
    assert texts[0] in context.text
    assert brimful.near_duplicates(texts, normalize=True).kept.tolist() == [0]
    assert brimful.near_duplicates(texts).kept.tolist() == [0, 1]


def test_unicode_11_a_leading_byte_order_mark_is_no_content_and_joiners_stay() -> None:
    texts = CASES["unicode-11"]["input"]["texts"]

    context = ContextBuilder(400).build(documents=texts)

    assert [decision.duplicate_of for decision in context.trace] == [None, 0, None, None]
    assert all(texts[shown] in context.text for shown in (0, 2, 3))


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_similarity_mmr_01_a_vector_that_is_not_finite_is_named(bad: float) -> None:
    with pytest.raises(InputError, match=r"query\[0\] must be finite"):
        brimful.mmr_select([bad, 0.0], [[1.0, 0.0], [0.0, 1.0]], limit=1)
    with pytest.raises(InputError, match=r"candidates\[0\]\[1\] must be finite"):
        brimful.mmr_select([1.0, 0.0], [[1.0, bad], [0.0, 1.0]], limit=1)


def test_similarity_mmr_03_a_limit_is_an_upper_bound() -> None:
    rows = np.eye(2)
    found = {limit: brimful.mmr_select([1.0, 0.5], rows, limit=limit).indices.tolist() for limit in (0, 1, 2, 3, 10**6)}

    assert [len(picks) for picks in found.values()] == [0, 1, 2, 2, 2]
    assert brimful.mmr_select([1.0], [], limit=3).indices.tolist() == []
    with pytest.raises(InputError, match="limit must not be negative, got -1"):
        brimful.mmr_select([1.0, 0.5], rows, limit=-1)


@pytest.mark.parametrize("mmr_lambda", [1.0, 0.0])
def test_similarity_mmr_05_lambda_1_is_relevance_and_0_is_diversity(mmr_lambda: float) -> None:
    case = CASES["similarity_mmr-05"]

    found = brimful.mmr_select(case["input"]["query"], case["input"]["docs"], limit=4, mmr_lambda=mmr_lambda)

    assert case["expected"][str(mmr_lambda)] == found.indices.tolist()


@pytest.mark.parametrize("mmr_lambda", [-0.1, 1.1, float("nan")])
def test_similarity_mmr_05_lambda_outside_0_to_1_is_refused(mmr_lambda: float) -> None:
    with pytest.raises(ValueError, match="mmr_lambda must be between 0 and 1"):
        brimful.mmr_select([1, 0], [[1, 0]], mmr_lambda=mmr_lambda)


def test_similarity_mmr_07_words_of_one_letter_count() -> None:
    case = CASES["similarity_mmr-07"]["input"]
    kernels = active()

    assert kernels.tfidf_scores(case["query"], case["docs"]).tolist() == [1.0, 0.0, 0.0, 0.0]
    assert kernels.tfidf_scores("", case["docs"]).tolist() == [0.0] * 4
    assert brimful.mmr_select("", case["docs"], mmr_lambda=1.0).indices.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(("component", "kind"), [(3e38, "f4"), (1e200, "f8"), (1e-200, "f8"), (1e-45, "f4")])
def test_similarity_mmr_09_large_and_tiny_components_have_a_cosine(component: float, kind: str) -> None:
    row = np.array([component, component], dtype=kind)

    [score] = brimful.mmr_select(row, row[np.newaxis, :], mmr_lambda=1.0).scores.tolist()

    assert score == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("rule", ["script", "chars_div_4"])
def test_truncation_01_the_marker_is_inside_the_budget(rule: Literal["script", "chars_div_4"]) -> None:
    case = CASES["truncation-01"]["input"]
    whole, marker = case["text"], case["marker"]
    needed = brimful.estimate_tokens(whole, rule=rule)

    for budget in range(needed + 2):
        piece = brimful.truncate(whole, budget, rule=rule, marker=marker)
        assert brimful.estimate_tokens(piece, rule=rule) <= budget
        assert piece != marker
        assert (piece == whole) == (budget >= needed)


@pytest.mark.parametrize("boundary", ["word", "sentence"])
@pytest.mark.parametrize("cut", ["end", "start", "middle"])
def test_truncation_03_a_run_without_boundaries_is_cut_all_the_same(
    boundary: Literal["word", "sentence"], cut: Literal["end", "start", "middle"]
) -> None:
    estimated = brimful.truncate("x" * 10_000, 10, cut=cut, boundary=boundary, rule="script")
    counted = brimful.truncate("x" * 10_000, 10, cut=cut, boundary=boundary)

    assert 0 < len(estimated) < 100
    assert brimful.estimate_tokens(estimated) <= 10
    assert 0 < len(counted) < 200
    assert brimful.count_tokens(counted) <= 10


ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
BOUNDARIES: tuple[Boundary, ...] = get_args(Boundary)
every_encoding = pytest.mark.parametrize("encoding", ENCODINGS)


@every_encoding
def test_tokens_01_the_text_of_a_special_token_is_ordinary_text(encoding: Encoding) -> None:
    case = CASES["tokens-01"]

    found = brimful.count_tokens(case["input"]["texts"], encoding=encoding).tolist()

    assert [counts[encoding] for counts in case["expected"]["counts"]] == found


@pytest.mark.slow
@every_encoding
def test_tokens_03_a_million_repeated_characters_have_a_count(encoding: Encoding) -> None:
    case = CASES["tokens-03"]
    texts = [ast.literal_eval(expression.partition(" * ")[0]) * 1_000_000 for expression in case["input"]["texts"]]

    assert case["expected"][encoding] == brimful.count_tokens(texts, encoding=encoding).tolist()


@every_encoding
def test_tokens_05_counts_of_parts_do_not_add_up(encoding: Encoding) -> None:
    case = CASES["tokens-05"]
    spaced, words = case["expected"], case["expected"]["second_example"]

    parts = brimful.count_tokens([*case["input"]["parts"], *words["parts"]], encoding=encoding)
    joined = brimful.count_tokens([case["input"]["joined"], "".join(words["parts"])], encoding=encoding)

    assert [spaced["parts_sum"][encoding], words["sum"]] == [parts[:2].sum(), parts[2:].sum()]
    assert [spaced["joined"][encoding], words["joined"][encoding]] == joined.tolist()


def test_tokens_09_counting_needs_no_network_and_no_cache() -> None:
    script = """
        import socket
        def refuse(*arguments, **options):
            raise AssertionError("the network was asked for")
        socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse
        import brimful
        print(brimful.count_tokens("hello world"), brimful.count_tokens("hello world", encoding="cl100k_base"))
    """

    expected = CASES["tokens-09"]["expected"]['exact_count("hello world")']
    assert run(script, TIKTOKEN_CACHE_DIR="").split() == [str(expected)] * 2


@every_encoding
def test_unicode_03_a_lone_surrogate_counts_as_a_replacement_character_and_a_split_pair_as_one(
    encoding: Encoding,
) -> None:
    case = CASES["unicode-03"]
    pair = "pair \\ud83d\\udc4d counts as thumbs-up"

    found = brimful.count_tokens([case["input"]["text"], "ok \ufffd end", "\ud83d\udc4d"], encoding=encoding).tolist()

    assert found == [case["expected"]["count"][encoding]] * 2 + [case["expected"][pair][encoding]]


def test_unicode_03_no_call_refuses_a_lone_surrogate_or_gives_one_back() -> None:
    text = CASES["unicode-03"]["input"]["text"]

    assert brimful.truncate(text, 2, rule="chars_div_4") == "ok \ufffd end"
    assert brimful.near_duplicates([text, "ok \ufffd end"]).duplicate_of.tolist() == [-1, 0]
    assert ContextBuilder(200).build(documents=[text]).text.encode()


@every_encoding
def test_unicode_05_a_nul_is_a_character(encoding: Encoding) -> None:
    case = CASES["unicode-05"]
    text, name = case["input"]["text"], case["input"]["id"]

    assert brimful.count_tokens(text, encoding=encoding) == case["expected"]["count"][encoding]
    assert brimful.near_duplicates([text, "a\0c", "a"]).kept.tolist() == [0, 1, 2]
    context = ContextBuilder(200).build(documents=[Document(text, source=name)])
    assert "a\0b" in context.text


@every_encoding
def test_unicode_07_chinese_counts_by_characters_and_not_as_a_word(encoding: Encoding) -> None:
    case = CASES["unicode-07"]
    text = case["input"]["text"]

    assert brimful.count_tokens(text, encoding=encoding) == case["expected"]["exact_count"][encoding]
    assert brimful.estimate_tokens(text) >= 16


def test_unicode_07_chinese_is_kept_cut_and_compared_by_characters() -> None:
    case = CASES["unicode-07"]["input"]
    text, budget = case["text"], case["budget"]
    variant = text.replace("固定", "既定")

    assert ContextBuilder(200, min_tokens=case["min_tokens"]).build(documents=[text]).citations
    piece = brimful.truncate(text, budget, rule="script")
    assert text.startswith(piece)
    assert 0 < brimful.estimate_tokens(piece) <= budget
    assert 0 < brimful.near_duplicates([text, variant], threshold=0.1, shingles="auto").similarity[1] < 1


@every_encoding
def test_unicode_09_texts_are_counted_as_given_and_not_normalized(encoding: Encoding) -> None:
    expected = CASES["unicode-09"]["expected"]["count_note"]

    found = brimful.count_tokens(["caf\u00e9 society", "cafe\u0301 society"], encoding=encoding).tolist()

    assert [counts[encoding] for counts in expected.values()] == found


@every_encoding
def test_truncation_01_the_marker_is_inside_an_exact_budget(encoding: Encoding) -> None:
    case = CASES["truncation-01"]
    whole, marker = case["input"]["text"], case["input"]["marker"]

    pieces = {
        budget: brimful.truncate(whole, budget, encoding=encoding, marker=marker) for budget in case["input"]["budgets"]
    }

    counts = dict(zip(pieces, brimful.count_tokens(pieces.values(), encoding=encoding).tolist(), strict=True))
    assert all(count <= budget for budget, count in counts.items())
    assert pieces[0] == ""
    assert not any(pieces[budget].endswith(marker) for budget in (1, 5, 6))
    assert all(len(pieces[budget]) > len(marker) and pieces[budget].endswith(marker) for budget in (7, 9))
    assert pieces[10] == pieces[11] == whole


@every_encoding
def test_truncation_05_a_word_that_costs_less_than_its_beginning_is_kept(encoding: Encoding) -> None:
    case = CASES["truncation-05"]["input"]

    for boundary in BOUNDARIES:
        piece = brimful.truncate(case["text"], case["budget"], encoding=encoding, boundary=boundary)
        assert piece.rstrip() == CASES["truncation-05"]["expected"][encoding]


@every_encoding
def test_unicode_01_a_character_of_several_tokens_is_kept_whole_or_not_at_all(encoding: Encoding) -> None:
    case = CASES["unicode-01"]

    for budget, expected in case["expected"][encoding].items():
        assert brimful.truncate(case["input"]["text"], int(budget), encoding=encoding) == expected
