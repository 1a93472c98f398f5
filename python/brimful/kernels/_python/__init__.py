"""The twin: every kernel in plain Python, file for file like `rust/core/src`, and to be read as the reference."""

from __future__ import annotations

from brimful.kernels._python.dedup import near_duplicates
from brimful.kernels._python.estimate import estimate_tokens, weigh_tokens
from brimful.kernels._python.text_report import inspect_text
from brimful.kernels.contract import CONTRACT

__all__ = ["CONTRACT", "estimate_tokens", "inspect_text", "near_duplicates", "weigh_tokens"]
