"""Arguments and values as JSON: what is no JSON is marked, never shown by a method of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeAlias, cast

from brimful.kernels.texts import plain_text

Json: TypeAlias = Any
"""None, bool, int, a finite float, str, a list of these, or a dict of these by str."""

FLOAT: Final = "$float"
DATETIME: Final = "$datetime"
MAPPING: Final = "$mapping"
UNSERIALISABLE: Final = "$unserialisable"
SHA256: Final = "$sha256"
HMAC_SHA256: Final = "$hmac-sha256"

DEEPEST: Final = 100
MOST_NODES: Final = 1_000_000
"""Lists that hold each other many times over would be written out without end."""
LONGEST_INT_BITS: Final = 14_000
"""4,215 digits: Python reads no more than 4,300 from a text."""
NON_FINITE: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class Mark(dict[str, Any]):
    """A dict of one key that stands for what JSON cannot say; `as_json` leaves it as it is."""


def as_json(value: object) -> Json:
    """`value` as JSON of its own: `str`, `bool`, None, `int` and finite floats unchanged, tuples as lists.

    NaN and infinities become `{"$float": "NaN"}`, datetimes `{"$datetime": ISO 8601}`. A mapping with a key that begins
    with `$` becomes `{"$mapping": pairs}`, so that it is never taken for a mark. Anything else becomes
    `{"$unserialisable": "module.Type"}`: foreign objects, mappings with keys that are no `str`, cycles, what lies more
    than 100 deep, whole numbers of more than 4,200 digits. Neither `str` nor `repr` of a foreign object is called.
    Giving the result again gives the same. Time and memory grow with what is written, at most a million values.

    >>> as_json({"who": ("Ada", 1.5), "what": object(), "ratio": float("nan")})
    {'who': ['Ada', 1.5], 'what': {'$unserialisable': 'builtins.object'}, 'ratio': {'$float': 'NaN'}}
    """
    return _Writer().write(value, 0)


class _Writer:
    """One reading of a value: which containers are open, and how many values there may still be."""

    def __init__(self) -> None:
        self._open: set[int] = set()
        self._left = MOST_NODES

    def write(self, value: object, depth: int) -> Json:
        """Return a value as JSON."""
        self._left -= 1
        if value is None:
            return None
        for kind, write in LEAVES.items():
            if isinstance(value, kind):
                return write(value)
        if isinstance(value, (list, tuple, Mapping)):
            return self._write_container(value, depth)
        return _unserialisable(value)

    def _write_container(self, value: Sequence[Any] | Mapping[Any, Any], depth: int) -> Json:
        if id(value) in self._open or depth > DEEPEST or self._left < 0:
            return _unserialisable(value)
        self._open.add(id(value))
        try:
            if isinstance(value, (list, tuple)):
                return [self.write(part, depth + 1) for part in list(value)]
            return self._write_mapping(cast("Mapping[Any, Any]", value), depth)
        finally:
            self._open.remove(id(value))

    def _write_mapping(self, value: Mapping[Any, Any], depth: int) -> Json:
        if isinstance(value, Mark):
            return Mark(value)
        try:
            pairs = list(value.items())
        except Exception:  # noqa: BLE001 - a mapping of somebody else's; a record must not fail because it does
            return _unserialisable(value)
        if not all(isinstance(key, str) for key, _ in pairs):
            return _unserialisable(value)
        written = [(plain_text(key), self.write(part, depth + 1)) for key, part in pairs]
        if any(key.startswith("$") for key, _ in written):
            return Mark({MAPPING: [list(pair) for pair in written]})
        return dict(written)


def _write_int(value: int) -> Json:
    if type(value) is bool:
        return value
    number = int.__index__(value)  # a subclass may have a method of its own
    return number if number.bit_length() <= LONGEST_INT_BITS else _unserialisable(value)


def _write_float(value: float) -> Json:
    number = float.__float__(value)
    if math.isfinite(number):
        return number
    return Mark({FLOAT: "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"})


def _write_datetime(value: datetime) -> Json:
    try:
        return Mark({DATETIME: datetime.isoformat(value)})
    except Exception:  # noqa: BLE001 - the zone may be somebody else's
        return _unserialisable(value)


def _unserialisable(value: object) -> Mark:
    kind = type(value)
    return Mark({UNSERIALISABLE: f"{kind.__module__}.{kind.__qualname__}"})


LEAVES: Final[dict[type, Callable[[Any], Json]]] = {
    str: plain_text,
    int: _write_int,
    float: _write_float,
    datetime: _write_datetime,
}
"""How values that hold no others are written."""


def as_values(json: Json) -> Any:  # noqa: ANN401 - any value at all
    """Return what `as_json` was given, as far as it can be said: tuples are lists, and marks of other things stay.

    So does what only looks like a mark, as records of other programs may have it.

    >>> as_values([{"$float": "-Infinity"}, {"$unserialisable": "builtins.object"}])
    [-inf, {'$unserialisable': 'builtins.object'}]
    """
    if isinstance(json, list):
        return [as_values(part) for part in json]
    if not isinstance(json, dict):
        return json
    if len(json) == 1:
        [(key, value)] = json.items()
        if key == FLOAT and isinstance(value, str) and value in NON_FINITE:
            return NON_FINITE[value]
        if key == DATETIME and isinstance(value, str):
            return _read_datetime(value) or {key: value}
        if key == MAPPING and isinstance(value, list) and all(map(_is_pair, value)):
            return {name: as_values(part) for name, part in value}
    return {key: as_values(value) for key, value in json.items()}


def _read_datetime(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _is_pair(json: Json) -> bool:
    return isinstance(json, list) and len(json) == 2 and isinstance(json[0], str)  # noqa: PLR2004 - a key and a value


def is_whole(json: Json) -> bool:
    """Whether `as_values` gives all of it back: nothing in it was unserialisable, or is hidden.

    >>> is_whole({"who": "Ada"}), is_whole({"who": as_json(object())})
    (True, False)
    """
    try:
        return _is_whole(json)
    except RecursionError:  # deeper than `as_json` writes
        return False


def _is_whole(json: Json) -> bool:
    if isinstance(json, list):
        return all(map(_is_whole, json))
    if not isinstance(json, dict):
        return True
    lost = len(json) == 1 and not json.keys().isdisjoint((UNSERIALISABLE, SHA256, HMAC_SHA256))
    return not lost and all(map(_is_whole, json.values()))
