"""Texts made comparable, and their words."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from brimful.kernels._python.normal import nfc
from brimful.kernels._python.unicode import ALPHANUMERICS, class_pattern

if TYPE_CHECKING:
    from brimful.config import Words

BYTE_ORDER_MARK = "\ufeff"


def comparable(text: str, *, normalize: bool) -> str:
    """Give the text as it is compared: with `normalize`, its NFC without a leading byte order mark."""
    return nfc(text.removeprefix(BYTE_ORDER_MARK)) if normalize else text


def split_words(text: str, words: Words) -> list[str]:
    """Split into words: runs without white space, or runs of letters, marks and numbers."""
    return text.split() if words == "whitespace" else alphanumeric_runs().findall(text)


@functools.cache
def alphanumeric_runs() -> re.Pattern[str]:
    """Match a maximal run of letters, marks and numbers."""
    return re.compile(f"[{class_pattern(*ALPHANUMERICS)}]+")
