"""System instructions and their cap: seed 004 calls it one, and does not apply it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from brimful.errors import BudgetError
from brimful.kernels import active
from brimful.stages.counters import count_with
from brimful.stages.truncation import longest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brimful.builders.packets.config import PacketConfig
    from brimful.protocols import TokenCounter


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
    piece = cut_at_word(text, cap, config.counter)
    [left] = count_with(config.counter, [piece])
    return Instructions(piece, left, cut=True, warning=f"{over}: cut to {left:,}")


def cut_at_word(text: str, max_tokens: int, counter: TokenCounter) -> str:
    """Return the beginning of a text that a counter says fits, up to the end of a word; in a word where none fits.

    Counts a few beginnings, found by halving. Where not even one grapheme fits, nothing is left.
    """
    words = [found.end() for found in re.finditer(r"\S+", text)]
    return _longest_beginning(text, words, max_tokens, counter) or _longest_beginning(
        text, _grapheme_ends(text), max_tokens, counter
    )


def _longest_beginning(text: str, ends: Sequence[int], max_tokens: int, counter: TokenCounter) -> str:
    def fits(size: int) -> bool:
        return count_with(counter, [text[: ends[size - 1]]])[0] <= max_tokens

    size = longest(len(ends), fits)
    return text[: ends[size - 1]] if size else ""


def _grapheme_ends(text: str) -> list[int]:
    *_, starts = active().inspect_text(text)
    return [place for place, begins in enumerate(starts) if begins and place] + [len(text)]
