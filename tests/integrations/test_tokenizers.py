"""Tokenizers of Hugging Face as counters."""

from __future__ import annotations

import pickle
import sys
from typing import TYPE_CHECKING, Any

import pytest

from brimful import ConfigError, InputError
from brimful.integrations.tokenizers import from_tokenizer

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizers import Tokenizer

tokenizers = pytest.importorskip("tokenizers", reason="the dependency group `references` is not installed")


@pytest.fixture
def tokenizer() -> Tokenizer:
    """Words of a small vocabulary, a token before each text, four tokens at most, four at least."""
    vocabulary = {"[U]": 0, "[B]": 1, "water": 2, "is": 3, "wet": 4, "s": 5}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[U]"))  # noqa: S106 - no password
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.add_special_tokens(["[B]"])
    made.post_processor = tokenizers.processors.TemplateProcessing(single="[B] $A", special_tokens=[("[B]", 1)])
    made.enable_truncation(4)
    made.enable_padding(length=4)
    return made  # type: ignore[no-any-return]


def test_texts_are_counted_as_they_are(tokenizer: Tokenizer) -> None:
    counter = from_tokenizer(tokenizer)

    assert counter.count(["water is wet", "", "water is wet is wet is wet", "[B] water"]) == [3, 0, 7, 4]
    assert not counter.approximate
    assert repr(counter) == "TokenizerCounter(WordLevel, 6 tokens)"


def test_the_tokenizer_given_is_not_touched(tokenizer: Tokenizer) -> None:
    before = tokenizer.to_str()

    from_tokenizer(tokenizer).count(["water"])

    assert before == tokenizer.to_str()
    assert tokenizer.encode("water is wet is wet").ids == [1, 2, 3, 4]


def test_a_file_counts_as_the_tokenizer_it_holds(tokenizer: Tokenizer, tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    tokenizer.save(str(path))

    for given in (path, str(path)):
        assert from_tokenizer(given).count(["water is [B]", "wet"]) == [5, 1]


def test_a_pickled_counter_counts_the_same(tokenizer: Tokenizer) -> None:
    counter = pickle.loads(pickle.dumps(from_tokenizer(tokenizer)))  # noqa: S301 - our own bytes

    assert counter.count(["[B] water is wet is wet"]) == [8]


def test_lone_surrogates_are_repaired(tokenizer: Tokenizer) -> None:
    assert from_tokenizer(tokenizer).count(["water \ud800", "\ud83d\ude00"]) == [2, 1]


def test_texts_are_checked(tokenizer: Tokenizer) -> None:
    with pytest.raises(InputError, match=r"texts\[1\] must be a str, got 3"):
        from_tokenizer(tokenizer).count(["a", 3])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "tokenizer must be a tokenizers.Tokenizer or the path of a tokenizer.json, got None"),
        (3, "tokenizer must be a tokenizers.Tokenizer or the path of a tokenizer.json, got 3"),
        ("no/such/file.json", "tokenizer 'no/such/file.json' cannot be read: "),
        (__file__, "tokenizer '"),
    ],
)
def test_what_is_no_tokenizer_is_refused(given: Any, message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        from_tokenizer(given)

    assert str(refusal.value).startswith(message)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)

    with pytest.raises(ConfigError, match=r"pip install 'brimful\[tokenizers\]'"):
        from_tokenizer("tokenizer.json")
