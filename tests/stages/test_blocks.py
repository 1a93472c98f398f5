"""Counts of blocks add up where they are said to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hostile
from brimful import BlockCounter, ConfigError, InputError, count_tokens
from brimful.config import Encoding
from strategies import SPACES, WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
every_encoding = pytest.mark.parametrize("encoding", ENCODINGS)
pieces = st.sampled_from((*WORDS, *SPACES, *hostile.CONTRACTIONS, *"'/!_\n\r 1\u0301;", "\n\n", "Aa", "it"))
blocks = st.lists(st.lists(pieces, max_size=4).map("".join), max_size=6)


@every_encoding
@given(blocks=blocks)
def test_the_total_is_that_of_the_whole(encoding: Encoding, blocks: list[str]) -> None:
    counts = BlockCounter(encoding).count(blocks)
    assert counts.total == count_tokens("".join(blocks), encoding=encoding)
    assert counts.tokens == tuple(count_tokens(blocks, encoding=encoding).tolist())


@every_encoding
@given(blocks=blocks)
def test_where_none_is_glued_the_counts_add_up(encoding: Encoding, blocks: list[str]) -> None:
    counts = BlockCounter(encoding).count(blocks)
    assert counts.additive == (counts.glued == ())
    if counts.additive:
        assert counts.total == sum(counts.tokens)


@every_encoding
@given(texts=st.lists(st.text(min_size=1), min_size=1, max_size=5))
def test_documents_with_a_blank_line_behind_each_add_up(encoding: Encoding, texts: list[str]) -> None:
    documents = [f"[{number}]{text}\n\n" for number, text in enumerate(texts, start=1)]
    counts = BlockCounter(encoding).count(documents)
    assert counts.additive
    assert sum(counts.tokens) == count_tokens("".join(documents), encoding=encoding)


@pytest.mark.parametrize(
    ("before", "behind", "adds"),
    [
        ("a\n", "b", lambda _: True),
        ("a\r", "\x00", lambda _: True),
        ("a\n", " b", lambda _: False),
        ("a\n", "/b", lambda encoding: encoding == "cl100k_base"),
        ("a", "\nb", lambda _: True),
        ("!", "\nb", lambda _: False),
        ("é", "\nb", lambda _: False),
        ("!", " b", lambda _: True),
        (" ", " b", lambda _: False),
        ("a", "b", lambda _: False),
        ("", "b", lambda _: True),
        ("a", "", lambda _: True),
    ],
)
@every_encoding
def test_joints(encoding: Encoding, before: str, behind: str, adds: Callable[[Encoding], bool]) -> None:
    assert BlockCounter(encoding).adds(before, behind) == adds(encoding)


def test_glue_is_named_across_what_is_empty() -> None:
    counts = BlockCounter().count(["inter", "", "national", "\n\n", "ly"])
    assert counts.glued == (2,)
    assert counts.total == 3


def test_nothing_counts_nothing() -> None:
    assert BlockCounter().count([]).total == 0


def test_bad_input() -> None:
    with pytest.raises(ConfigError, match="encoding must be one of `cl100k_base`, `o200k_base`, got 'p50k'"):
        BlockCounter("p50k")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"blocks\[1\] must be a str, got 2"):
        BlockCounter().count(["a", 2])  # type: ignore[list-item]


@pytest.mark.parametrize(("texts", "name"), [((1, "a"), "before"), (("a", None), "behind"), (("", b"a"), "behind")])
def test_joints_of_what_is_no_text_are_refused(texts: tuple[Any, Any], name: str) -> None:
    with pytest.raises(InputError, match=rf"^{name} must be a str, got"):
        BlockCounter().adds(*texts)
