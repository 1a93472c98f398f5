"""What is to be awaited where nobody can wait for it."""

from __future__ import annotations


def give_up(answer: object) -> None:
    """Close a coroutine that nobody will await: the interpreter would complain of it."""
    close = getattr(answer, "close", None)
    if callable(close):
        close()
