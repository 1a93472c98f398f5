"""tiktoken without the network: it finds our rank files in its cache, where it checks their SHA-256."""

from __future__ import annotations

import gzip
import os
import tempfile
from functools import cache
from hashlib import sha1
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

import tiktoken

if TYPE_CHECKING:
    from brimful.config import Encoding

ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
"""A file of the cache is named after the SHA-1 of where it comes from."""


@cache
def load_tiktoken(encoding: Encoding) -> tiktoken.Encoding:
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, TIKTOKEN_CACHE_DIR=folder):
        write_rank_file(Path(folder), encoding)
        return tiktoken.get_encoding(encoding)


def write_rank_file(folder: Path, encoding: Encoding) -> Path:
    packed = resources.files("brimful").joinpath("data", f"{encoding}.tiktoken.gz").read_bytes()
    path = folder / sha1(ADDRESS.format(encoding).encode(), usedforsecurity=False).hexdigest()
    path.write_bytes(gzip.decompress(packed))
    return path
