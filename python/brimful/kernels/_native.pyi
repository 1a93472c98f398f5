from collections.abc import Sequence
from typing import Final

from brimful.config import AdditiveRule, EstimateRule, Shingles, Words

__all__ = [
    "CONTRACT",
    "__version__",
    "estimate_tokens",
    "fault",
    "inspect_text",
    "near_duplicates",
    "set_threads",
    "weigh_tokens",
]

CONTRACT: Final[int]
__version__: Final[str]

def estimate_tokens(texts: Sequence[str], /, *, rule: EstimateRule) -> bytes: ...
def weigh_tokens(texts: Sequence[str], /, *, rule: AdditiveRule) -> bytes: ...
def near_duplicates(
    texts: Sequence[str],
    /,
    *,
    shingle_size: int,
    threshold: float,
    containment: float | None,
    words: Words,
    shingles: Shingles,
    normalize: bool,
    distinguish_facts: bool,
) -> tuple[bytes, bytes]: ...
def inspect_text(text: str, /) -> tuple[bytes, str, str, bytes]: ...
def set_threads(count: int, /) -> None: ...
def fault(message: str, /) -> None: ...
