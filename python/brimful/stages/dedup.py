"""Which texts repeat others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimful.config import NearDuplicateOptions, Shingles, Words
from brimful.kernels import active

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brimful.types import NearDuplicates


def near_duplicates(
    texts: Iterable[str],
    *,
    scores: Sequence[float] | None = None,
    shingle_size: int = 5,
    threshold: float = 0.85,
    containment: float | None = None,
    words: Words = "whitespace",
    shingles: Shingles = "words",
    normalize: bool = False,
    distinguish_facts: bool = False,
) -> NearDuplicates:
    """Return which texts stay and which repeat one of those, exactly.

    The order of the texts is their priority: of two that repeat each other the earlier one stays. With `scores`, one
    a text, it is the better one, and of equal scores the earlier. Texts are compared by the Jaccard similarity of
    their `shingle_size`-word shingles, with the kept texts only. The options are those of `NearDuplicateOptions`; the
    defaults are those of seed 001. Linear in the text where texts share little; quadratic in a cluster of texts that
    are all about as similar as the threshold says. In the compiled back end 64 bits of a keyed hash stand for a
    shingle: 6e-4 colliding pairs are to be expected in a million texts.

    Raises InputError for what is no `str` or no finite score, with its index, and ConfigError for an option out of
    range.

    >>> found = near_duplicates(["The cat sat.", "A dog ran.", "the  CAT sat."])
    >>> found.kept.tolist(), found.duplicate_of.tolist(), found.similarity.tolist()
    ([0, 1], [-1, -1, 0], [0.0, 0.0, 1.0])
    >>> near_duplicates(["The cat sat.", "the  CAT sat."], scores=[0.2, 0.7]).duplicate_of.tolist()
    [1, -1]
    """
    options = NearDuplicateOptions(
        shingle_size=shingle_size,
        threshold=threshold,
        containment=containment,
        words=words,
        shingles=shingles,
        normalize=normalize,
        distinguish_facts=distinguish_facts,
    )
    return active().near_duplicates(texts, options, scores)
