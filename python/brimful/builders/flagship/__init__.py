"""The builder for everything that competes for the window."""

from __future__ import annotations

from brimful.builders.flagship.builder import ContextBuilder
from brimful.builders.flagship.context import Context

__all__ = ["Context", "ContextBuilder"]
