"""What the text rules say of a text: the window through which tests compare both back ends with each other."""

from __future__ import annotations

from brimful.kernels._python.grapheme import grapheme_starts
from brimful.kernels._python.normal import nfc
from brimful.kernels._python.unicode import classes_and_scripts, lower


def inspect_text(text: str) -> tuple[bytes, str, str, bytes]:
    r"""Return classes, lower case, NFC and grapheme starts of a text. Linear.

    The first and the last are a byte a code point: class, with the script group shifted left by four bits; and 1
    where an extended grapheme cluster begins, else 0.

    >>> inspect_text("É")
    (b'\x00', 'é', 'É', b'\x01')
    """
    starts = bytearray(len(text))
    for start in grapheme_starts(text):
        starts[start] = 1
    return classes_and_scripts(text), lower(text), nfc(text), bytes(starts)
