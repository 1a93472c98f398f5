"""The rank files: what tokens there are, and which of two is merged first.

`scripts/pack_vocabularies.py` tells where they come from. A rank file is read at the first question and kept: 11 MB for
cl100k_base, 23 MB for o200k_base.
"""

from __future__ import annotations

import functools
import gzip
from binascii import a2b_base64
from importlib import resources
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from brimful.config import Encoding

Ranks: TypeAlias = dict[bytes, int]
"""The rank of each token; the lower one is merged first."""

_BYTES: Final = 256


@functools.cache
def load_ranks(encoding: Encoding) -> Ranks:
    """Return the ranks of an encoding. Raises ValueError when its file is no rank file.

    >>> load_ranks("cl100k_base")[b" the"]
    279
    """
    name = f"{encoding}.tiktoken.gz"
    packed = resources.files("brimful").joinpath("data", name).read_bytes()
    lines = map(bytes.split, gzip.decompress(packed).splitlines())
    ranks = {a2b_base64(token): int(rank) for token, rank in lines}
    if any(bytes([byte]) not in ranks for byte in range(_BYTES)):
        message = f"{name} has no token for some of the {_BYTES} bytes"
        raise ValueError(message)
    return ranks
