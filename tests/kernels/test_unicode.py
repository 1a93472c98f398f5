"""The twin's Unicode table and rules, against other engines of Unicode 16.0, for every code point."""

from __future__ import annotations

import re
import unicodedata
from itertools import product
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.kernels._python import grapheme, normal, text_report, unicode, unicode_table
from brimful.kernels._python.unicode import Class, Script

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.once
regex = pytest.importorskip("regex", reason="the dependency group `references` is not installed")
tiktoken = pytest.importorskip("tiktoken")
unicodedata2 = pytest.importorskip("unicodedata2")

SURROGATES: Final = range(0xD800, 0xE000)
SCALARS: Final = "".join(chr(code) for code in range(0x110000) if code not in SURROGATES)

CLASS_PATTERNS: Final = {
    Class.UPPER: r"[\p{Lu}\p{Lt}]",
    Class.LOWER: r"\p{Ll}",
    Class.OTHER_LETTER: r"[\p{Lm}\p{Lo}]",
    Class.MARK: r"\p{M}",
    Class.NUMBER: r"\p{N}",
    Class.WHITE_SPACE: r"\s",
    Class.CONNECTOR: r"\p{Pc}",
    Class.OTHER: r"[^\p{L}\p{M}\p{N}\s\p{Pc}]",
}
SCRIPT_PATTERNS: Final = {
    Script.HAN: r"\p{Han}",
    Script.KANA: r"[\p{Hiragana}\p{Katakana}ーｰ]",
    Script.HANGUL: r"\p{Hangul}",
    Script.THAI: r"\p{Thai}",
    Script.LAO: r"\p{Lao}",
    Script.KHMER: r"\p{Khmer}",
    Script.MYANMAR: r"\p{Myanmar}",
}

BREAK_PATTERNS: Final = {kind: rf"\p{{GCB={kind.name}}}" for kind in grapheme.Break} | {
    grapheme.Break.OTHER: r"(?V1)[\p{GCB=Other}--\p{Extended_Pictographic}]",
    grapheme.Break.PICTOGRAPH: r"\p{Extended_Pictographic}",
}

# A character of each break class and conjunct class, as in `rust/core/tests/grapheme.rs`.
PROBES: Final = "\r\n\x01\u0308\u200c\u200d🇦\u0600\u0903\u1100\u1160\u11a8가각👩क\u094da"
DECOMPOSING: Final = [char for char in SCALARS if unicodedata2.normalize("NFD", char) != char]
# Characters that NFC may change, reorder or join.
ACTIVE: Final = sorted(
    {part for char in DECOMPOSING for part in (char, *unicodedata2.normalize("NFD", char))}
    | {char for char in SCALARS if unicodedata2.combining(char)}
)


