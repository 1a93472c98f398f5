"""Values of context variables: given back at the end of a block, wherever that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from contextvars import ContextVar, Token

Value = TypeVar("Value")


def put_back(variable: ContextVar[Value], token: Token[Value]) -> None:
    """Give a variable the value that it had before `token` was made.

    A task that is never finished is closed by whoever clears it away, in a context of his. The variable was not set
    there, and what else is to be done at the end must not fail for it.

    >>> from contextvars import ContextVar
    >>> variable = ContextVar("variable", default=0)
    >>> put_back(variable, variable.set(1))
    >>> variable.get()
    0
    """
    try:
        variable.reset(token)
    except ValueError:  # the token is of another context
        return
