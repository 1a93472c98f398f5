"""System instructions and their cap: seed 004 calls it one, and does not apply it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from brimful.errors import BudgetError
from brimful.stages.counters import count_with
from brimful.stages.truncation import shorten

if TYPE_CHECKING:
    from brimful.builders.packets.config import PacketConfig


@dataclass(frozen=True, slots=True)
class Instructions:
    """The instructions that are used, and what there is to say of them."""

    text: str
    tokens: int
    cut: bool = False
    warning: str | None = None


def cap_system(text: str, tokens: int, config: PacketConfig) -> Instructions:
    """Hold the instructions against their cap, which is not above the whole budget, and do as `system_overflow` says.

    Raises BudgetError where it says so.
    """
    cap = min(config.system_token_budget, config.max_tokens)
    if tokens <= cap:
        return Instructions(text, tokens)
    over = f"system_instructions have {tokens:,} tokens, their cap is {cap:,}"
    if config.system_overflow == "raise":
        raise BudgetError(over, needed=tokens, available=cap)
    if config.system_overflow == "keep":
        return Instructions(text, tokens, warning=f"{over}: kept whole")
    [piece] = shorten([text], [cap], config.counter, boundary="word", marker="")
    left = piece.join("")
    [tokens] = count_with(config.counter, [left])
    return Instructions(left, tokens, cut=True, warning=f"{over}: cut to {tokens:,}")
