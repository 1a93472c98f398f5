"""count_tokens: each back end against tiktoken, and against the published patterns in another engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import hostile
from brimful.config import Encoding
from hostile import hostile_texts
from strategies import SPACES, WORDS, texts

if TYPE_CHECKING:
    import tiktoken

    from brimful.kernels import CheckedKernels

pytest.importorskip("tiktoken", reason="the dependency group `references` is not installed")
naive_tokens = pytest.importorskip("references.naive_tokens")
offline_tiktoken = pytest.importorskip("references.offline_tiktoken")

ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
every_encoding = pytest.mark.parametrize("encoding", ENCODINGS)

pieces = st.sampled_from((*WORDS, *SPACES, *hostile.CONTRACTIONS, *hostile.SPECIALS, *"'/!_\n\r 1\u0301\u200d"))
short_texts = st.one_of(
    st.lists(pieces, max_size=12).map("".join),
    st.text(st.sampled_from("".join(hostile.ALPHABETS)), max_size=16),
    st.text(max_size=16),
)
TRAPS = {
    "nothing": "",
    "white space at the end, with newlines": "a \n \n  ",
    "white space before a word": "a   b\t\tc\n  d \n\n e",
    "white space before a number": "  123   45",
    "carriage returns": "a\r\n\r\nb\r\rc \r\n ",
    "white space that ends no line": "a\u2028\u2028b\x85\x85c\xa0\xa0d\u3000\u3000字",
    "no white space": "a\x1c\x1db\x1e \x1f\x1fc",
    "other letters before capitals": "中文ABC 中文ABCd 中ABC文ABC",
    "capitals": "HTTPServer XMLHttpRequest ABCdef ABC",
    "title case": "ǅungla AǅB ǅǅǅa",
    "marks as letters, prefix and symbols": "e\u0301a \u0301 \u0301A \u0301Aa !\u0301 !!\u0301a a!\u0301\u0301B",
    "marks of their own": "\u0301\u0301 \u0301\n\u0301",
    "contractions": "it's IT'S he'll he'lL we'RE we'rE I'vE I'm 'tis 's'S'ſ x'ſy 'ſ 'x d'd'd",
    "contractions with letters behind them": "'rEx'lLA 'Sa 'sa she'Da 中's文 \u0301's '\u0301s",
    "other apostrophes": "it’s itʼs it＇s",
    "the Kelvin sign and the dotless i": "'\u212a '\u0131 \u212a\u212a",
    "digits of other scripts": "1234 ١٢٣٤ 12٣४ ²½ⅧⅷA ①②③④",
    "slashes and newlines": "a!/\n/\r/b ///\n\n/a / /\n",
    "symbols with a space": "a !? b  !? c ==\n\n==",
    "joiners": "👨\u200d👩\u200d👧 می\u200cخواهم \ufeffa a\u200db",
    "unassigned": "\u0378a \u0378A\u0530 \U0001fbffb \uffff\U0010ffff",
    "letters of Unicode 16.0": "\u1c89\u1c8a \U00010d50\U00010d70 a\U00010d69 \U00010d40\U00010d41",
    "controls": "a\x00b\x00\x00 \x07\x1b[0m\x7f",
    "special tokens": "<|endoftext|>Stop at <|endoftext|> now <|im_start|>",
    "lone surrogates": "ok \ud83d end \udc4d\ud83d",
    "a surrogate pair in halves": "\ud83d\udc4d",
}  # fmt: skip


@pytest.fixture(scope="module", params=ENCODINGS)
def encoding(request: pytest.FixtureRequest) -> Encoding:
    found: Encoding = request.param
    return found


@pytest.fixture
def reference(encoding: Encoding) -> tiktoken.Encoding:
    loaded: tiktoken.Encoding = offline_tiktoken.load_tiktoken(encoding)
    return loaded


def counts_of_tiktoken(reference: tiktoken.Encoding, texts: list[str]) -> list[int]:
    return [len(reference.encode_ordinary(text)) for text in texts]


@pytest.mark.parametrize("text", TRAPS.values(), ids=TRAPS.keys())
def test_traps_count_as_in_tiktoken(
    kernels: CheckedKernels, encoding: Encoding, reference: tiktoken.Encoding, text: str
) -> None:
    beginnings = [text[:end] for end in range(len(text) + 1)]
    ends = [text[start:] for start in range(len(text))]

    found = kernels.count_tokens(beginnings + ends, encoding=encoding).tolist()

    assert counts_of_tiktoken(reference, beginnings + ends) == found


@pytest.mark.parametrize("text", ["ok \ud83d end", "\ud83d\udc4d", "word\udc4d"])
def test_a_back_end_refuses_surrogates_and_the_boundary_repairs_them(
    kernels: CheckedKernels, encoding: Encoding, reference: tiktoken.Encoding, text: str
) -> None:
    given = ["sound", text, "中文"]

    with pytest.raises(UnicodeEncodeError):
        kernels.raw.count_tokens(given, encoding=encoding)

    assert counts_of_tiktoken(reference, given) == kernels.count_tokens(given, encoding=encoding).tolist()


def test_hostile_texts_count_as_in_tiktoken(
    kernels: CheckedKernels, encoding: Encoding, reference: tiktoken.Encoding
) -> None:
    given = [*hostile_texts(7, 3_000, runs=False)]

    found = kernels.count_tokens(given, encoding=encoding).tolist()

    expected = counts_of_tiktoken(reference, given)
    assert [text for text, *pair in zip(given, found, expected, strict=True) if pair[0] != pair[1]] == []
    assert {*"".join(given)} >= {*"".join(hostile.ALPHABETS)}


@pytest.mark.slow
def test_runs_of_ten_thousand_characters_count_as_in_tiktoken(
    kernels: CheckedKernels, encoding: Encoding, reference: tiktoken.Encoding
) -> None:
    runs = ["".join(alphabet * hostile.LONGEST_RUN)[: hostile.LONGEST_RUN] for alphabet in hostile.ALPHABETS]
    runs += [
        character * hostile.LONGEST_RUN + end
        for character in "aAé字あ한 \n\r\t\u3000!_0٣\u0301\u200d😀\x00"
        for end in ("", "a")
    ]

    found = kernels.count_tokens(runs, encoding=encoding).tolist()

    assert counts_of_tiktoken(reference, runs) == found


@every_encoding
@given(texts=st.one_of(st.lists(short_texts, max_size=6), texts))
@example(texts=["\u0301A", "'rEx", "中文ABC"])
def test_three_ways_agree(kernels: CheckedKernels, encoding: Encoding, texts: list[str]) -> None:
    expected = counts_of_tiktoken(offline_tiktoken.load_tiktoken(encoding), texts)

    found = kernels.count_tokens(texts, encoding=encoding)

    assert (np.dtype(np.int64), (len(texts),)) == (found.dtype, found.shape)
    assert expected == found.tolist()
    sound = [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
    assert expected == [naive_tokens.count_tokens(text, encoding) for text in sound]


@pytest.mark.slow
def test_the_text_of_every_token_counts_as_in_tiktoken(
    kernels: CheckedKernels, encoding: Encoding, reference: tiktoken.Encoding
) -> None:
    readable = [token.decode() for token in reference.token_byte_values() if is_text(token)]

    found = kernels.count_tokens(readable, encoding=encoding).tolist()

    assert len(readable) > 90_000
    assert counts_of_tiktoken(reference, readable) == found


def is_text(token: bytes) -> bool:
    try:
        token.decode()
    except UnicodeDecodeError:
        return False
    return True
