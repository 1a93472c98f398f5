"""Exact token counts of texts."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, Final

import numpy as np

from brimful.kernels._python.tokens.bpe import count_parts
from brimful.kernels._python.tokens.pretokens import pretoken_ends, scan
from brimful.kernels._python.tokens.rank_file import load_ranks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from brimful.config import Encoding

_LONGEST_KEPT: Final = 64
"""Characters; words come again, and longer pretokens hardly do. The counts that are kept take about 10 MB."""


def count_tokens(texts: Sequence[str], /, *, encoding: Encoding) -> NDArray[np.int64]:
    """Return the exact tokens of each text; `contract.Kernels.count_tokens` specifies them.

    >>> count_tokens(["hello world", "", "<|endoftext|>"], encoding="o200k_base").tolist()
    [2, 0, 7]
    """
    return np.fromiter((count_text(text, encoding) for text in texts), dtype=np.int64, count=len(texts))


def count_text(text: str, encoding: Encoding) -> int:
    """Return the tokens of one text: those of its pretokens."""
    ends = pretoken_ends(scan(text), encoding)
    return sum(
        count_pretoken(text[start:end], encoding) for start, end in itertools.pairwise(itertools.chain([0], ends))
    )


def count_pretoken(pretoken: str, encoding: Encoding) -> int:
    """Return the tokens of one pretoken."""
    if len(pretoken) <= _LONGEST_KEPT:
        return _count_short(pretoken, encoding)
    return count_parts(pretoken.encode(), load_ranks(encoding))


@functools.lru_cache(maxsize=1 << 15)
def _count_short(pretoken: str, encoding: Encoding) -> int:
    return count_parts(pretoken.encode(), load_ranks(encoding))
