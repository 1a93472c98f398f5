"""Similarities of two sets, from the counts alone."""

from __future__ import annotations


def jaccard(shared: int, left: int, right: int) -> float:
    """Divide what two sets share by their union; the sets are never both empty."""
    return shared / (left + right - shared)


def containment(shared: int, later: int) -> float:
    """Divide what two sets share by the size of the later one."""
    return shared / later
