"""The recorded costs of seed 003, all of them."""

from __future__ import annotations

import pytest

from brimful.builders.priority.assembly import AssemblyOptions, assemble
from brimful.builders.priority.front_door import read_items
from brimful.builders.priority.types import ContextItem
from brimful.stages.counters import from_callable
from brimful.stages.model_prices import estimate_cost
from seeds.recorded import load

CASES = load("fabra_context")
COSTS = {name: case for name, case in CASES.items() if case["method"] == "estimate_cost"}


def test_the_cases_are_all_here() -> None:
    assert sorted(COSTS) == [f"cost_{number}" for number in range(8)]


@pytest.mark.parametrize("name", COSTS)
def test_a_cost_is_the_recorded_one(name: str) -> None:
    model, tokens, output = COSTS[name]["input"]

    assert estimate_cost(model, tokens, output) == COSTS[name]["expected"]


def test_a_context_costs_what_its_tokens_do() -> None:
    case = CASES["cost_rounding_6dp"]
    items = read_items([ContextItem(**item) for item in case["returns"]["items"]])
    found = assemble(items, AssemblyOptions(), from_callable(len), case["decorator"]["max_tokens"])

    assert found.token_usage == case["expected"]["meta"]["token_usage"]
    assert estimate_cost(case["decorator"]["model"], found.token_usage) == case["expected"]["meta"]["cost_usd"]
