"""Which texts repeat others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from brimful.config import NearDuplicateOptions, Shingles, Words
from brimful.kernels import active

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from brimful.types import NearDuplicates


def near_duplicates(
    texts: Iterable[str],
    *,
    scores: ArrayLike | None = None,
    shingle_size: int = 5,
    threshold: float = 0.85,
    containment: float | None = None,
    words: Words = "whitespace",
    shingles: Shingles = "words",
    normalize: bool = False,
    distinguish_facts: bool = False,
) -> NearDuplicates:
    """Return which texts stay and which repeat one of those, exactly.

    The order of the texts is their priority: of two that repeat each other the earlier one stays. With `scores`, one a
    text, the one that scores more stays; ties go to the earlier one. Texts are compared by the Jaccard similarity of
    their `shingle_size`-word shingles, with the kept texts only. The options are those of `NearDuplicateOptions`; the
    defaults are those of seed 001. Linear in the text where texts share little; quadratic in a cluster of texts that
    are all about as similar as the threshold says. In the compiled back end 64 bits of a keyed hash stand for a
    shingle: 6e-4 colliding pairs are to be expected in a million texts.

    Raises InputError for what is no `str` or no finite score, with its index, and ConfigError for an option out of
    range.

    >>> found = near_duplicates(["The cat sat.", "A dog ran.", "the  CAT sat."])
    >>> found.kept.tolist(), found.duplicate_of.tolist(), found.similarity.tolist()
    ([0, 1], [-1, -1, 0], [0.0, 0.0, 1.0])
    >>> near_duplicates(["The cat sat.", "the  CAT sat."], scores=[0.1, 0.9]).duplicate_of.tolist()
    [1, -1]
    """
    asked = shingle_size, threshold, containment, words, shingles, normalize, distinguish_facts
    try:
        options = _remembered_options(*asked)
    except TypeError:  # what has no hash cannot be remembered; as an option it is refused
        options = _read_options(*asked)
    return active().near_duplicates(texts, options, scores)


def _read_options(  # noqa: PLR0917 - all options there are, passed on in their order
    shingle_size: int,
    threshold: float,
    containment: float | None,
    words: Words,
    shingles: Shingles,
    normalize: bool,  # noqa: FBT001 - as above
    distinguish_facts: bool,  # noqa: FBT001 - as above
) -> NearDuplicateOptions:
    return NearDuplicateOptions(
        shingle_size=shingle_size,
        threshold=threshold,
        containment=containment,
        words=words,
        shingles=shingles,
        normalize=normalize,
        distinguish_facts=distinguish_facts,
    )


# A service asks by the same options again and again: to check them anew takes a fiftieth of a call for 100 texts.
_remembered_options = lru_cache(maxsize=64, typed=True)(_read_options)


@dataclass(frozen=True, slots=True)
class Repeat:
    """Which item another one repeats, and how similar they are."""

    of: int
    similarity: float


def find_repeats(texts: Sequence[str], line: Sequence[int], options: NearDuplicateOptions | None) -> dict[int, Repeat]:
    """Return which items of the line repeat an earlier one of it that stays; without options none does."""
    if options is None:
        return {}
    found = active().near_duplicates([texts[item] for item in line], options)
    verdicts = zip(line, found.duplicate_of.tolist(), found.similarity.tolist(), strict=True)
    return {item: Repeat(line[origin], similarity) for item, origin, similarity in verdicts if origin >= 0}


def find_exact_repeats(texts: Sequence[str], line: Sequence[int]) -> dict[int, Repeat]:
    """Return which items of the line are equal to an earlier one but for case and the kind and length of white space.

    White space at the beginning and at the end is compared as well, as one space. Linear.

    >>> find_exact_repeats(["A  b", "a b", " a b"], [0, 1, 2])
    {1: Repeat(of=0, similarity=1.0)}
    """
    first: dict[str, int] = {}
    found = {item: first.setdefault(_collapse(texts[item]), item) for item in line}
    return {item: Repeat(of, 1.0) for item, of in found.items() if of != item}


def _collapse(text: str) -> str:
    _, lowered, _, _ = active().inspect_text(text)
    before, behind = (" " if edge.isspace() else "" for edge in (lowered[:1], lowered[-1:]))
    return f"{before}{' '.join(lowered.split())}{behind}"
