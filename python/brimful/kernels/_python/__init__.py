"""The twin: every kernel in plain Python, file for file like `rust/core/src`, and to be read as the reference."""

from __future__ import annotations

from brimful.kernels._python.bm25 import bm25_scores
from brimful.kernels._python.dedup import near_duplicates
from brimful.kernels._python.dense import mmr_select_dense
from brimful.kernels._python.estimate import estimate_tokens, weigh_tokens
from brimful.kernels._python.pairwise import tfidf_similarities
from brimful.kernels._python.sentences import sentence_ends
from brimful.kernels._python.text_report import inspect_text
from brimful.kernels._python.text_selection import mmr_select_text
from brimful.kernels._python.tfidf import tfidf_scores
from brimful.kernels._python.tokens.count import count_tokens
from brimful.kernels._python.truncate import truncate
from brimful.kernels.contract import CONTRACT

__all__ = [
    "CONTRACT",
    "bm25_scores",
    "count_tokens",
    "estimate_tokens",
    "inspect_text",
    "mmr_select_dense",
    "mmr_select_text",
    "near_duplicates",
    "sentence_ends",
    "tfidf_scores",
    "tfidf_similarities",
    "truncate",
    "weigh_tokens",
]
