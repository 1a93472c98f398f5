"""Counts that add up: blocks that are put one behind another, and where their tokens are no sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from brimful.config import Encoding, check_choice
from brimful.kernels import active
from brimful.kernels.texts import check_text, check_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_NEWLINES = ("\n", "\r")


@dataclass(frozen=True, slots=True)
class BlockCounts:
    """What blocks count that are put one behind another.

    `tokens` are those of each block alone and `total` those of all in one, always exact. `glued` names each block whose
    beginning may share a token with what is before it: where there is none, `total` is the sum of `tokens`.
    """

    tokens: tuple[int, ...]
    total: int
    glued: tuple[int, ...]

    @property
    def additive(self) -> bool:
        """Whether the counts of the blocks add up for certain."""
        return not self.glued


@dataclass(frozen=True, slots=True)
class BlockCounter:
    r"""Counts texts made of blocks, each block once.

    No token reaches from a block that ends in a newline into one that begins with anything but white space (nor with
    `/` in o200k_base), so the counts of documents with a blank line behind each add up. Other joints that hold: a block
    that ends in no white space before a space or tab, and one that ends in an ASCII letter or digit before a newline.
    Of all others nothing is claimed: blocks at such a joint are counted together.

    Immutable, and safe to share between threads. Raises ConfigError for an unknown encoding.

    >>> BlockCounter().count(["One.\n\n", "Two.\n\n", "Three."])
    BlockCounts(tokens=(2, 2, 2), total=6, glued=())
    >>> BlockCounter().count(["inter", "national"])
    BlockCounts(tokens=(1, 1), total=1, glued=(1,))
    """

    encoding: Encoding = "o200k_base"

    def __post_init__(self) -> None:
        """Check the encoding."""
        check_choice("encoding", self.encoding, get_args(Encoding))

    def count(self, blocks: Iterable[str]) -> BlockCounts:
        """Count each block, and all of them one behind another. Linear.

        Raises InputError for a block that is no `str`, with its index.
        """
        texts = check_texts(blocks, name="blocks")
        groups = self._group(texts)
        joined = [group for group in groups if len(group) > 1]
        together = ["".join(texts[index] for index in group) for group in joined]
        counts = active().list_counts([*texts, *together], encoding=self.encoding)
        tokens, totals = counts[: len(texts)], counts[len(texts) :]
        alone = sum(tokens[group[0]] for group in groups if len(group) == 1)
        glued = tuple(index for group in joined for index in group[1:])
        return BlockCounts(tuple(tokens), alone + sum(totals), glued)

    def adds(self, before: str, behind: str) -> bool:
        r"""Whether the count of both texts, one behind the other, is for certain the sum of their counts.

        Raises InputError for what is no `str`.

        >>> BlockCounter().adds("a line\n", "another"), BlockCounter().adds("a line\n", "  indented")
        (True, False)
        """
        return self._adds(check_text(before, name="before"), check_text(behind, name="behind"))

    def _adds(self, before: str, behind: str) -> bool:
        if not before or not behind:
            return True
        last, first = before[-1], behind[0]
        if last in _NEWLINES:
            return not first.isspace() and not (first == "/" and self.encoding == "o200k_base")
        if first in _NEWLINES:
            return last.isascii() and last.isalnum()
        return first in " \t" and not last.isspace()

    def _group(self, texts: Sequence[str]) -> list[list[int]]:
        """Put blocks together that count only together; what is empty has no place."""
        groups: list[list[int]] = []
        for index, text in enumerate(texts):
            if not text:
                continue
            if groups and not self._adds(texts[groups[-1][-1]], text):
                groups[-1].append(index)
            else:
                groups.append([index])
        return groups
