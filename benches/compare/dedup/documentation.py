"""Real text: the documentation that the machine has, cut into chunks. It differs from machine to machine."""

from __future__ import annotations

import gzip
import itertools
import re
import sysconfig
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SYSTEM: Final = Path("/usr/share/doc"), Path("/usr/share/man")
PYTHON: Final = (Path(sysconfig.get_path("stdlib")),)
"""Where the system has no documentation: the docstrings are most of the library's text."""
FEWEST_CHUNKS: Final = 5_000
MOST_CHUNKS: Final = 200_000
MOST_BYTES: Final = 4_000_000
"""So much of a file is read."""
CHUNK: Final = re.compile(r"\S+(?:\s+\S+){0,199}")
FEWEST_WORDS: Final = 20
MACROS: Final = re.compile(r"^[.'].*$|\\f.|\\[&|^]", re.MULTILINE)
"""The mark-up of manual pages."""


def read_documentation(places: Sequence[Sequence[Path]] = (SYSTEM, PYTHON)) -> list[str]:
    """Return the chunks of the first place that has enough, or an empty list."""
    for folders in places:
        chunks = list(itertools.islice(chunks_below(folders), MOST_CHUNKS))
        if len(chunks) >= FEWEST_CHUNKS:
            return chunks
    return []


def chunks_below(folders: Sequence[Path]) -> Iterator[str]:
    """Cut every text file below the folders, in the order of their names."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                yield from cut(read(path))


def cut(text: str) -> Iterator[str]:
    """Cut chunks of 200 words, white space kept between them; a shorter rest is left out."""
    for found in CHUNK.finditer(text):
        if len(found[0].split()) >= FEWEST_WORDS:
            yield found[0]


def read(path: Path) -> str:
    """Read the beginning of a file, packed or not, without the macros of a manual page; of a binary one nothing."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            content = stream.read(MOST_BYTES)
    except (OSError, EOFError, zlib.error):
        return ""
    if b"\0" in content:
        return ""
    text = content.decode(errors="replace")
    return MACROS.sub(" ", text) if "man" in path.parts else text
