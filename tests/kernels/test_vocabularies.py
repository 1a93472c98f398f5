"""The rank files inside the package are OpenAI's, byte for byte."""

from __future__ import annotations

import gzip
import hashlib
from importlib import resources
from typing import get_args

import pytest

from brimful.config import Encoding
from brimful.kernels._python.tokens.bpe import merge
from brimful.kernels._python.tokens.rank_file import load_ranks

pytestmark = pytest.mark.once

# The two that tiktoken 0.14.0 insists on when it downloads them.
PUBLISHED = {
    "cl100k_base": (1_681_126, "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"),
    "o200k_base": (3_613_922, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
}


@pytest.mark.parametrize("encoding", get_args(Encoding))
def test_the_rank_file_is_the_published_one(encoding: Encoding) -> None:
    ranks = gzip.decompress((resources.files("brimful") / "data" / f"{encoding}.tiktoken.gz").read_bytes())

    assert (len(ranks), hashlib.sha256(ranks).hexdigest()) == PUBLISHED[encoding]


def test_the_rank_files_leave_room_in_a_wheel_of_15_megabytes() -> None:
    folder = resources.files("brimful") / "data"

    assert sum(len((folder / f"{encoding}.tiktoken.gz").read_bytes()) for encoding in PUBLISHED) <= 2_500_000


@pytest.mark.slow
@pytest.mark.parametrize("encoding", get_args(Encoding))
def test_every_token_is_what_its_own_bytes_merge_into(encoding: Encoding) -> None:
    # Shortcuts past the merge rest on it: a sequence of tokens is what its bytes merge into if every pair of
    # neighbours is.
    ranks = load_ranks(encoding)

    assert [token for token in ranks if merge(token, ranks) != [token]] == []
    assert sorted(ranks.values()) == [*range(len(ranks))]
