"""The checks and conversions around a back end: what both accept, refuse and return, decided once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TypeVar, get_args

from brimful.config import AdditiveRule, EstimateRule, NearDuplicateOptions, check_choice, show
from brimful.errors import InputError
from brimful.types import NearDuplicates

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    from brimful.kernels.contract import Buffer, Kernels

    Integers: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]

Column = TypeVar("Column", bound="NDArray[np.generic]")


def check_texts(texts: object, *, name: str = "texts") -> list[str]:
    """`texts` as a list, read once, every item a `str`.

    Raises InputError for a bare `str` (with the hint), for what cannot be iterated, for a set, whose order is
    another in every process, and for an item that is no `str`, with its index.

    >>> check_texts(["a", None])
    Traceback (most recent call last):
    brimful.errors.InputError: texts[1] must be a str, got None
    """
    if isinstance(texts, (str, bytes, bytearray, Mapping, set, frozenset)) or not isinstance(texts, Iterable):
        hint = f"\nhint: pass `[{name.removesuffix('s')}]`" if isinstance(texts, str) else ""
        message = f"{name} must be str in an order, got {show(texts)}{hint}"
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

    def weigh_tokens(self, texts: Iterable[str], *, rule: AdditiveRule) -> Integers:
        """Weigh each text, int64, in 1/1024 token."""
        check_choice("rule", rule, get_args(AdditiveRule))
        return _integers(self.raw.weigh_tokens(_sound(check_texts(texts)), rule=rule))

    def near_duplicates(self, texts: Iterable[str], options: NearDuplicateOptions) -> NearDuplicates:
        """Find, for each text, the earliest kept one that it repeats, and how similar they are."""
        import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

        given = check_texts(texts)
        sound = _sound(given)
        repaired = [index for index, text in enumerate(sound) if text is not given[index]]
        origins, similarities = self.raw.near_duplicates(sound, **asdict(options))
        duplicate_of = _integers(origins)
        return NearDuplicates(
            kept=_freeze(np.flatnonzero(duplicate_of < 0)),
            duplicate_of=duplicate_of,
            similarity=_floats(similarities),
            repaired=_freeze(np.array(repaired, dtype=np.int64)),
        )

    def inspect_text(self, text: str) -> tuple[bytes, str, str, bytes]:
        """Report classes, lower case, NFC and grapheme starts of one text."""
        [sound] = _sound(check_texts([text]))
        return self.raw.inspect_text(sound)


def _sound(texts: list[str]) -> list[str]:
    """Repair every text: `isascii` reads a flag of the string, so clean ASCII costs next to nothing."""
    return [text if text.isascii() else repair_surrogates(text) for text in texts]


def _integers(buffer: Buffer) -> Integers:
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    return _freeze(np.frombuffer(buffer, dtype=np.int64))


def _floats(buffer: Buffer) -> Floats:
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    return _freeze(np.frombuffer(buffer, dtype=np.float64))


def _freeze(column: Column) -> Column:
    column.flags.writeable = False
    return column
