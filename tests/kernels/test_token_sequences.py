"""The twin's shortcuts past the merge: tokens of every beginning, of every end, and of two put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brimful.config import Encoding
from brimful.kernels._python.tokens.bpe import count_parts
from brimful.kernels._python.tokens.rank_file import load_ranks
from brimful.kernels._python.tokens.sequence import LONGEST_TOKEN, Beginnings, Ends, count_joined
from strategies import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable

every_encoding = pytest.mark.parametrize("encoding", get_args(Encoding))
words = st.lists(st.sampled_from((*WORDS, "international", "antidisestablish", "  ", "==")), max_size=6).map("".join)
sequences = st.one_of(
    st.binary(max_size=24),
    words.map(str.encode),
    st.text("ab", max_size=40).map(str.encode),
    st.tuples(st.sampled_from(b" x=\n\xe5"), st.integers(0, 150)).map(lambda run: bytes([run[0]]) * run[1]),
)


def count(data: bytes, encoding: Encoding) -> int:
    return count_parts(data, load_ranks(encoding)) if data else 0


def beginnings_of(data: Iterable[int], encoding: Encoding) -> Beginnings:
    beginnings = Beginnings(encoding)
    for byte in data:
        beginnings.push(byte)
    return beginnings


def ends_of(data: bytes, encoding: Encoding) -> Ends:
    ends = Ends(encoding)
    for byte in reversed(data):
        ends.push(byte)
    return ends


@every_encoding
@given(data=sequences)
def test_every_beginning_and_every_end_has_the_tokens_of_its_merge(encoding: Encoding, data: bytes) -> None:
    beginnings, ends = beginnings_of(data, encoding), ends_of(data, encoding)

    assert beginnings.counts == [count(data[:size], encoding) for size in range(len(data) + 1)]
    assert ends.counts == [count(data[len(data) - size :], encoding) for size in range(len(data) + 1)]


@every_encoding
@given(first=sequences, inserted=sequences, second=sequences)
@example(first=b"inter", inserted=b"", second=b"national")
@example(first=b"x" * 300, inserted=b"x", second=b"x" * 300)
def test_a_beginning_and_an_end_are_joined_as_in_a_merge(
    encoding: Encoding, first: bytes, inserted: bytes, second: bytes
) -> None:
    longer = beginnings_of(first + b"other", encoding)
    ends = ends_of(b"more " + second, encoding)

    beginnings = longer.branch(len(first))
    for byte in inserted:
        beginnings.push(byte)

    assert count(first + inserted + second, encoding) == count_joined(beginnings, ends, len(second))


@every_encoding
def test_no_token_is_longer_than_the_longest(encoding: Encoding) -> None:
    assert max(map(len, load_ranks(encoding))) == LONGEST_TOKEN
