"""The options of `@context`: budgets, counters, order, prices; and what is refused when it is written."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.priority import ContextItem, FeatureStore, context
from brimful.errors import BudgetError, ConfigError
from brimful.stages.counters import ExactCounter, from_callable
from priority_parts import NOON, Clock, decorate, finish, give, in_both_ways, items, lineage_of

if TYPE_CHECKING:
    from pathlib import Path


def test_options_are_in_the_order_of_the_original() -> None:
    store = FeatureStore(clock=Clock())
    made = context(store, "name", 9, timedelta(1), len, timedelta(2), "v2", "gpt-4o", "5m", False)(give("text"))()  # noqa: FBT003

    assert (made.meta["name"], made.meta["max_tokens"], made.version) == ("name", 9, "v2")
    assert (made.meta["token_usage"], made.meta["freshness_sla_ms"]) == (4, 300_000)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"store": print},
            "store must be a FeatureStore or None, got <built-in function print>\nhint: write `@context",
        ),
        ({"store": 5}, "store must be a FeatureStore or None, got 5"),
        ({"name": ""}, "name must be a str that is not empty, got ''"),
        ({"max_tokens": 1.5}, "max_tokens must be a whole number"),
        ({"max_tokens": True}, "max_tokens must be a whole number"),
        ({"cache_ttl": "5 minutes"}, "cache_ttl must be a duration"),
        ({"token_counter": 5}, "token_counter must have a method"),
        ({"max_staleness": timedelta(-1)}, "max_staleness must be a duration"),
        ({"version": 1}, "version must be a str that is not empty, got 1"),
        ({"model": ""}, "model must be the name of a model, got ''"),
        ({"freshness_sla": "1h30"}, "freshness_sla must be a duration"),
        ({"freshness_strict": 1}, "freshness_strict must be True or False, got 1"),
        ({"on_overflow": "drop"}, "on_overflow must be one of `flag`, `raise`, got 'drop'"),
        ({"backfill": "no"}, "backfill must be True or False, got 'no'"),
        ({"order": "score"}, "order must be one of `input`, `priority`, got 'score'"),
        ({"evidence": "always"}, "evidence must be one of `best_effort`, `required`, got 'always'"),
        ({"evidence": "required"}, "evidence must be `best_effort` unless the store has records"),
        ({"evidence": "required", "store": FeatureStore()}, "evidence must be `best_effort` unless the store has"),
    ],
)
def test_a_wrong_option_is_refused_when_it_is_written(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("(", r"\(")):
        context(**options)


@in_both_ways
def test_a_budget_may_depend_on_the_arguments(way: str) -> None:
    def budget(tier: str, query: str = "") -> int | None:
        return {"gold": 100, "none": None, "off": 0}.get(tier, len(query))

    def chat(tier: str, query: str = "four") -> list[ContextItem]:
        return [ContextItem(tier, required=True), ContextItem(query * 9, priority=1)]

    decorated = decorate(way, chat, max_tokens=budget, token_counter=len)

    made = [finish(decorated(tier)) for tier in ("gold", "none", "off", "tin")]
    assert [one.meta["max_tokens"] for one in made] == [100, None, 0, 4]
    assert [one.meta["dropped_items"] for one in made] == [0, 0, 0, 1]
    made = [finish(decorated(query="sixsix", tier="tin"))]
    assert made[0].meta["max_tokens"] == 6
    with pytest.raises(ConfigError, match=r"what max_tokens returns must be a whole number .* got 'many'"):
        context(max_tokens=lambda: "many")(give("text"))()  # type: ignore[arg-type, return-value]


def test_a_negative_budget_leaves_what_is_required() -> None:
    made = context(max_tokens=-1, token_counter=len)(give([ContextItem("a", required=True), ContextItem("b")]))()

    assert (made.content, made.meta["budget_exceeded"]) == ("a", True)


@in_both_ways
def test_an_overflow_of_what_is_required_is_flagged_or_raised(way: str) -> None:
    function = give(items("four", required=True))
    options: dict[str, Any] = {"max_tokens": 3, "token_counter": len}

    assert finish(decorate(way, function, **options)()).meta["budget_exceeded"] is True
    with pytest.raises(BudgetError) as caught:
        finish(decorate(way, function, on_overflow="raise", **options)())
    assert (caught.value.needed, caught.value.available) == (4, 3)


def test_order_backfill_and_cuts_reach_the_assembly() -> None:
    mixed = [ContextItem("cc", priority=2), ContextItem("aaa"), ContextItem("b" * 9, priority=1)]

    def content(returned: object, **options: Any) -> str:
        return context(token_counter=len, **options)(give(returned))().content

    assert content(mixed, order="priority") == "aaa\nbbbbbbbbb\ncc"
    assert content(mixed, max_tokens=8) == "aaa"
    assert content(mixed, max_tokens=8, backfill=True) == "cc\naaa"
    cut = [ContextItem("aaa"), ContextItem("one two three", priority=1, truncate_strategy="end")]
    assert content(cut, max_tokens=11) == "aaa\none two"


def test_the_model_chooses_the_counter_unless_one_is_given() -> None:
    text = "مرحبا بالعالم <|endoftext|>"

    def usage(**options: Any) -> tuple[int, bool]:
        meta = context(**options)(give(text))().meta
        return meta["token_usage"], meta["approximate"]

    for model, encoding in (("gpt-4", "cl100k_base"), ("gpt-3.5-turbo", "cl100k_base"), ("gpt-4o", "o200k_base")):
        counter = ExactCounter(encoding)  # type: ignore[arg-type]
        assert usage(max_tokens=99, model=model) == (counter.count([text])[0], False)
    assert usage(max_tokens=99, model="claude-3")[1] is True
    assert usage(model="gpt-4") == (0, False)
    assert usage(token_counter=from_callable(len)) == (len(text), False)


def test_a_counter_of_one_text_a_call_is_taken_as_the_original_takes_it() -> None:
    class Words:
        def count(self, text: str) -> int:
            return len(text.split())

    made = context(max_tokens=3, token_counter=Words())(give(items("one two", "three", "four five", priority=1)))()  # type: ignore[arg-type]

    assert (made.content, made.meta["token_usage"]) == ("one two\nthree", 3)


def test_costs_are_those_of_the_model_or_of_given_prices() -> None:
    def cost(**options: Any) -> object:
        return context(max_tokens=5000, token_counter=len, **options)(give("x" * 1000))().meta["cost_usd"]

    assert (cost(), cost(model="gpt-4o")) == (0.005, 0.0025)
    assert cost(prices={"gpt-4": {"input": 1.0, "output": 2.0}}) == 0.001


def test_prices_are_read_when_a_function_is_decorated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "prices.json"
    file.write_text('{"gpt-4": {"input": 1}}', encoding="utf-8")
    monkeypatch.setenv("BRIMFUL_PRICES", str(file))
    priced = context(max_tokens=5000, token_counter=len)(give("x" * 1000))
    file.unlink()

    assert priced().meta["cost_usd"] == 0.001
    with pytest.raises(ConfigError, match="BRIMFUL_PRICES must be a JSON file of prices"):
        context()(give("x"))


def test_time_is_that_of_the_clock_of_the_store() -> None:
    made = context(FeatureStore(clock=Clock()))(give("text"))()

    assert lineage_of(made).timestamp == NOON
    assert made.meta["timestamp"] == "2026-01-01T12:00:00.000000+00:00"
    assert made.id.startswith("ctx_019b796d-d600-7")
