"""What the tokens of a context cost, in dollars: by a table, or by prices of one's own."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from brimful.config import as_finite, show
from brimful.errors import ConfigError

if TYPE_CHECKING:
    from os import PathLike

Rates: TypeAlias = "tuple[float, float]"
Prices: TypeAlias = "Mapping[str, Mapping[str, float]] | str | PathLike[str]"

ENVIRONMENT: Final = "BRIMFUL_PRICES"
"""Names a JSON file of prices."""
DEFAULT: Final = "default"
MILLION: Final = 1e6
DECIMALS: Final = 6
# Dollars a million tokens, in and out: those of fabra-ai 2.3.3, so that its costs stay what they are. Providers change
# their prices; who needs the present ones gives them.
TABLE: Final[Mapping[str, Rates]] = {
    "claude-4.5-haiku": (1.0, 5.0),
    "claude-4.5-opus": (5.0, 25.0),
    "claude-4.5-sonnet": (3.0, 15.0),
    "command-a": (2.5, 10.0),
    "command-r": (0.15, 0.6),
    "embed-4": (0.12, 0.0),
    "gpt-4.1": (2.0, 8.0),
    "gpt-4.1-mini": (0.4, 1.6),
    "gpt-4o": (2.5, 10.0),
    "gpt-5": (1.25, 10.0),
    "gpt-5-pro": (15.0, 120.0),
    "text-embedding-3-large": (0.13, 0.0),
    "text-embedding-3-small": (0.02, 0.0),
    "text-embedding-ada-002": (0.1, 0.0),
    DEFAULT: (5.0, 15.0),
}


def estimate_cost(model: str, input_tokens: int, output_tokens: int = 0, *, prices: Prices | None = None) -> float:
    """Return what tokens cost in dollars, to six decimals.

    A model is priced by its exact name, any other by the row `default`. `prices` is a mapping from a name to dollars a
    million tokens (`{"gpt-9": {"input": 1.5, "output": 6}}`) or a JSON file of that; without it the file that
    `BRIMFUL_PRICES` names, if any. What is not in there is priced by the table. A file is read once, and again when it
    has changed.

    Raises ConfigError for a file that cannot be read, and for a price that is no finite number of at least 0, with the
    name of the model.

    >>> estimate_cost("gpt-4o", 1_000), estimate_cost("gpt-9", 1_000, prices={"gpt-9": {"input": 1.5}})
    (0.0025, 0.0015)
    """
    return cost_of(find_rates(model, prices), input_tokens, output_tokens)


def find_rates(model: str, prices: Prices | None = None) -> Rates:
    """Return the prices of a model, in dollars a million tokens, in and out: see `estimate_cost`.

    >>> find_rates("gpt-4o")
    (2.5, 10.0)
    """
    own = find_prices(prices)
    return own.get(model) or TABLE.get(model) or own.get(DEFAULT) or TABLE[DEFAULT]


def cost_of(rates: Rates, input_tokens: int, output_tokens: int = 0) -> float:
    """Return what tokens cost at these prices, in dollars, to six decimals."""
    return round(input_tokens / MILLION * rates[0] + output_tokens / MILLION * rates[1], DECIMALS)


def find_prices(prices: Prices | None) -> Mapping[str, Rates]:
    """Return the prices that were given, or those that the environment names; checked.

    >>> find_prices({"gpt-9": {"input": -1}})
    Traceback (most recent call last):
    brimful.errors.ConfigError: prices['gpt-9']['input'] must be a finite number of at least 0, got -1
    """
    if isinstance(prices, Mapping):
        return _read_rates("prices", prices)
    path: object = os.environ.get(ENVIRONMENT) if prices is None else prices
    if not path:
        return {}
    name = ENVIRONMENT if prices is None else "prices"
    if not isinstance(path, (str, os.PathLike)):
        message = f"prices must be a mapping or the path of a JSON file, got {show(prices)}"
        raise ConfigError(message)
    try:
        changed = Path(path).stat().st_mtime_ns
    except (OSError, ValueError) as error:
        raise _unreadable(name, path, error) from error
    return _read_file(name, str(path), changed)


@lru_cache(maxsize=16)
def _read_file(name: str, path: str, _changed: int) -> Mapping[str, Rates]:
    try:
        read = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(name, path, error) from error
    return _read_rates(name, read)


def _unreadable(name: str, path: object, error: Exception) -> ConfigError:
    return ConfigError(f"{name} must be a JSON file of prices, {show(path)} cannot be read: {show(error)}")


def _read_rates(name: str, prices: object) -> dict[str, Rates]:
    if not isinstance(prices, Mapping):
        message = f"{name} must map names of models to prices, got {show(prices)}"
        raise ConfigError(message)
    return {model: _read_row(f"{name}[{show(model)}]", row) for model, row in prices.items()}


def _read_row(place: str, row: Any) -> Rates:  # noqa: ANN401 - what a file or a caller has there
    if not isinstance(row, Mapping) or "input" not in row or row.keys() - {"input", "output"}:
        message = f"{place} must have `input`, and may have `output`, got {show(row)}"
        raise ConfigError(message)
    return _read_price(place, "input", row["input"]), _read_price(place, "output", row.get("output", 0))


def _read_price(place: str, field: str, value: object) -> float:
    price = as_finite(value)
    if price is not None and price >= 0:
        return price
    message = f"{place}['{field}'] must be a finite number of at least 0, got {show(value)}"
    raise ConfigError(message)
