"""`ContextBuilder.build` by back end: a request of 100 chunks, and the example that `make run` assembles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from brimful import ContextBuilder, Document
from brimful.kernels import active
from workloads import request_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_benchmark.fixture import BenchmarkFixture

    from brimful.kernels import CheckedKernels

    Activate = Callable[[CheckedKernels], None]

EXAMPLE: Final = Path(__file__).resolve().parents[2] / "examples" / "requests" / "declare_war.json"


@pytest.fixture
def activate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Activate]:
    """Yield what makes a back end the active one, until the end of the bench."""

    def activate(kernels: CheckedKernels) -> None:
        monkeypatch.setenv("BRIMFUL_BACKEND", kernels.name)
        active.cache_clear()

    yield activate
    active.cache_clear()


@pytest.mark.parametrize("request_name", ["100 chunks", "declare_war"])
def test_build(
    benchmark: BenchmarkFixture,
    kernels: CheckedKernels,
    other: CheckedKernels | None,
    activate: Activate,
    request_name: str,
) -> None:
    """Time a build whose texts have been seen before."""
    max_tokens, query, documents = hundred_chunks() if request_name == "100 chunks" else example()
    builder = ContextBuilder(max_tokens)
    expected = None
    if other is not None:
        activate(other)
        expected = builder.build(query=query, documents=documents)
    activate(kernels)
    context = builder.build(query=query, documents=documents)
    assert context == (expected or context)
    assert 0 < context.tokens <= max_tokens
    benchmark.group = f"build, {request_name}"
    benchmark(builder.build, query=query, documents=documents)


def hundred_chunks() -> tuple[int, str, list[Document]]:
    """Return a budget that takes about a fifth of 100 chunks, a query and the chunks, best first."""
    texts = request_texts(100, seed=1)
    return 8_000, "Which of these matter?", [Document(text, score=1 - rank / 100) for rank, text in enumerate(texts)]


def example() -> tuple[int, str, list[Document]]:
    """Read the example request."""
    content = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    return content["max_tokens"], content["query"], [Document(**document) for document in content["documents"]]
