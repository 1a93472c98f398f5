"""Brimful fills a language model's context window to the brim, and never over.

The public names. Each is imported when it is first asked for, so that `import brimful` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from brimful.builders.flagship import Context as Context
    from brimful.builders.flagship import ContextBuilder as ContextBuilder
    from brimful.config import NearDuplicateOptions as NearDuplicateOptions
    from brimful.errors import BackendError as BackendError
    from brimful.errors import BrimfulError as BrimfulError
    from brimful.errors import BudgetError as BudgetError
    from brimful.errors import ConfigError as ConfigError
    from brimful.errors import InputError as InputError
    from brimful.errors import KernelError as KernelError
    from brimful.protocols import TokenCounter as TokenCounter
    from brimful.stages.blocks import BlockCounter as BlockCounter
    from brimful.stages.blocks import BlockCounts as BlockCounts
    from brimful.stages.counting import count_tokens as count_tokens
    from brimful.stages.counting import estimate_tokens as estimate_tokens
    from brimful.stages.dedup import near_duplicates as near_duplicates
    from brimful.stages.selection import mmr_select as mmr_select
    from brimful.stages.similarity import tfidf_similarities as tfidf_similarities
    from brimful.stages.truncation import truncate as truncate
    from brimful.types import Citation as Citation
    from brimful.types import Decision as Decision
    from brimful.types import Document as Document
    from brimful.types import NearDuplicates as NearDuplicates
    from brimful.types import Selection as Selection
    from brimful.types import TextSimilarities as TextSimilarities

    __version__: str

_HOMES: Final = {
    "BackendError": "errors",
    "BlockCounter": "stages.blocks",
    "BlockCounts": "stages.blocks",
    "BrimfulError": "errors",
    "BudgetError": "errors",
    "Citation": "types",
    "ConfigError": "errors",
    "Context": "builders.flagship",
    "ContextBuilder": "builders.flagship",
    "Decision": "types",
    "Document": "types",
    "InputError": "errors",
    "KernelError": "errors",
    "NearDuplicateOptions": "config",
    "NearDuplicates": "types",
    "Selection": "types",
    "TextSimilarities": "types",
    "TokenCounter": "protocols",
    "__version__": "version",
    "count_tokens": "stages.counting",
    "estimate_tokens": "stages.counting",
    "mmr_select": "stages.selection",
    "near_duplicates": "stages.dedup",
    "tfidf_similarities": "stages.similarity",
    "truncate": "stages.truncation",
}

__all__ = [  # noqa: PLE0604 - the list is the table above
    *_HOMES
]


def __getattr__(name: str) -> object:
    """Import a public name from its home, once."""
    home = _HOMES.get(name)
    if home is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted({*globals(), *_HOMES})
