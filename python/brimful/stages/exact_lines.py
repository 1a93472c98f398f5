"""Lines in an encoding: texts with a newline between them, each counted once, whichever of them are in."""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import TYPE_CHECKING, Final

from brimful.kernels import active
from brimful.stages.joints import find_head, find_joined, find_tail

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brimful.config import Encoding

_NEWLINE: Final = "\n"


class ExactLines:
    r"""Lines in an encoding. `counts` are the tokens of each text alone; all lines are in at first.

    Texts are taken apart where no token reaches across, so that what a line adds is the count of its middle and of two
    short joints. Taking out and putting back are constant, but where texts without a gap to cut in, such as empty ones,
    follow each other.

    >>> lines = ExactLines(["One.", "", "Two."], "o200k_base")
    >>> lines.total, lines.counts
    (4, [2, 0, 2])
    >>> lines.remove(1)
    >>> lines.total, lines.text()
    (4, 'One.\nTwo.')
    """

    __slots__ = (
        *("_before", "_behind", "_broken", "_encoding", "_end", "_ended", "_heads", "_kept", "_known", "_middles"),
        *("_tails", "_texts", "counts", "total"),
    )

    def __init__(self, texts: Sequence[str], encoding: Encoding) -> None:
        end = len(texts)
        self._encoding: Encoding = encoding
        self._texts = list(texts)
        self._end = end
        self._known = {"": 0, _NEWLINE: 1}
        # Of most lines there is nothing to say here: they begin anew and end with nothing that a newline would change.
        self._heads: dict[int, str | None] = {}
        self._tails: dict[int, str] = {}
        self._ended: dict[int, int] = {}
        self._broken = {end: 0}
        # These have one more, for what is before the first line and behind the last.
        self._behind = [*range(1, end + 1), 0]
        self._before = [end, *range(end)]
        self._kept: list[int] | None = None
        joined = find_joined(self._texts)
        self.counts = self._count_apart(self._texts, joined)
        self._middles = [*self.counts, 0]
        for place in joined:
            self._weigh(place)
        self.total = self._add_up()

    def remove(self, place: int) -> None:
        """Take a line out."""
        left, right = self._before[place], self._behind[place]
        if self._kept is not None:
            del self._kept[bisect_left(self._kept, place)]
        anchor = self._find_anchor(left)
        change = -self._cost(anchor)
        if not self._is_joint(place):
            change -= self._middles[place] + self._cost(place)
        self._behind[left], self._before[right] = right, left
        self.total += change + self._cost(anchor)

    def insert(self, place: int, text: str | None = None) -> None:
        """Put a line back that was taken out, or another text in its place."""
        if text is not None:
            self._texts[place] = text
            [tokens] = self._count_apart([text], [place])
            self.counts[place] = self._middles[place] = tokens
            self._weigh(place)
        if self._kept is None:
            self._kept = self.places()
        at = bisect_left(self._kept, place)
        left = self._kept[at - 1] if at else self._end
        right = self._behind[left]
        anchor = self._find_anchor(left)
        change = -self._cost(anchor)
        self._behind[left] = self._before[right] = place
        self._before[place], self._behind[place] = left, right
        insort(self._kept, place)
        if not self._is_joint(place):
            change += self._middles[place] + self._cost(place)
        self.total += change + self._cost(anchor)

    def drop(self, order: Sequence[int], budget: int) -> int:
        """Take lines out in this order until the rest is within the budget, and return how many were."""
        self._kept = None
        before, behind, heads = self._before, self._behind, self._heads
        for dropped, place in enumerate(order):
            if self.total <= budget:
                return dropped
            right = behind[place]
            if place in heads or right in heads or right == self._end:
                self.remove(place)
                continue
            left = before[place]  # most lines are like this: the joints beside them stay
            behind[left], before[right] = right, left
            self.total -= self._middles[place] + self._broken.get(place, 1)
        return len(order)

    def places(self) -> list[int]:
        """Return the places of the lines that are in."""
        places, place = [], self._behind[self._end]
        while place != self._end:
            places.append(place)
            place = self._behind[place]
        return places

    def text(self) -> str:
        """Return the lines that are in, joined."""
        return _NEWLINE.join([self._texts[place] for place in self.places()])

    def _is_joint(self, place: int) -> bool:
        """Whether a line has no gap to cut in."""
        return self._heads.get(place, "") is None

    def _find_anchor(self, place: int) -> int:
        while self._is_joint(place):
            place = self._before[place]
        return place

    def _cost(self, place: int) -> int:
        """Count from the tail at a place to the next head."""
        right = self._behind[place]
        if right == self._end:
            return self._ended.get(place, 0)
        if right not in self._heads:
            return self._broken.get(place, 1)
        joint = self._join(place)
        if joint not in self._known:
            self._learn([joint])
        return self._known[joint]

    def _join(self, place: int) -> str:
        parts = [] if place == self._end else [self._tails.get(place, "")]
        right = self._behind[place]
        while right != self._end and self._is_joint(right):
            parts.append(self._texts[right])
            right = self._behind[right]
        if right != self._end:
            parts.append(self._heads.get(right) or "")
        return _NEWLINE.join(parts)

    def _learn(self, texts: Iterable[str]) -> None:
        unknown = [text for text in dict.fromkeys(texts) if text not in self._known]
        if unknown:
            self._known.update(zip(unknown, self._count(unknown), strict=True))

    def _count(self, texts: Sequence[str]) -> list[int]:
        return active().list_counts(texts, encoding=self._encoding)

    def _add_up(self) -> int:
        end, last = self._end, self._before[self._end]
        if not self._heads:  # all of them begin anew, as most do
            newlines = sum(self._broken.values()) + end + 1 - len(self._broken)
            return sum(self._middles) + newlines - self._broken.get(last, 1) + self._ended.get(last, 0)
        anchors = [place for place in range(end + 1) if not self._is_joint(place)]
        self._learn([self._join(place) for place in anchors if self._behind[place] in self._heads])
        return sum([self._middles[place] + self._cost(place) for place in anchors])

    def _count_apart(self, texts: list[str], joined: Sequence[int]) -> list[int]:
        """Return the counts of texts; those of ends that may share tokens are learned in the same batch."""
        if not joined:
            return self._count(texts)
        ends = list(dict.fromkeys(end for place in joined for end in self._take_apart(place)))
        counts = self._count([*texts, *ends])
        self._known.update(zip(ends, counts[len(texts) :], strict=True))
        return counts[: len(texts)]

    def _take_apart(self, place: int) -> list[str]:
        """Find the ends of a text, and return what is to be counted of them."""
        text = self._texts[place]
        at = find_head(text, self._encoding)
        head, tail = (None, "") if at is None else (text[:at], text[find_tail(text, at) :])
        self._tails[place] = tail
        if head == "":
            self._heads.pop(place, None)
        else:
            self._heads[place] = head
        return [*filter(None, (head,)), *((tail, f"{tail}\n") if tail else ())]

    def _weigh(self, place: int) -> None:
        head, tail = self._heads.get(place), self._tails[place]
        self._ended[place], self._broken[place] = self._known[tail], self._known[f"{tail}\n"]
        self._middles[place] -= self._known[head or ""] + self._ended[place]
