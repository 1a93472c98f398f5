"""The tokens of all messages, counted as a whole, with what is in blocks that add up counted once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from brimful.render.memory import MemoryWords, Sections, render_blocks, render_system
from brimful.stages.blocks import BlockCounter
from brimful.stages.counters import ExactCounter
from brimful.stages.framing import MESSAGE, REPLY, frame_messages
from brimful.stages.weighing import Scale

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from brimful.builders.memory.entries import Entry
    from brimful.protocols import TokenCounter

SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Window:
    """The messages around the memory; `turns` are the tokens of the turns and of the reply's beginning."""

    entries: Sequence[Entry]
    prompt: str | None
    words: MemoryWords
    merge_exploration: bool
    scale: Scale
    turns: int
    known: dict[str, int] = field(default_factory=dict)

    def content(self, shown: Iterable[int]) -> list[str]:
        """Return the blocks of the system message where these entries are shown; none where it is not needed."""
        lines: dict[str, list[str]] = {"constraint": [], "cluster": [], "retrieved": [], "exploration": []}
        for item in sorted(shown):
            entry = self.entries[item]
            tier = "retrieved" if self.merge_exploration and entry.tier == "exploration" else entry.tier
            lines[tier].append(entry.line)
        sections = Sections(
            constraints=lines["constraint"],
            clusters=lines["cluster"],
            cards=lines["retrieved"],
            exploration=lines["exploration"],
        )
        return render_system(self.prompt, render_blocks(sections, self.words))

    def measure(self, shown: Iterable[int]) -> int:
        """Return the tokens of all messages, and of the reply's beginning, where these entries are shown."""
        blocks = self.content(shown)
        return self.turns + (MESSAGE + self._count([SYSTEM]) + self._count(blocks) if blocks else 0)

    def _count(self, blocks: Sequence[str]) -> int:
        """Return the tokens of blocks put one behind another."""
        parts = self._part(blocks)
        fresh = [part for part in dict.fromkeys(parts) if part not in self.known]
        self.known.update(zip(fresh, self.scale.weigh(fresh), strict=True))
        return -(-sum(self.known[part] for part in parts) // self.scale.parts)

    def _part(self, blocks: Sequence[str]) -> list[str]:
        """Put blocks together whose weights do not add up for certain."""
        if not self.scale.additive:
            return ["".join(blocks)]
        if not isinstance(self.scale.counter, ExactCounter):
            return list(blocks)
        joints, parts = BlockCounter(self.scale.counter.encoding), [""]
        for block in blocks:
            if joints.adds(parts[-1], block):
                parts.append(block)
            else:
                parts[-1] += block
        return parts


def count_turns(turns: Sequence[Mapping[str, Any]], counter: TokenCounter, model: str | None) -> int:
    """Return the tokens of the turns with their frames, and of the reply's beginning, by the rules of `framing`.

    Raises InputError for a turn that cannot be counted, with its index and field.
    """
    framed = frame_messages(turns, model=model, name="recent_turns")
    texts = [text for part in framed for text in part.texts]
    counts = Scale.of(counter)
    return REPLY + sum(part.fixed for part in framed) + sum(counts.count(text) for text in texts)
