"""The version, as the installed package states it."""

from __future__ import annotations

from importlib.metadata import version

__version__ = version("brimful")
