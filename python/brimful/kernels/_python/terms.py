"""The terms of a text: its words, and pairs of characters where words are not parted by spaces."""

from __future__ import annotations

import functools
import re
from typing import Final

from brimful.kernels._python import unicode_table
from brimful.kernels._python.unicode import ALPHANUMERICS, Class, Script, class_pattern, lower, script_of

_PAIRED_SCRIPTS: Final = (Script.HAN, Script.KANA, Script.HANGUL)
_TERM_CLASSES: Final = (*ALPHANUMERICS, Class.CONNECTOR)

# Past the end of each word, `_runs` looks through some hundred ranges: most text is spared that.
_ASCII_RUNS: Final = re.compile("[0-9_a-z]+")


def terms_of(text: str) -> list[str]:
    """Return the terms of a text that is not lower-cased yet, in order. Linear.

    >>> terms_of("C: x_1 東京都 京")
    ['c', 'x_1', '東京', '京都', '京']
    """
    folded = lower(text)
    if folded.isascii():
        return _ASCII_RUNS.findall(folded)
    terms: list[str] = []
    for run in _runs().findall(folded):
        if len(run) > 1 and script_of(run[0]) in _PAIRED_SCRIPTS:
            terms.extend(run[start : start + 2] for start in range(len(run) - 1))
        else:
            terms.append(run)
    return terms


@functools.cache
def _runs() -> re.Pattern[str]:
    """Match a maximal run of Han, Kana and Hangul with the marks that follow, or what lies between such runs."""
    paired, others = _pattern(paired=True), _pattern(paired=False)
    return re.compile(f"[{paired}][{paired}{class_pattern(Class.MARK)}]*|[{others}]+")


def _pattern(*, paired: bool) -> str:
    members = unicode_table.members(
        lambda record: record.class_ in _TERM_CLASSES and (record.script in _PAIRED_SCRIPTS) == paired
    )
    return "".join(f"\\U{run.start():08X}-\\U{run.end() - 1:08X}" for run in re.finditer(rb"\x01+", members))
