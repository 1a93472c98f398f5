"""Which vocabulary a model reads: families by the beginning of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from brimful.config import show
from brimful.errors import ConfigError
from brimful.stages.counters import ExactCounter
from brimful.stages.counting import EstimateCounter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from brimful.config import Encoding

# Source: `tiktoken/model.py` of tiktoken 0.14.0. gpt-oss reads o200k_harmony, which is o200k_base with other special
# tokens, so ordinary text has the same tokens. gpt-4.5, chatgpt-4o and o3 are in other rows there, with the same sense.
FAMILIES: Final[dict[str, Encoding]] = {
    "chatgpt-4o": "o200k_base",
    "gpt-4.1": "o200k_base",
    "gpt-4.5": "o200k_base",
    "gpt-4o": "o200k_base",
    "gpt-5": "o200k_base",
    "gpt-5.": "o200k_base",
    "gpt-oss": "o200k_base",
    "o1": "o200k_base",
    "o3": "o200k_base",
    "o4": "o200k_base",
    "babbage-002": "cl100k_base",
    "davinci-002": "cl100k_base",
    "gpt-3.5": "cl100k_base",
    "gpt-35-turbo": "cl100k_base",
    "gpt-4": "cl100k_base",
    "text-embedding-3-large": "cl100k_base",
    "text-embedding-3-small": "cl100k_base",
    "text-embedding-ada-002": "cl100k_base",
}
"""A family is a name, or its beginning where `-` or `:` follows; one that ends in a point is any beginning."""

FINE_TUNED: Final = "ft:"


def for_model(model: str) -> ExactCounter | EstimateCounter:
    """Return the counter of a model: exact where its vocabulary is here, else an estimate marked `approximate`.

    OpenAI's chat and embedding models from GPT-3.5 on are known by the family their name begins with, also behind
    `ft:`. Any other name, of another provider or not known yet, gives the estimate that errs high: too low a count
    would let the real window overflow. The estimate is calibrated against OpenAI's vocabularies; others differ. Case
    and white space around a name do not matter.

    Raises ConfigError for a model that is no `str` or empty.

    >>> for_model("gpt-4o-mini")
    ExactCounter(encoding='o200k_base')
    >>> for_model("ft:gpt-3.5-turbo:acme::abc").count(["hello world"])
    [2]
    >>> for_model("claude-sonnet-4-5").approximate
    True
    """
    encoding = encoding_of_model(model)
    return EstimateCounter("script_safe") if encoding is None else ExactCounter(encoding)


def encoding_of_model(model: str) -> Encoding | None:
    """Return the encoding of a model's family, None for a model of no known family.

    Raises ConfigError for a model that is no `str` or empty.
    """
    family = find_family(check_model(model), FAMILIES)
    return None if family is None else FAMILIES[family]


def check_model(model: object) -> str:
    """`model`, which must be a name."""
    if isinstance(model, str) and model.strip():
        return model
    message = f"model must be the name of a model, got {show(model)}"
    raise ConfigError(message)


def plain_name(model: str) -> str:
    r"""Return a model's name as the tables have it: without white space around it, in lower case.

    >>> plain_name(" GPT-4o\n")
    'gpt-4o'
    """
    return model.strip().lower()


def find_family(model: str, families: Iterable[str]) -> str | None:
    """Return the longest of the families that the model's name begins with, None where there is none.

    >>> find_family("ft:gpt-4o-mini:acme", ("gpt-4", "gpt-4o", "gpt-4o-mini"))
    'gpt-4o-mini'
    """
    name = plain_name(model).removeprefix(FINE_TUNED)
    begun = [
        family
        for family in families
        if name == family
        or name.startswith((f"{family}-", f"{family}:"))
        or (family[-1] == "." and name.startswith(family))
    ]
    return max(begun, key=len, default=None)
