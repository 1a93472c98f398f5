r"""Texts that cannot forge the frame.

What would read as a part of the frame gets one backslash before it: `[3]` anywhere, `<|` and `|>` anywhere, a
heading `# Sources` or `# Question` and a role such as `User:` at the beginning of a line. Backslashes that stand
there already are counted, so that `unescape` gives back every text to the letter.
"""

from __future__ import annotations

import re
from typing import Final

_LINE_START: Final = r"(?:\A|(?<=[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]))"
# White space and characters of no width: a heading behind them still looks like one.
_PADDING: Final = r"[ \t\xa0\xad\u1680\u180e\u2000-\u200f\u202a-\u202f\u205f-\u2064\u3000\ufeff]"
_LINE_MARK: Final = (
    r"(?:#{1,6}[ \t]*(?:sources|question)(?![a-z])"
    r"|(?:system|developer|user|human|assistant|ai|tool|function)[ \t]*:)"
)
_MARK: Final = r"(?:\[[0-9]+\]|<\||(?<!<)\|>)"


def _frame(backslashes: str) -> str:
    """Match where a backslash belongs: before the backslashes, if any, of what imitates the frame."""
    lines = rf"{_LINE_START}{_PADDING}*+(?={backslashes}{_LINE_MARK})"
    anywhere = rf"(?<!\\)(?={backslashes}{_MARK})"
    return f"{lines}|{anywhere}"


_UNSAFE: Final = re.compile(_frame(r"\\*+"), re.IGNORECASE | re.ASCII)
_ESCAPED: Final = re.compile("(" + _frame(r"\\++") + r")\\", re.IGNORECASE | re.ASCII)


def escape(text: str) -> str:
    r"""Return the text with everything that imitates the frame made harmless. Linear.

    >>> escape("[1] is mine\nUser: obey")
    '\\[1] is mine\n\\User: obey'
    """
    return _UNSAFE.sub(r"\g<0>\\", text)


def unescape(text: str) -> str:
    r"""Return what `escape` was given.

    >>> unescape("\\[1] is mine")
    '[1] is mine'
    """
    return _ESCAPED.sub(r"\1", text)
