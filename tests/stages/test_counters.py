"""Counters: exact ones, and what somebody brings along, which is checked."""

from __future__ import annotations

import copy
import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from brimful import (
    BrimfulError,
    ConfigError,
    ContextBuilder,
    ExactCounter,
    InputError,
    TokenCounter,
    count_tokens,
    from_callable,
)
from brimful.stages.counters import count_with
from brimful.stages.counting import EstimateCounter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TEXTS = ["one two", "", "价格 <|endoftext|>", "\ud83d\ude00 \ud800"]


def count_words(text: str) -> int:
    return len(text.split())


def count_all_words(texts: list[str]) -> list[int]:
    return [len(text.split()) for text in texts]


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_exact_counters_count_what_count_tokens_counts(encoding: Any) -> None:
    assert ExactCounter(encoding).count(iter(TEXTS)) == count_tokens(TEXTS, encoding=encoding).tolist()


def test_counters_show_what_they_are() -> None:
    assert repr(ExactCounter("cl100k_base")) == "ExactCounter(encoding='cl100k_base')"
    assert repr(EstimateCounter()) == "EstimateCounter(rule='script')"
    assert repr(from_callable(len)).startswith("CallableCounter(function=<built-in function len>")


COUNTERS: list[Any] = [
    ExactCounter(),
    EstimateCounter("script_safe"),
    from_callable(count_words),
    from_callable(count_all_words, batch=True, approximate=True),
]


@pytest.mark.parametrize("counter", COUNTERS)
def test_counters_are_values(counter: Any) -> None:
    twins = [copy.deepcopy(counter), *(pickle.loads(pickle.dumps(counter, n)) for n in range(2, 6))]  # noqa: S301

    assert all(twin == counter and twin.approximate == counter.approximate for twin in twins)
    assert len({counter, *twins}) == 1
    with pytest.raises((AttributeError, TypeError)):
        counter.approximate = None


@pytest.mark.parametrize("counter", COUNTERS)
def test_counters_may_be_shared_between_threads(counter: TokenCounter) -> None:
    expected = counter.count(["one two three"] * 5)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: counter.count(["one two three"] * 5), range(64)))

    assert found == [expected] * 64


@pytest.mark.parametrize("encoding", ["p50k_base", "", None, 3, "O200K_BASE"])
def test_an_unknown_encoding_is_refused_with_the_known_ones(encoding: Any) -> None:
    with pytest.raises(ConfigError, match=r"encoding must be one of `cl100k_base`, `o200k_base`, got"):
        ExactCounter(encoding)


def test_integers_of_numpy_are_counts() -> None:
    def lengths(texts: Sequence[str]) -> Any:
        return np.array([len(text) for text in texts], dtype=np.uint16)

    assert from_callable(lengths, batch=True).count(["abc", ""]) == [3, 0]
    assert [type(count) for count in from_callable(lengths, batch=True).count(["abc"])] == [int]


def test_a_function_may_do_with_its_list_as_it_likes() -> None:
    def drain(texts: list[str]) -> list[int]:
        return [len(texts.pop(0)) for _ in list(texts)]

    given = ["a", "bb"]

    assert from_callable(drain, batch=True).count(given) == [1, 2]
    assert given == ["a", "bb"]


class Counter:
    """Somebody's own counter."""

    def __init__(self, answer: Callable[[Sequence[str]], Any]) -> None:
        self.answer = answer

    def count(self, texts: Sequence[str]) -> Any:
        return self.answer(texts)

    def __repr__(self) -> str:
        return "my counter"


def fail(_texts: object) -> Any:
    message = "no vocabulary"
    raise OSError(message)


BAD: list[tuple[Callable[[Sequence[str]], Any], str]] = [
    (lambda texts: [1.0 for _ in texts], "must give whole numbers of at least 0, got 1.0 for text 0"),
    (lambda _: [3, -1], "must give whole numbers of at least 0, got -1 for text 1"),
    (lambda _: [3, None], "must give whole numbers of at least 0, got None for text 1"),
    (lambda _: [True, 1], "must give whole numbers of at least 0, got True for text 0"),
    (lambda _: ["3", 1], "must give whole numbers of at least 0, got '3' for text 0"),
    (lambda _: [1, 2**53 + 1], "must give whole numbers of at least 0, got 9007199254740993 for text 1"),
    (lambda _: [1, math.nan], "must give whole numbers of at least 0, got nan for text 1"),
    (lambda _: np.array([1.0, 2.0]), f"must give whole numbers of at least 0, got {np.float64(1.0)!r} for text 0"),
    (lambda _: np.array([True, False]), f"must give whole numbers of at least 0, got {np.True_!r} for text 0"),
    (lambda _: [1], "must give 2 counts, one a text, got 1"),
    (lambda _: [1, 2, 3], "must give 2 counts, one a text, got 3"),
    (lambda _: [], "must give 2 counts, one a text, got 0"),
    (lambda _: None, "must give counts in an order, got None"),
    (lambda _: 7, "must give counts in an order, got 7"),
    (lambda _: "12", "must give counts in an order, got '12'"),
    (lambda _: {0: 1, 1: 2}, "must give counts in an order, got {0: 1, 1: 2}"),
    (fail, "failed: OSError('no vocabulary')"),
]


