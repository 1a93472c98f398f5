"""Items under a budget: what the tests of dropping and of cutting share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from brimful.builders.priority.assembly import Assembled, AssemblyOptions, assemble
from brimful.builders.priority.front_door import read_items
from brimful.kernels.texts import repair_surrogates
from brimful.stages.counters import ExactCounter, count_with, from_callable
from brimful.stages.counting import EstimateCounter, RuleCounter
from hostile import hostile_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from brimful.protocols import TokenCounter

HOSTILE = [repair_surrogates(text) for text in hostile_texts(3, 500, runs=False)]
CONTENTS = st.one_of(
    st.sampled_from(
        ["", "\n", " ", "/usr/bin", "/", "\n\nA heading\n", "  - an item", "It rains.", "x\n", "\u3000字字字"]
    ),
    st.sampled_from(HOSTILE),
    st.text(alphabet="ab .\n/", max_size=12),
    st.lists(st.sampled_from(["one", "two", "treaty", "international", "字", "."]), max_size=12).map(" ".join),
)
# Fewer items never count more by these.
EXACT: list[TokenCounter] = [ExactCounter("o200k_base"), ExactCounter("cl100k_base")]
MEASURED: list[TokenCounter] = [
    from_callable(len),
    from_callable(lambda text: len(text.split())),
    RuleCounter("chars_div_4"),
    RuleCounter("utf16_div_4"),
    EstimateCounter("script_safe"),
]
COUNTERS = st.sampled_from([*EXACT, *MEASURED])
LONG = "the harbour master closed both gates because the tide would not wait for anyone "


def measure(counter: TokenCounter) -> Callable[[str], int]:
    return lambda text: count_with(counter, [text])[0]


def build(items: object, budget: int | None, counter: TokenCounter | None = EXACT[0], **options: Any) -> Assembled:
    return assemble(read_items(items), AssemblyOptions(**options), counter, budget)
