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
    from brimful.errors import EmbeddingError as EmbeddingError
    from brimful.errors import InputError as InputError
    from brimful.errors import KernelError as KernelError
    from brimful.errors import RetrievalError as RetrievalError
    from brimful.errors import StoreError as StoreError
    from brimful.protocols import Embedder as Embedder
    from brimful.protocols import Retriever as Retriever
    from brimful.protocols import TokenCounter as TokenCounter
    from brimful.stages.blocks import BlockCounter as BlockCounter
    from brimful.stages.blocks import BlockCounts as BlockCounts
    from brimful.stages.counters import ExactCounter as ExactCounter
    from brimful.stages.counters import from_callable as from_callable
    from brimful.stages.counting import EstimateCounter as EstimateCounter
    from brimful.stages.counting import count_tokens as count_tokens
    from brimful.stages.counting import estimate_tokens as estimate_tokens
    from brimful.stages.dedup import near_duplicates as near_duplicates
    from brimful.stages.framing import ChatTokens as ChatTokens
    from brimful.stages.framing import count_chat_tokens as count_chat_tokens
    from brimful.stages.images import count_image_tokens as count_image_tokens
    from brimful.stages.models import for_model as for_model
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
    "ChatTokens": "stages.framing",
    "Citation": "types",
    "ConfigError": "errors",
    "Context": "builders.flagship",
    "ContextBuilder": "builders.flagship",
    "Decision": "types",
    "Document": "types",
    "Embedder": "protocols",
    "EmbeddingError": "errors",
    "EstimateCounter": "stages.counting",
    "ExactCounter": "stages.counters",
    "InputError": "errors",
    "KernelError": "errors",
    "NearDuplicateOptions": "config",
    "NearDuplicates": "types",
    "RetrievalError": "errors",
    "Retriever": "protocols",
    "Selection": "types",
    "StoreError": "errors",
    "TextSimilarities": "types",
    "TokenCounter": "protocols",
    "__version__": "version",
    "count_chat_tokens": "stages.framing",
    "count_image_tokens": "stages.images",
    "count_tokens": "stages.counting",
    "estimate_tokens": "stages.counting",
    "for_model": "stages.models",
    "from_callable": "stages.counters",
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
