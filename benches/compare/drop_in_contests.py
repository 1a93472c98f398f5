"""The requests of `make bench-drop-in`, and who answers them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from zerda.memory import MemoryEntry as ZerdaMemory
from zerda.memory import MemoryType as ZerdaMemoryType
from zerda.memory.rag import ContextBuilder as ZerdaBuilder
from zerda.memory.rag import Document as ZerdaChunk
from zerda.prompt.context_manager import ContextManager as ZerdaManager
from zerda.prompt.types import Document as ZerdaDocument
from zerda.prompt.types import PromptRequest as ZerdaRequest

from brimful.builders.documents import ContextManager, Document, PromptRequest
from brimful.builders.packets import ContextBuilder as PacketBuilder
from brimful.builders.packets import ContextPacket, PacketConfig
from brimful.builders.sections import ContextBuilder as SectionBuilder
from brimful.builders.sections import Document as Chunk
from brimful.builders.sections import MemoryEntry, MemoryType
from references import naive_packets
from workloads import write_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZES: Final = (20, 100, 500, 2_000)
WORDS: Final = 120
MANAGER_TARGETS: Final = {500: 300}
NOW: Final = 1_700_000_000_000
HOUR: Final = 3_600_000
MEMORIES: Final = 10
TURNS: Final = 6


@dataclass(frozen=True, slots=True)
class Contest:
    """A request, ours and what is replaced; `ours` and `theirs` give of both results what must be equal."""

    name: str
    count: int
    build: Callable[[], Any]
    replaced: Callable[[], Any]
    read_ours: Callable[[Any], object]
    read_theirs: Callable[[Any], object]
    compared: str
    target: float | None = None

    def ours(self) -> object:
        """Return what is compared of our result."""
        return self.read_ours(self.build())

    def theirs(self) -> object:
        """Return what is compared of theirs."""
        return self.read_theirs(self.replaced())


def make_texts(count: int) -> list[str]:
    """Write so many texts of 120 words, a fifth of them copies with up to 6 words changed."""
    return list(write_texts(count, f"drop-in {count}", copies=count // 5, shortest=WORDS, longest=WORDS))


def make_query() -> str:
    """Write 12 words."""
    [query] = write_texts(1, "query", copies=0, shortest=12, longest=12)
    return query


def documents(count: int) -> Iterator[Contest]:
    """Filter, remove duplicates, order and fill, by the defaults."""
    texts, chance = make_texts(count), random.Random(count)
    scores = [chance.random() for _ in texts]
    ours = [Document(text, f"s{at}", score) for at, (text, score) in enumerate(zip(texts, scores, strict=True))]
    theirs = [ZerdaDocument(text, f"s{at}", score) for at, (text, score) in enumerate(zip(texts, scores, strict=True))]
    manager, replaced, query = ContextManager(), ZerdaManager(), make_query()

    def read(result: Any) -> object:  # noqa: ANN401 - of either library
        return result.context_block, result.tokens_used, result.duplicates_removed, result.citation_map

    yield Contest(
        "documents.ContextManager",
        count,
        lambda: manager.build(PromptRequest(query, documents=ours)),
        lambda: replaced.build(ZerdaRequest(query, documents=theirs)),
        read,
        read,
        "block, tokens, duplicates, sources",
        MANAGER_TARGETS.get(count),
    )


def sections(count: int) -> Iterator[Contest]:
    """Join and cut four sections, by the defaults."""
    texts = make_texts(count)
    rest: dict[str, Any] = {
        "history": [{"input": text, "output": text} for text in texts[:TURNS]],
        "user_profile_text": texts[0],
        "query": make_query(),
    }
    ours = [Chunk(text, {"source": f"s{at}"}) for at, text in enumerate(texts)]
    theirs = [ZerdaChunk(text, {"source": f"s{at}"}) for at, text in enumerate(texts)]
    said = [{"input": text, "output": text} for text in texts[:MEMORIES]]
    memories = [MemoryEntry(turn, float(at), MemoryType.EPISODIC) for at, turn in enumerate(said)]
    zerdas = [ZerdaMemory(turn, float(at), ZerdaMemoryType.EPISODIC) for at, turn in enumerate(said)]
    builder, replaced = SectionBuilder(), ZerdaBuilder()

    def read(result: Any) -> object:  # noqa: ANN401 - of either library
        return result.full_text, result.token_estimate, result.truncated, result.document_count

    yield Contest(
        "sections.ContextBuilder",
        count,
        lambda: builder.build(documents=ours, memories=memories, **rest),
        lambda: replaced.build(documents=theirs, memories=zerdas, **rest),
        read,
        read,
        "text, tokens, truncated",
    )


def packets(count: int) -> Iterator[Contest]:
    """Choose packets by worth, and by MMR."""
    texts, chance, query = make_texts(count), random.Random(count), make_query()
    worth = [(chance.random(), NOW - chance.random() * HOUR) for _ in texts]
    ours = [
        ContextPacket(text, relevance_score=score, timestamp=time)
        for text, (score, time) in zip(texts, worth, strict=True)
    ]
    theirs = [
        {"content": text, "relevanceScore": score, "timestamp": time}
        for text, (score, time) in zip(texts, worth, strict=True)
    ]
    for name, mmr in (("packets, greedy", False), ("packets, MMR", True)):
        builder = PacketBuilder(PacketConfig(enable_mmr=mmr), clock=lambda: float(NOW))
        request, options = {"userQuery": query, "additionalPackets": theirs}, {"enableMmr": mmr}
        yield Contest(
            f"{name}: ContextBuilder",
            count,
            partial(builder.build, user_query=query, additional_packets=ours),
            partial(naive_packets.build, request, options, NOW),
            lambda result: ([packet.content for packet in result.included_packets], result.total_tokens),
            lambda result: ([texts[item] for item in result.chosen], result.total),
            "packets in order, tokens",
        )
