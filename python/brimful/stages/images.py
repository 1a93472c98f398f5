"""Tokens of images: by size, detail and model, as the providers publish it.

OpenAI ("Images and vision", part "Calculating costs"), two rules:

* Tiles. `low` detail costs the base alone. Otherwise the image is scaled down to fit 2,048 by 2,048 pixels, then until
  its shorter side is at most 768; it costs the base and so much for each tile of 512 by 512 that covers it.
* Patches. The image costs the patches of 32 by 32 that cover it. More than 1,536 are scaled down: by
  `sqrt(1536 * 32 * 32 / (width * height))`, then further until the patches in one direction come out whole. The number
  of patches is multiplied by a factor of the model. Detail does not matter.

Anthropic ("Vision"): about `width * height / 750`. Before, the image is scaled down to a longest edge of 1,568 pixels
and to about 1,600 tokens; from Claude Opus 4.7 on to 2,576 pixels and 4,784 tokens. The rule is an approximation: what
is billed goes by patches of 28 by 28, with some more for the frame.

Scaling is done in whole numbers and fractions, so that no rounding of floats decides.
"""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING, Final, get_args

from brimful.config import Detail, check_choice, show
from brimful.errors import ConfigError, InputError
from brimful.stages.models import check_model, find_family

if TYPE_CHECKING:
    from typing import TypeAlias

LARGEST_SQUARE: Final = 2_048
SHORTER_SIDE: Final = 768
TILE: Final = 512
PATCH: Final = 32
MAX_PATCHES: Final = 1_536
PIXELS_A_TOKEN: Final = 750


@dataclass(frozen=True, slots=True)
class Tiles:
    """So many tokens a picture, and so many more a tile."""

    base: int
    tile: int

    def count(self, width: int, height: int, detail: Detail) -> int:
        """Return the tokens; sides are rounded to whole pixels after each scaling."""
        if detail == "low":
            return self.base
        width, height = _shrink(width, height, side=max(width, height), limit=LARGEST_SQUARE)
        width, height = _shrink(width, height, side=min(width, height), limit=SHORTER_SIDE)
        return self.base + self.tile * _cover(width, TILE) * _cover(height, TILE)


@dataclass(frozen=True, slots=True)
class Patches:
    """So many hundredths of a token a patch."""

    percent: int

    def count(self, width: int, height: int, _detail: Detail) -> int:
        """Return the tokens, rounded up."""
        return _cover(_patches(width, height) * self.percent, 100)


@dataclass(frozen=True, slots=True)
class Area:
    """A token for each 750 pixels, after scaling down to a longest edge and a largest count."""

    edge: int
    most: int

    def count(self, width: int, height: int, _detail: Detail) -> int:
        """Return the tokens, rounded up."""
        longest = max(width, height, self.edge)
        return min(_cover(width * height * self.edge**2, PIXELS_A_TOKEN * longest**2), self.most)


ImageRule: TypeAlias = "Tiles | Patches | Area"
_GPT_4O: Final = Tiles(85, 170)
_STANDARD: Final = Area(1_568, 1_600)
_HIGH_RESOLUTION: Final = Area(2_576, 4_784)

FAMILIES: Final[dict[str, ImageRule]] = {
    "chatgpt-4o": _GPT_4O,
    "claude": _HIGH_RESOLUTION,
    "claude-3": _STANDARD,
    "claude-haiku-4": _STANDARD,
    "claude-opus-4": _STANDARD,
    "claude-opus-4-7": _HIGH_RESOLUTION,
    "claude-opus-4-8": _HIGH_RESOLUTION,
    "claude-sonnet-4": _STANDARD,
    "computer-use-preview": Tiles(65, 129),
    "gpt-4-turbo": _GPT_4O,
    "gpt-4-vision": _GPT_4O,
    "gpt-4.1": _GPT_4O,
    "gpt-4.1-mini": Patches(162),
    "gpt-4.1-nano": Patches(246),
    "gpt-4.5": _GPT_4O,
    "gpt-4o": _GPT_4O,
    "gpt-4o-mini": Tiles(2_833, 5_667),
    "gpt-5": Tiles(70, 140),
    "gpt-5-mini": Patches(162),
    "gpt-5-nano": Patches(246),
    "o1": Tiles(75, 150),
    "o3": Tiles(75, 150),
    "o4-mini": Patches(172),
}
"""As in `models.FAMILIES`. A Claude model not known yet is taken for one of high resolution: the dearer of the two."""


def count_image_tokens(width: int, height: int, *, model: str, detail: Detail = "auto") -> int:
    """Return the tokens that an image of `width` by `height` pixels costs a model, by its provider's published rule.

    For the models of OpenAI in `FAMILIES` and for Claude, where the rule is an approximation. `"auto"`, where the
    provider decides, counts as `"high"`.

    Raises InputError for a side that is no whole number above 0, ConfigError for an unknown detail and for a model
    whose rule is not known.

    >>> count_image_tokens(2_048, 4_096, model="gpt-4o")
    1105
    >>> count_image_tokens(2_048, 4_096, model="gpt-4o", detail="low")
    85
    >>> count_image_tokens(1_800, 2_400, model="gpt-4.1-mini")
    2353
    >>> count_image_tokens(1_000, 1_000, model="claude-sonnet-4-5")
    1334
    """
    check_choice("detail", detail, get_args(Detail))
    return image_rule(model).count(check_side("width", width), check_side("height", height), detail)


def image_rule(model: str) -> ImageRule:
    """Return the rule of a model's family.

    Raises ConfigError where none is known.
    """
    family = find_family(check_model(model), FAMILIES)
    if family is not None:
        return FAMILIES[family]
    message = f"no rule for images is known for the model {show(model)}; known families are {', '.join(FAMILIES)}"
    raise ConfigError(message)


def check_side(name: str, value: object) -> int:
    """`value` as an int above 0."""
    if not isinstance(value, bool) and isinstance(value, numbers.Integral) and int(value) > 0:
        return int(value)
    message = f"{name} must be a whole number of pixels above 0, got {show(value)}"
    raise InputError(message)


def _shrink(width: int, height: int, *, side: int, limit: int) -> tuple[int, int]:
    """Scale down so that `side` becomes `limit`, to the nearest whole pixels, at least one."""
    if side <= limit:
        return width, height
    return max(1, (2 * width * limit + side) // (2 * side)), max(1, (2 * height * limit + side) // (2 * side))


def _patches(width: int, height: int) -> int:
    patches = _cover(width, PATCH) * _cover(height, PATCH)
    if patches <= MAX_PATCHES:
        return patches
    # A scaled side is sqrt(1536 * width / height) patches long; the root of a floor has the floor of the root.
    across = max(1, isqrt(MAX_PATCHES * width // height))
    down = max(1, isqrt(MAX_PATCHES * height // width))
    if across * height <= down * width:
        return min(MAX_PATCHES, across * _cover(across * height, width))
    return min(MAX_PATCHES, down * _cover(down * width, height))


def _cover(length: int, unit: int) -> int:
    """How many units cover a length."""
    return -(-length // unit)
