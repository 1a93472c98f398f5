"""Tokens of images: the examples that the providers publish, and what must hold for every size."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, sqrt
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brimful import ConfigError, InputError, count_image_tokens
from brimful.stages.images import FAMILIES

sides = st.one_of(st.integers(1, 3_000), st.integers(1, 10_000), st.sampled_from([512, 513, 768, 1_568, 2_048, 2_049]))


@pytest.mark.parametrize(
    ("size", "model", "tokens"),
    [
        ((1_024, 1_024), "gpt-4o", 765),
        ((2_048, 4_096), "gpt-4o-2024-08-06", 1_105),
        ((2_049, 513), "gpt-4.1", 1_445),  # 512.75 pixels are 513: eight tiles, and so it is billed
        ((2_050, 513), "gpt-4.1", 765),  # 512.5 pixels are 512: four
        ((128, 64), "gpt-4o", 255),  # never scaled up
        ((128, 64), "o3", 225),
        ((128, 64), "gpt-4o-mini", 8_500),
        ((512, 512), "gpt-5", 210),
        ((1_024, 1_024), "gpt-4.1-mini", ceil(1_024 * Fraction("1.62"))),
        ((1_800, 2_400), "gpt-4.1-nano", ceil(1_452 * Fraction("2.46"))),
        ((4_000, 1_474), "gpt-4.1-mini", 2_348),
        ((64, 64), "o4-mini", 7),
        ((200, 200), "claude-3-5-sonnet-20241022", 54),
        ((1_000, 1_000), "claude-sonnet-4-5", 1_334),
        ((1_092, 1_092), "claude-opus-4-20250514", 1_590),
        ((8_000, 8_000), "claude-haiku-4-5", 1_600),
        ((784, 15_680), "claude-3-haiku", ceil(Fraction(784 * 1_568, 7_500))),
        ((8_000, 8_000), "claude-opus-4-7", 4_784),
        ((2_000, 1_000), "claude-opus-6", 2_667),
    ],
)
def test_published_and_observed_examples(size: tuple[int, int], model: str, tokens: int) -> None:
    assert tokens == count_image_tokens(*size, model=model)


@pytest.mark.parametrize(("model", "tokens"), [("gpt-4o", 85), ("gpt-5-2025-08-07", 70), ("o1", 75)])
def test_low_detail_costs_the_base_whatever_the_size(model: str, tokens: int) -> None:
    assert [count_image_tokens(side, side, model=model, detail="low") for side in (1, 9_000)] == [tokens, tokens]


@given(width=sides, height=sides, model=st.sampled_from(list(FAMILIES)), detail=st.sampled_from(["low", "high"]))
def test_an_image_costs_as_much_upright_as_lying(
    width: int, height: int, model: str, detail: Literal["low", "high"]
) -> None:
    tokens = count_image_tokens(width, height, model=model, detail=detail)

    assert tokens == count_image_tokens(height, width, model=model, detail=detail) >= 1
    assert count_image_tokens(width, height, model=model) == count_image_tokens(
        width, height, model=model, detail="high"
    )


@given(width=sides, height=sides)
@example(width=10_000, height=1)
def test_patches_are_those_of_the_formula_in_floats(width: int, height: int) -> None:
    patches = ceil(width / 32) * ceil(height / 32)
    if patches > 1_536:
        shrunk = sqrt(1_536 * 32 * 32 / (width * height))
        across, down = width * shrunk / 32, height * shrunk / 32
        # Where a float stands beside a whole number, rounding decides: the formula in floats says nothing there.
        if min(abs(side - round(side)) for side in (across, down)) < 1e-9 or min(across, down) < 1:
            return
        shrunk *= min(floor(across) / across, floor(down) / down)
        patches = min(1_536, ceil(width * shrunk / 32 - 1e-9) * ceil(height * shrunk / 32 - 1e-9))

    assert count_image_tokens(width, height, model="gpt-5-mini") == ceil(patches * Fraction("1.62"))


@given(width=sides, height=sides)
def test_no_image_costs_more_than_the_largest(width: int, height: int) -> None:
    assert count_image_tokens(width, height, model="gpt-4o") <= 85 + 170 * 8
    assert count_image_tokens(width, height, model="gpt-4.1-mini") <= 2_489
    assert count_image_tokens(width, height, model="claude-sonnet-4-0") <= 1_600


def test_sides_may_be_integers_of_numpy() -> None:
    assert count_image_tokens(np.int32(1_024), np.uint16(1_024), model="gpt-4o") == 765  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"width": 0}, InputError, "width must be a whole number of pixels above 0, got 0"),
        ({"height": -3}, InputError, "height must be a whole number of pixels above 0, got -3"),
        ({"height": 2.0}, InputError, "height must be a whole number of pixels above 0, got 2.0"),
        ({"width": True}, InputError, "width must be a whole number of pixels above 0, got True"),
        ({"detail": "medium"}, ConfigError, "detail must be one of `auto`, `low`, `high`, got 'medium'"),
        ({"detail": None}, ConfigError, "detail must be one of `auto`, `low`, `high`, got None"),
        ({"model": ""}, ConfigError, "model must be the name of a model, got ''"),
        ({"model": None}, ConfigError, "model must be the name of a model, got None"),
        ({"model": "llama-3"}, ConfigError, "no rule for images is known for the model 'llama-3'; known families are"),
        ({"model": "gpt-5.2"}, ConfigError, "no rule for images is known for the model 'gpt-5.2'; known families are"),
    ],
)
def test_bad_sizes_details_and_models(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as refusal:
        count_image_tokens(**{"width": 10, "height": 10, "model": "gpt-4o", **arguments})

    assert str(refusal.value).startswith(message)
