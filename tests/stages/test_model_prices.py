"""What tokens cost: by the table, by prices of one's own, from a file."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from brimful.errors import ConfigError
from brimful.stages.model_prices import DEFAULT, ENVIRONMENT, TABLE, estimate_cost

if TYPE_CHECKING:
    from pathlib import Path

MINE: dict[str, dict[str, float]] = {"mine": {"input": 1.5, "output": 6}, "gpt-4o": {"input": 1}}


@pytest.fixture(autouse=True)
def _no_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    path = tmp_path / "prices 'mine'.json"
    path.write_text(json.dumps(MINE), encoding="utf-8")
    return path


@pytest.mark.parametrize("model", sorted(TABLE))
def test_a_model_has_its_row(model: str) -> None:
    row = TABLE[model]

    assert estimate_cost(model, 1_000_000) == row[0]
    assert estimate_cost(model, 0, 1_000_000) == row[1]


@pytest.mark.parametrize("model", ["gpt-4", "GPT-4o", "gpt-4o ", "claude-3", ""])
def test_any_other_name_has_the_row_of_default(model: str) -> None:
    assert estimate_cost(model, 1_000) == TABLE[DEFAULT][0] / 1_000


def test_prices_of_ones_own_come_first() -> None:
    assert estimate_cost("mine", 1_000, 1_000, prices=MINE) == 0.0075
    assert estimate_cost("gpt-4o", 1_000, 1_000, prices=MINE) == 0.001
    assert estimate_cost("gpt-5", 1_000, prices=MINE) == 0.00125
    assert estimate_cost("unknown", 1_000, prices={"default": {"input": 7}}) == 0.007
    assert estimate_cost("gpt-5", 1_000, prices={"default": {"input": 7}}) == 0.00125
    assert estimate_cost("gpt-5", 1_000, prices={"gpt-5": {"input": 0}}) == 0
    assert estimate_cost("unknown", 1_000, prices={}) == 0.005


def test_a_file_of_prices_is_read(prices: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert estimate_cost("mine", 1_000, prices=prices) == 0.0015
    assert estimate_cost("mine", 1_000, prices=str(prices)) == 0.0015
    monkeypatch.setenv(ENVIRONMENT, str(prices))
    assert estimate_cost("mine", 1_000) == 0.0015
    assert estimate_cost("mine", 1_000, prices={}) == 0.005


def test_a_file_that_has_changed_is_read_again(prices: Path) -> None:
    assert estimate_cost("mine", 1_000, prices=prices) == 0.0015
    prices.write_text(json.dumps({"mine": {"input": 3}}), encoding="utf-8")
    os.utime(prices, ns=(1, 1))
    assert estimate_cost("mine", 1_000, prices=prices) == 0.003


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"m": {"input": -1}}, r"prices\['m'\]\['input'\] must be a finite number of at least 0, got -1"),
        ({"m": {"input": float("nan")}}, r"prices\['m'\]\['input'\] must be a finite number of at least 0, got nan"),
        ({"m": {"input": 1, "output": "2"}}, r"prices\['m'\]\['output'\] must be a finite number"),
        ({"m": {"input": True}}, r"prices\['m'\]\['input'\] must be a finite number"),
        ({"m": {"output": 1}}, r"prices\['m'\] must have `input`, and may have `output`, got {'output': 1}"),
        ({"m": {"input": 1, "in": 2}}, r"prices\['m'\] must have `input`"),
        ({"m": 3}, r"prices\['m'\] must have `input`"),
        (3, "prices must be a mapping or the path of a JSON file, got 3"),
        (["m"], "prices must be a mapping or the path of a JSON file"),
    ],
)
def test_prices_that_are_none_are_refused(given: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        estimate_cost("m", 1, prices=given)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "must be a JSON file of prices, .* cannot be read"),
        (b"\xff", "must be a JSON file of prices, .* cannot be read"),
        (b"[" * 100_000, "must be a JSON file of prices, .* cannot be read"),
        (b"[]", r"must map names of models to prices, got \[\]"),
        (b'{"m": {"input": NaN}}', r"\['m'\]\['input'\] must be a finite number of at least 0, got nan"),
    ],
)
@pytest.mark.parametrize("name", ["prices", ENVIRONMENT])
def test_a_file_that_cannot_be_used_is_named(
    name: str, content: bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "prices.json"
    path.write_bytes(content)
    monkeypatch.setenv(ENVIRONMENT, str(path))
    with pytest.raises(ConfigError, match=rf"^{name}.*{message}"):
        estimate_cost("m", 1, prices=None if name == ENVIRONMENT else path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "missing.json"))
    with pytest.raises(ConfigError, match=f"{ENVIRONMENT} must be a JSON file of prices"):
        estimate_cost("gpt-4o", 1)
    with pytest.raises(ConfigError, match="prices must be a JSON file of prices"):
        estimate_cost("gpt-4o", 1, prices="a\0b")
