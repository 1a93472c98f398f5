"""The exact token counters that are held against each other: how each is imported, loaded and called.

Each is called by the way its package names for one text, which counts a batch of chunks at least as fast as its way for
batches; ours takes the batch. Text is ordinary text: no special tokens.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from brimful.config import Encoding

    Counter: TypeAlias = Callable[[Sequence[str]], list[int]]

OURS: Final = "brimful"
REFERENCE: Final = "tiktoken"
RANKS: Final = "TIKTOKEN_CACHE_DIR"
"""The variable that names the folder of rank files: under tiktoken's names, and as `cl100k_base.tiktoken`."""


def load_ours(encoding: Encoding) -> Counter:
    """Count a batch in one call, as a user of the package does."""
    from brimful import count_tokens  # noqa: PLC0415 - each process imports only what it measures

    return lambda texts: count_tokens(texts, encoding=encoding).tolist()


def load_tiktoken(encoding: Encoding) -> Counter:
    """Count with tiktoken, which has no way of counting without ids."""
    import tiktoken  # noqa: PLC0415

    encode = tiktoken.get_encoding(encoding).encode_ordinary
    return lambda texts: [len(encode(text)) for text in texts]


def load_bpe_openai(encoding: Encoding) -> Counter:
    """Count with the crate `bpe-openai`, by its Python package."""
    from bpe_openai import _bindings  # noqa: PLC0415 - the wrapper around it adds work of its own

    count = _bindings.tokenizer_for_encoding(encoding).count
    return lambda texts: [count(text) for text in texts]


def load_quicktok(encoding: Encoding) -> Counter:
    """Count with quicktok."""
    import quicktok  # noqa: PLC0415

    count = quicktok.get_encoding(encoding).count
    return lambda texts: [count(text) for text in texts]


def load_gigatoken(encoding: Encoding) -> Counter:
    """Count with gigatoken, which knows the encoding by the name of its rank file."""
    import gigatoken  # noqa: PLC0415

    path = Path(os.environ[RANKS], f"{encoding}.tiktoken")
    encode = gigatoken.Tokenizer.from_tiktoken(path, special_tokens={}).encode
    return lambda texts: [len(encode(text)) for text in texts]


LOADERS: Final[dict[str, Callable[[Encoding], Counter]]] = {
    OURS: load_ours,
    REFERENCE: load_tiktoken,
    "bpe-openai": load_bpe_openai,
    "quicktok": load_quicktok,
    "gigatoken": load_gigatoken,
}
MODULES: Final = {
    OURS: ("brimful.stages.counting", "brimful.kernels._native", "numpy"),  # it imports the last two when first called
    REFERENCE: ("tiktoken",),
    "bpe-openai": ("bpe_openai",),
    "quicktok": ("quicktok",),
    "gigatoken": ("gigatoken",),
}


def import_counter(name: str) -> None:
    """Import the modules of a counter, so that its load can be told from its import."""
    for module in MODULES[name]:
        importlib.import_module(module)


def installed() -> list[str]:
    """Return the counters that are there, ours first."""
    return [name for name, (module, *_) in MODULES.items() if importlib.util.find_spec(module.partition(".")[0])]
