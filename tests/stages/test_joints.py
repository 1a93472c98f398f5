"""Gaps in lines: what is before one and what is behind it count for themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimful import count_tokens
from brimful.kernels._python.tokens.kinds import LOWER, OTHER_LETTER, UPPER, kinds_of
from brimful.stages import joints
from brimful.stages.joints import find_head
from hostile import hostile_texts
from recorded_cases import every_encoding

if TYPE_CHECKING:
    from brimful.config import Encoding


def test_what_is_taken_for_a_letter_is_one() -> None:
    letters = "".join(chr(code) for code in range(0x110000) if joints.LETTER.match(chr(code)))

    assert len(letters) > 30_000
    assert set(kinds_of(letters)) <= set(LOWER + UPPER + OTHER_LETTER)


@every_encoding
def test_no_token_reaches_across_a_gap(encoding: Encoding) -> None:
    listed = [text.encode("utf-8", "replace").decode() for text in hostile_texts(11, 600, runs=False)]
    listed += [
        first + "".join(rest) for first in ("/", "\n/") for rest in ("字", "é", "a1", "1a", "a's", "1's", "a\u0301")
    ]
    listed += [f"/{text}" for text in listed]
    cut = [(text, at) for text in listed for at in (find_head(text, encoding),) if at]
    assert len(cut) > 30
    for before in ("a\n", ".\n", "/\n", "  \n", "\n\n", "字\n"):
        for behind in ("\n", "\nb", "\n/", "\n\n"):
            whole = count_tokens([f"{before}{text}{behind}" for text, _ in cut], encoding=encoding)
            heads = count_tokens([f"{before}{text[:at]}" for text, at in cut], encoding=encoding)
            rests = count_tokens([f"{text[at:]}{behind}" for text, at in cut], encoding=encoding)
            assert (whole == heads + rests).all()