def matches_of_tiktoken(pattern: str) -> str:
    """All characters that the engine matches: text that no match covers is not encoded."""
    ranks = {bytes([byte]): byte for byte in range(256)}
    encoding = tiktoken.Encoding("probe", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    return bytes(encoding.encode_ordinary(SCALARS)).decode()


def characters_where(holds: Callable[[unicode_table.Record], bool]) -> str:
    members = unicode_table.members(holds)
    return "".join(char for char in SCALARS if members[ord(char)])


def starts_by_regex(text: str) -> list[int]:
    return [match.start() for match in regex.finditer(r"\X", text)]


def actives(max_size: int) -> st.SearchStrategy[str]:
    return st.text(st.sampled_from(ACTIVE) | st.characters(), max_size=max_size)


@pytest.mark.parametrize("kind", Class)
def test_each_class_is_what_tiktoken_matches(kind: Class) -> None:
    expected = matches_of_tiktoken(CLASS_PATTERNS[kind])

    assert expected == characters_where(lambda record: record.class_ == kind)


@pytest.mark.parametrize("script", SCRIPT_PATTERNS)
def test_each_script_group_is_what_tiktoken_matches(script: Script) -> None:
    expected = matches_of_tiktoken(SCRIPT_PATTERNS[script])

    assert expected == characters_where(lambda record: record.script == script)


def test_a_character_is_of_the_class_and_script_of_its_record() -> None:
    assert [unicode.class_of(char) for char in "ǅ\u0301\ud800"] == [Class.UPPER, Class.MARK, Class.OTHER]
    assert [unicode.script_of(char) for char in "a字ー"] == [Script.NONE, Script.HAN, Script.KANA]


@pytest.mark.slow
def test_word_space_is_where_python_splits() -> None:
    expected = [char for char in map(chr, range(0x110000)) if not char.split()]

    assert expected == [char for char in map(chr, range(0x110000)) if unicode.is_word_space(char)]


@pytest.mark.parametrize("kind", Class)
def test_a_class_pattern_matches_the_characters_of_its_class(kind: Class) -> None:
    matched = re.findall(f"[{unicode.class_pattern(kind)}]+", SCALARS)

    assert characters_where(lambda record: record.class_ == kind) == "".join(matched)


def test_a_pattern_of_several_classes_matches_all_of_them() -> None:
    pattern = unicode.class_pattern(*unicode.ALPHANUMERICS, Class.CONNECTOR)

    assert re.findall(f"[{pattern}]+", "naïve, a_1; 字²!") == ["naïve", "a_1", "字²"]


def test_lower_case_is_that_of_python_where_both_know_the_letters_but_for_final_sigma() -> None:
    # The Rust tests compare the letters that this Python does not know, the parity tests both back ends.
    known = {char for char in SCALARS if unicodedata.category(char) != "Cn" != unicodedata2.category(char)}
    common = sorted(char for char in known - {"\u03c2"} if known.issuperset(char.lower()))

    assert "".join(map(str.lower, common)) == unicode.lower("".join(common))


def test_letters_of_unicode_16_and_sigma_are_lowered() -> None:
    assert unicode.lower("\u1c89\ua7cb\ua7cc\ua7da\ua7dc\U00010d50") == "\u1c8a\u0264\ua7cd\ua7db\u019b\U00010d70"
    assert unicode.lower("İ ΟΔΟΣ ς") == "i\u0307 οδοσ σ"


@pytest.mark.parametrize("kind", grapheme.Break)
def test_each_break_class_is_that_of_regex(kind: grapheme.Break) -> None:
    expected = "".join(regex.findall(BREAK_PATTERNS[kind], SCALARS))

    assert expected == characters_where(lambda record: record.grapheme_break == kind)


@pytest.mark.parametrize("kind", grapheme.Conjunct)
def test_each_conjunct_class_is_that_of_regex(kind: grapheme.Conjunct) -> None:
    expected = "".join(regex.findall(rf"\p{{InCB={kind.name}}}", SCALARS))

    assert expected == characters_where(lambda record: record.conjunct_break == kind)


def test_all_short_sequences_of_probes_break_as_in_regex() -> None:
    for probes in product(PROBES, repeat=3):
        text = "".join(probes)

        assert starts_by_regex(text) == grapheme.grapheme_starts(text), ascii(text)


@given(st.text(st.sampled_from(PROBES) | st.characters(), max_size=30))
def test_random_texts_break_as_in_regex(text: str) -> None:
    assert starts_by_regex(text) == grapheme.grapheme_starts(text)


def test_ascii_texts_break_everywhere_but_before_a_line_feed_after_a_carriage_return() -> None:
    assert grapheme.grapheme_starts("\r\n\n\r\r\na") == [0, 2, 3, 4, 6]


def test_every_character_is_normalized_as_in_unicodedata2() -> None:
    text = "\n".join(SCALARS)

    assert unicodedata2.normalize("NFC", text) == normal.nfc(text)


def test_every_active_character_joins_marks_on_both_sides_as_in_unicodedata2() -> None:
    marks = "\u0301\u0323\u0345\u05b0\u1161\u11a8\U000113c2\U00016d67"
    text = "\n".join(f"a{mark}{char}{mark}{char}e" for char in ACTIVE for mark in marks if ord(char) < 0xAD00)

    assert unicodedata2.normalize("NFC", text) == normal.nfc(text)


@given(actives(30))
def test_random_texts_are_normalized_as_in_unicodedata2(text: str) -> None:
    assert unicodedata2.normalize("NFC", text) == normal.nfc(text)


@given(actives(30))
def test_normalizing_twice_changes_nothing_more(text: str) -> None:
    assert normal.nfc(text) == normal.nfc(normal.nfc(text))


def test_a_hundred_thousand_marks_in_a_row_take_linear_time() -> None:
    text = "a" + "\u0301\u0323\u0345\u05b0" * 25_000
    ordered = "\u1ea1" + "\u05b0" * 25_000 + "\u0323" * 24_999 + "\u0301" * 25_000 + "\u0345" * 25_000

    assert ordered == normal.nfc(text)
    assert grapheme.grapheme_starts(text) == [0]


def test_a_report_has_the_answers_of_every_rule() -> None:
    expected = (bytes([0, 3, 5, 4, 6, 0x12, 3, 7]), "e\u0301 1_字\u3099!", "É 1_字\u3099!", b"\1\0\1\1\1\1\0\1")

    assert expected == text_report.inspect_text("E\u0301 1_字\u3099!")


def test_the_empty_text_has_an_empty_report() -> None:
    assert text_report.inspect_text("") == (b"", "", "", b"")
