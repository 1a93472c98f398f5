"""Every recorded case of the original's `build`; where ours does better on purpose, our value and the deviation.

The original's helpers were stubs when the cases were recorded: what they gave is input here as well, by way of an
adapter, a retriever and an embedder that lead to it. The memory text is ours.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from brimful import InputError
from brimful.builders.memory import Card, Cluster, ContextBuilder

if TYPE_CHECKING:
    from collections.abc import Sequence

CASES = json.loads((Path(__file__).parent / "vectors" / "swarm_cases.json").read_text("utf-8"))["cases"]
PLACEHOLDER = "MEMORY-TEXT (returned by format_memory_context)"
D8 = {"swarm_09_dedup_only_affects_access", "swarm_10_same_card_twice", "swarm_13_clusters_passed"}
"""Duplicates are not in the text either."""
D9 = {"swarm_06_empty_string_prompt", "swarm_07_empty_string_prompt_no_memory"}
"""An empty prompt counts as none."""


class World:
    """A retriever, an adapter and an embedder that lead to what the case's helpers gave, and note their calls."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.helpers = given["helpers"]
        self.calls: list[list[Any]] = []

    def card(self, id_: str) -> Card:
        kept = self.helpers["dedup_keeps"]
        known = (*given_ids(self.given), *self.helpers["active_constraints"])
        merged = kept[0] if id_ in known and id_ not in (*kept, *self.helpers["active_constraints"]) else None
        kind: Any = "constraint" if id_ in self.helpers["active_constraints"] else "fact"
        return Card(f"text of {id_}", id=id_, canonical_id=merged, type=kind)

    def search(self, query: str, *, top_k: int) -> list[Card]:
        self.calls.append(["retriever.search", query, top_k])
        return [self.card(id_) for id_ in self.given["retriever_returns"]]

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0] for _ in texts]

    def vector_search(self, _embedding: object, *, top_k: int, threshold: float) -> list[tuple[str, float]]:
        return [(id_, max(threshold, 0.3)) for id_ in self.helpers["exploration_cards"]][:top_k]

    def read_card(self, id_: str) -> Card:
        return self.card(id_)

    def list_clusters(self) -> list[Cluster]:
        members = given_ids(self.given)
        return [Cluster(id=id_, summary=f"about {id_}", card_ids=members) for id_ in self.helpers["relevant_clusters"]]

    def list_cards(self) -> list[Card]:
        return [self.card(id_) for id_ in self.helpers["active_constraints"]]

    def write_card(self, card: Card) -> None:
        self.calls.append(["adapter.write_card", card.id])

    def memory_text(self) -> str:
        """The text that ours has where the original's has what a stub gave."""
        sections = {
            "ACTIVE CONSTRAINTS:": [f"text of {id_}" for id_ in self.helpers["active_constraints"]],
            "WHAT YOU KNOW IN GENERAL:": [f"about {id_}" for id_ in self.helpers["relevant_clusters"]],
            "YOU REMEMBER:": [f"text of {id_}" for id_ in self.helpers["dedup_keeps"]],
        }
        return "\n\n".join(
            "\n".join([heading, *(f"- {item}" for item in items)]) for heading, items in sections.items() if items
        )


def given_ids(given: dict[str, Any]) -> list[str]:
    return [*given["retriever_returns"], *given["helpers"]["exploration_cards"]]


def build(world: World) -> Any:
    given = world.given
    builder = ContextBuilder(world, world, given["retrieval_top_k"], world)
    return builder.build(given["query"], given["recent_turns"], given["system_prompt"], read_only=given["read_only"])


def expected_messages(case: dict[str, Any], world: World) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = json.loads(json.dumps(case["output"]["messages"]))
    for message in messages:
        message["content"] = message["content"].replace(PLACEHOLDER, world.memory_text())
    if case["id"] in D9:
        system = {**messages[0], "content": messages[0]["content"].lstrip("\n")}
        messages = [message for message in (system, *messages[1:]) if message["content"]]
    return messages


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_recorded_case(case: dict[str, Any]) -> None:
    world = World(case["input"])
    if "error" in case["output"]:
        with pytest.raises(InputError, match="query must be a str, got None"):
            build(world)
        assert world.calls == case["call_sequence"] == []
        return
    context = build(world)
    calls = [call for call in case["call_sequence"] if call[0] in ("retriever.search", "adapter.write_card")]

    assert expected_messages(case, world) == context
    assert calls == world.calls  # D10: after the text; the original's order of cards
    if case["id"] in D8:
        assert all(context[0]["content"].count(f"text of {id_}") <= 1 for id_ in given_ids(case["input"]))


def test_every_case_is_here() -> None:
    assert len(CASES) == 18
    assert {case["id"] for case in CASES} >= D8 | D9
