"""Fields that are worked out when they are first read: by one thread or many, once or never."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.priority import FeatureStore
from brimful.builders.priority.outcome import Described, Outcome
from priority_parts import decorate, finish, items, of_items
from sharing_parts import LONG_S

if TYPE_CHECKING:
    from collections.abc import Callable


def hold(describe: Callable[[Outcome], dict[str, Any]]) -> Any:
    """An object with a field that is not worked out yet."""

    class Holder:
        field = Described(describe, dict)

    holder: Any = Holder()
    holder.field = vars(of_items(*items("a")))["meta"]
    return holder


def test_threads_that_read_a_field_first_get_the_same_value() -> None:
    both = threading.Barrier(2)

    def describe(outcome: Outcome) -> dict[str, Any]:
        both.wait(LONG_S)
        return outcome.summarise()

    holder = hold(describe)
    with ThreadPoolExecutor(2) as pool:
        one, other = [waiting.result() for waiting in [pool.submit(lambda: holder.field) for _ in range(2)]]

    assert one is other is holder.field


def test_what_is_set_while_a_field_is_worked_out_stays() -> None:
    def describe(outcome: Outcome) -> dict[str, Any]:
        holder.field = {"set": True}
        return outcome.summarise()

    holder = hold(describe)

    assert holder.field == {"set": True}
    assert holder.field == {"set": True}


def test_a_field_that_could_not_be_worked_out_is_when_it_is_read_again() -> None:
    failing = [MemoryError()]

    def describe(outcome: Outcome) -> dict[str, Any]:
        if failing:
            raise failing.pop()
        return outcome.summarise()

    holder = hold(describe)

    with pytest.raises(MemoryError):
        _ = holder.field
    assert holder.field["status"] == "assembled"


@pytest.mark.parametrize("ttl", [None, "60s"])
def test_an_outcome_is_let_go_of_when_all_of_it_was_read(ttl: str | None) -> None:
    made = finish(decorate("plain", lambda: items("a", "b"), FeatureStore(), cache_ttl=ttl)())

    assert (made.meta["status"], made.lineage is None) == ("assembled", False)
    assert not any(isinstance(kept, Outcome) for kept in vars(made).values())
