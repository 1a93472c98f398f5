"""Fields that are checked whenever they are set: what holds them can never hold a wrong value."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, cast

from brimful.config import as_finite, show
from brimful.errors import InputError
from brimful.kernels.texts import check_text, check_texts, is_unordered, repair_surrogates
from brimful.stores.moments import write_moment

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Read: TypeAlias = Callable[[str, Any], Any]
    """The check of a field: takes its name and a value, returns what is kept."""
    Vector: TypeAlias = NDArray[np.float32]
    """(d,), C-contiguous, read-only."""

LARGEST_COUNT = 2**62
"""Far from where a store's 64 bits end: one more is always a whole number."""


class CheckedFields:
    """A dataclass whose fields are checked when they are set.

    `CHECKS` has a check a field; `REQUIRED` have no default; `FIXED` are set once.
    """

    __slots__ = ()
    CHECKS: ClassVar[Mapping[str, Read]]
    REQUIRED: ClassVar[tuple[str, ...]]
    FIXED: ClassVar[frozenset[str]]

    def __setattr__(self, name: str, value: object) -> None:
        """Check the value, and refuse another one for a field that is set once."""
        if name not in self.CHECKS:
            message = f"{type(self).__name__} has no field {name}"
            raise AttributeError(message)
        if name in self.FIXED and hasattr(self, name):
            message = f"{name} of a {type(self).__name__} is read-only"
            raise AttributeError(message)
        object.__setattr__(self, name, self.CHECKS[name](name, value))

    def __eq__(self, other: object) -> bool:
        """Compare by value."""
        return self.to_dict() == other.to_dict() if isinstance(other, type(self)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # its fields may change

    def own(self) -> Self:
        """Return a copy that shares no list. Lists are checked again: they may have been changed in place."""
        twin = object.__new__(type(self))
        for name, check in self.CHECKS.items():
            value = getattr(self, name)
            object.__setattr__(twin, name, check(name, value) if type(value) is list else value)
        return twin

    def to_dict(self) -> dict[str, Any]:
        """Return every field as JSON has it: moments in ISO 8601, vectors as lists of numbers."""
        return {name: _plain(getattr(self, name)) for name in self.CHECKS}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any], *, name: str = "") -> Self:
        """Return what `to_dict` was called on; a field that is missing or None has its default.

        Raises InputError for what is no mapping, for a field that is wrong, unknown or must not be missing; `name` is
        what the message calls the mapping.
        """
        if not isinstance(cast("object", given), Mapping):
            message = f"{name or cls.__name__} must be a mapping, got {show(given)}"
            raise InputError(message)
        place = f"{name}." if name else ""
        for key in given:
            if key not in cls.CHECKS:
                message = f"{place}{key} is not a field of a {cls.__name__}, which are {', '.join(cls.CHECKS)}"
                raise InputError(message)
        present = {key: value for key, value in given.items() if value is not None}
        for required in cls.REQUIRED:
            if required not in present:
                message = f"{place}{required} is missing, got {show(given)}"
                raise InputError(message)
        try:
            return cls(**present)
        except InputError as error:
            message = f"{place}{error}"
            raise InputError(message) from None


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return write_moment(value)
    if isinstance(value, list):
        return list(value)
    return cast("Any", value).tolist() if hasattr(value, "tolist") else value


def read_text(name: str, value: object) -> str:
    """`value` as a sound `str`."""
    return check_text(value, name=name)


def read_id(name: str, value: object) -> str:
    """`value` as an id: any `str` that is not empty and can be encoded; repair could make two ids one."""
    if isinstance(value, str) and value and repair_surrogates(value) is value:
        return value
    message = f"{name} must be a str that is not empty and has no lone surrogates, got {show(value)}"
    raise InputError(message)


def read_names(name: str, value: object) -> list[str]:
    """`value` as a list of sound `str`, its own."""
    return [repair_surrogates(text) for text in check_texts(value, name=name)]


def read_share(name: str, value: object) -> float:
    """`value` as a float from 0 to 1."""
    number = as_finite(value)
    if number is not None and 0 <= number <= 1:
        return number
    message = f"{name} must be between 0 and 1, got {show(value)}"
    raise InputError(message)


def read_amount(name: str, value: object) -> float:
    """`value` as a finite float of at least 0."""
    number = as_finite(value)
    if number is not None and number >= 0:
        return number
    message = f"{name} must be a finite number of at least 0, got {show(value)}"
    raise InputError(message)


def read_count(name: str, value: object, *, high: int = LARGEST_COUNT) -> int:
    """`value` as an int from 0 to `high`."""
    if not isinstance(value, bool) and isinstance(value, numbers.Integral) and 0 <= int(value) <= high:
        return int(value)
    message = f"{name} must be a whole number from 0 to {high:,}, got {show(value)}"
    raise InputError(message)


def read_vector(name: str, value: ArrayLike) -> Vector:
    """`value` as float32, a copy that cannot be written: (d,) with at least one component, all finite.

    Raises InputError that names the component.
    """
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    if is_unordered(value):
        message = f"{name} must be a vector of numbers, got {show(value)}"
        raise InputError(message)
    try:
        given = np.asarray(value)
        if given.dtype.kind not in "biuf" or given.ndim != 1 or not given.size:
            raise TypeError  # noqa: TRY301 - one message for all of it
        with np.errstate(over="ignore"):
            vector = np.array(given, dtype=np.float32)
    except (TypeError, ValueError):
        message = f"{name} must be a vector of numbers, got {show(value)}"
        raise InputError(message) from None
    _check_finite(name, given, vector)
    vector.flags.writeable = False
    return vector


def _check_finite(name: str, given: NDArray[Any], vector: Vector) -> None:
    """Refuse a component that is not finite, or too large for float32."""
    import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

    finite = np.isfinite(vector)
    if not finite.all():
        at = int(np.argmin(finite))
        rule = "fit float32" if math.isfinite(given[at]) else "be finite"
        message = f"{name}[{at}] must {rule}, got {float(given[at])}"
        raise InputError(message)


def optional(read: Read) -> Read:
    """Return the check that takes None as well."""
    return lambda name, value: None if value is None else read(name, value)


def read_choice(*choices: str) -> Read:
    """Return the check for one of `choices`."""

    def read(name: str, value: object) -> object:
        if isinstance(value, str) and value in choices:
            return value
        message = f"{name} must be one of {', '.join(choices)}, got {show(value)}"
        raise InputError(message)

    return read
