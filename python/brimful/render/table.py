"""Rows as a plain table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a line a row, its cells two spaces apart and as wide as the widest of their column.

    >>> table([("a", "b"), ("long", "c")])
    ['a     b', 'long  c']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
