"""The checks and conversions around a back end: what both accept, refuse and return, decided once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, get_args

from brimful.config import EstimateRule, NearDuplicateOptions, check_choice, show
from brimful.errors import InputError

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    from brimful.kernels.contract import Buffer, Kernels

    Integers: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]


def check_texts(texts: object, *, name: str = "texts") -> list[str]:
    """`texts` as a list, read once, every item a `str`.

    Raises InputError for a bare `str` (with the hint), for what cannot be iterated, and for an item that is no
    `str`, with its index.

    >>> check_texts(["a", None])
    Traceback (most recent call last):
    brimful.errors.InputError: texts[1] must be a str, got None
    """
    if isinstance(texts, (str, bytes, bytearray, Mapping)) or not isinstance(texts, Iterable):
        hint = f"\nhint: pass `[{name.removesuffix('s')}]`" if isinstance(texts, str) else ""
        message = f"{name} must be an iterable of str, got {show(texts)}{hint}"
        raise InputError(message)
    listed = list(texts)
    for index, text in enumerate(listed):
        if not isinstance(text, str):
            message = f"{name}[{index}] must be a str, got {show(text)}"
            raise InputError(message)
    return listed


def repair_surrogates(text: str) -> str:
    """`text` with split surrogate pairs joined and lone surrogates replaced by U+FFFD; the same object if sound."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def is_sound(text: str) -> bool:
    """Whether `text` encodes as UTF-8, that is, has no surrogates."""
    return text.isascii() or repair_surrogates(text) is text


@dataclass(frozen=True, slots=True)
class CheckedKernels:
    """A back end behind its checks: arguments validated, surrogates repaired, buffers given as arrays.

    The methods are those of `contract.Kernels`, whose docstrings specify them. Arrays are read-only.
    """

    name: str
    raw: Kernels

    def estimate_tokens(self, texts: Iterable[str], *, rule: EstimateRule = "script") -> Integers:
        """Estimate the tokens of each text, int64, by `rule`."""
        check_choice("rule", rule, get_args(EstimateRule))
        return _integers(self.raw.estimate_tokens(_sound(check_texts(texts)), rule=rule))

    def near_duplicates(self, texts: Iterable[str], options: NearDuplicateOptions) -> tuple[Integers, Floats]:
        """Find, for each text, the earliest kept one that it repeats (-1: kept), and how similar they are."""
        origins, similarities = self.raw.near_duplicates(_sound(check_texts(texts)), **asdict(options))
        return _integers(origins), _floats(similarities)

    def inspect_text(self, text: str) -> tuple[bytes, str, str, bytes]:
        """Report classes, lower case, NFC and grapheme starts of one text."""
        [sound] = _sound(check_texts([text]))
        return self.raw.inspect_text(sound)


def _sound(texts: list[str]) -> list[str]:
    """Repair every text: `isascii` reads a flag of the string, so clean ASCII costs next to nothing."""
    return [text if text.isascii() else repair_surrogates(text) for text in texts]


def _integers(buffer: Buffer) -> Integers:
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    column = np.frombuffer(buffer, dtype=np.int64)
    column.flags.writeable = False
    return column


def _floats(buffer: Buffer) -> Floats:
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    column = np.frombuffer(buffer, dtype=np.float64)
    column.flags.writeable = False
    return column