@pytest.mark.parametrize(("answer", "message"), BAD)
def test_counts_that_are_none_are_refused_and_the_counter_named(
    answer: Callable[[Sequence[str]], Any], message: str
) -> None:
    with pytest.raises(InputError) as refusal:
        count_with(Counter(answer), ["one", "two"])
    with pytest.raises(InputError) as same:
        from_callable(answer, batch=True).count(["one", "two"])

    assert str(refusal.value) == f"token counter my counter {message}"
    assert str(same.value).endswith(message)
    assert str(same.value).startswith("token counter <function ")
    assert isinstance(refusal.value.__cause__, OSError if answer is fail else type(None))


def test_a_counter_that_fails_on_one_text_is_named() -> None:
    with pytest.raises(InputError, match=r"token counter .*test_counters.* failed|token counter <function") as refusal:
        from_callable(lambda text: 1 // len(text)).count(["a", ""])

    assert isinstance(refusal.value.__cause__, ZeroDivisionError)


def test_a_panic_of_an_extension_does_not_reach_the_caller() -> None:
    class PanicException(BaseException):
        """As PyO3 raises it."""

    def panic(_text: str) -> int:
        raise PanicException

    with pytest.raises(InputError) as refusal:
        from_callable(panic).count(["a"])

    assert isinstance(refusal.value.__cause__, PanicException)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_what_ends_the_program_passes(stop: type[BaseException]) -> None:
    def end(_text: str) -> int:
        raise stop

    with pytest.raises(stop):
        from_callable(end).count(["a"])


def test_errors_of_ours_name_the_counter_too() -> None:
    def refuse(_text: str) -> int:
        message = "as it is"
        raise BrimfulError(message)

    with pytest.raises(InputError, match=r"^token counter .* failed: BrimfulError\('as it is'\)$") as refusal:
        from_callable(refuse).count(["a"])
    assert isinstance(refusal.value.__cause__, BrimfulError)


@pytest.mark.parametrize("function", [None, "len", 3])
def test_what_cannot_be_called_is_refused(function: Any) -> None:
    with pytest.raises(ConfigError, match="function must be callable, got"):
        from_callable(function)


def test_flags_must_be_flags() -> None:
    with pytest.raises(ConfigError, match="batch must be True or False, got 1"):
        from_callable(len, batch=1)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="approximate must be True or False, got 'no'"):
        from_callable(len, approximate="no")  # type: ignore[arg-type]


@pytest.mark.parametrize("texts", ["text", None, ["a", 3]])
def test_texts_are_checked_before_anything_is_counted(texts: Any) -> None:
    for counter in COUNTERS:
        with pytest.raises(InputError, match=r"^texts"):
            counter.count(texts)


class Silent:
    """Its properties raise."""

    @property
    def count(self) -> object:
        message = "no count today"
        raise RuntimeError(message)


class Undecided:
    @property
    def approximate(self) -> bool:
        message = "who knows"
        raise RuntimeError(message)

    def count(self, texts: Sequence[str], /) -> list[int]:
        return [len(text) for text in texts]


def test_a_counter_whose_properties_raise_is_named_and_the_cause_kept() -> None:
    with pytest.raises(ConfigError, match=r"^token_counter <.*Silent.* must have a method.*no count today") as refused:
        ContextBuilder(99, token_counter=Silent())  # type: ignore[arg-type]
    assert isinstance(refused.value.__cause__, RuntimeError)
    with pytest.raises(InputError, match=r"^token counter <.*Silent.*failed: .*no count today"):
        count_with(Silent(), ["a"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^token counter <.*Undecided.*failed: .*who knows") as failed:
        ContextBuilder(99, token_counter=Undecided()).build(documents=["a"])
    assert isinstance(failed.value.__cause__, RuntimeError)


@pytest.mark.parametrize("batch", [False, True])
def test_a_function_gets_no_lone_surrogate(batch: bool) -> None:  # noqa: FBT001 - a test's parameter
    seen: list[str] = []

    def count(text: str) -> int:
        seen.append(text)
        return len(text.encode())

    def count_all(texts: list[str]) -> list[int]:
        return [count(text) for text in texts]

    counter = from_callable(count_all if batch else count, batch=batch)

    assert counter.count(["a \ud800", "\ud83d\ude00"]) == [5, 4]
    assert seen == ["a \ufffd", "\U0001f600"]
