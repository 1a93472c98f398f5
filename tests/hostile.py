"""Strings that are hard to cut into tokens, the same for the same seed: what the patterns treat apart, side by side."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SPACES: Final = " \t\x0b\x0c\x85\xa0\u1680\u2003\u2028\u2029\u202f\u3000\x1c\x1f"
NEWLINES: Final = "\r\n"
APOSTROPHES: Final = "''''\u2019\u02bc\uff07`"
CONTRACTED: Final = "sStTrReEvVmMlLdD\u017f\u017f\u212a\u0131"
LATIN: Final = "abcxyzABCXYZ\u01c5\u00df\u1e9e\u00aa\u00ba\u02b0\u00e9\u0130"
OTHER_CASED: Final = "жЖщЩσςΣΩա\u0531\u10d0\u1c90\u13a0\uab70𐐀𐐨𞤀𞤢"
UNSPACED: Final = "中文字東京あいカター한국어각ไทยລາວខ្មែမြန々〇\u3099\U00020000"
OTHER_LETTERS: Final = "אבعربيहिन्दीক্ষதமிழ்አማ\u0640\u16a0"
DIGITS: Final = "0123456789٣४৯٠²½Ⅷⅷ①๓\U0001d7d8㊿\u3007"
MARKS: Final = "\u0300\u0301\u0323\u0903\u094d\u20dd\u20e3\u302e\u0345\ufe0f\U000e0100"
JOINERS: Final = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e"
SYMBOLS: Final = '!?.,;:-_/\\|()[]{}<>=+*&^%$#@~"…—«»。、「」（）€½'
EMOJI: Final = "😀👍🏽👩🚀🇩🇪❤☺\U0001fae8"
CONTROLS: Final = "\x00\x01\x07\x08\x1b\x1c\x1d\x1e\x1f\x7f\x80\x9f\ufffd"
UNASSIGNED: Final = "\u0378\u0530\u0e5c\u2065\ufdd0\uffff\U0001fbff\U0002fffe\U000e0fff\U0010ffff\ue000"
SURROGATES: Final = "\ud800\udbff\udc00\udfff\ud83d\udc4d"
NEW: Final = "\u1c89\ua7cb\U00010d50\U00010d70\U00010d69\U00010d40\U000113c2\U0001ccf0"
"""Of Unicode 16.0, or beyond the tables of older engines."""

ALPHABETS: Final = (
    *(SPACES, NEWLINES, SPACES + NEWLINES, APOSTROPHES, APOSTROPHES + CONTRACTED, LATIN, OTHER_CASED, UNSPACED),
    *(OTHER_LETTERS, DIGITS, MARKS, JOINERS, SYMBOLS, SYMBOLS + NEWLINES, EMOJI, CONTROLS, UNASSIGNED, SURROGATES, NEW),
)
CONTRACTIONS: Final = ("'s", "'S", "'\u017f", "'t", "'re", "'rE", "'Re", "'ve", "'VE", "'m", "'ll", "'lL", "'d", "'x")
SPECIALS: Final = (
    *("<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|im_start|>"),
    *("<|endoftext", "|>", "<|", "<|start|>assistant<|message|>"),
)
LINES: Final = (
    "The harbour master closed both gates at 17:45, because the tide (3.2 m) wouldn't wait for anyone's ferry.",
    "She'd said they'll come; WE'RE sure he's right, I'm not. 'Tis O'Neill's, y'all've seen it!",
    "HTTPServer2XML parses JSONLinesFiles in v1.2.3-rc4 and readsUTF8Text from C:\\temp\\new_file.txt",
    "def fold(values: list[float], *, start=0.0) -> float:\n    return start if not values else max(values[1:])\n",
    "for(let i=0;i<rows.length;++i){if(rows[i]&&!seen[rows[i].id]){out.push(rows[i]);}}//# end\r\n",
    '{"id": 90210, "tags": ["a","b\\n"], "ratio": -1.5e-07, "nested": {"ok": true, "none": null}}\n\n',
    "    if (p == NULL) {\n\t\treturn -1;\t/* nothing */\n    }\n\n\n#define MAX(a,b) ((a)>(b)?(a):(b))  \n",
    "| name | size |\n|------|-----:|\n| α-β  | 1 024 |\n***\n> see https://example.org/a/b?c=d&e=%20#f\n",
    "Die Straße am Fluß war überschwemmt; l'été dernier, c'était déjà l'œuvre d'Émile – 12 345,67 €.",
    "Поезд №7 отправился в 06:30, но «Ёлка» опоздала на 3½ часа.",
    "会议定于二〇二四年三月五日在北京举行，ABC公司的CEO说：“价格是¥1,234.50”。",
    "東京タワーは333メートルです。「ありがとうございます！」とカフェのスタッフが言った。",
    "서울에서 부산까지 KTX로 2시간 30분이 걸립니다. 정말이에요?",
    "नमस्ते दुनिया, आज तापमान ३२° है। สวัสดีครับ ราคา ๑๐๐ บาท שלום עולם مرحبا بالعالم ١٢٣",
    "Great!!! 👩\u200d🚀👨‍👩‍👧‍👦 🇩🇪🇫🇷 ❤️‍🔥 \U0001f44d\U0001f3fd ok 😀😀😀",
)  # fmt: skip
LONGEST_RUN: Final = 10_000


def hostile_texts(seed: int, count: int, *, runs: bool = True) -> Iterator[str]:
    """Give `count` strings; with `runs` one in two thousand is a run of 10,000 characters."""
    rng = random.Random(seed)
    for _ in range(count):
        if runs and rng.random() < 1 / 2_000:
            yield long_run(rng)
        else:
            yield rng.choice(MAKERS)(rng)


def long_run(rng: random.Random) -> str:
    """One character, or the characters of one kind, again and again; perhaps with something else at the end."""
    kind = rng.choice((*ALPHABETS, *(rng.choice(alphabet) for alphabet in ALPHABETS)))
    return "".join(rng.choices(kind, k=LONGEST_RUN)) + rng.choice(("", "a", "A", "\n", " ", "1", "'s", "\u0301"))


def mixed_alphabets(rng: random.Random) -> str:
    """A few alphabets, a few characters of one, then of another."""
    chosen = rng.choices(ALPHABETS, k=rng.randint(1, 5))
    return "".join("".join(rng.choices(rng.choice(chosen), k=rng.randint(1, 4))) for _ in range(rng.randint(1, 10)))


def contracted(rng: random.Random) -> str:
    """Words and apostrophes: contractions whole, half, in a row, and letters behind them."""
    parts = (*CONTRACTIONS, "'", "rock", "IT", "he", "He", "中", "\u0301", "9", " ", "!", "A")
    return "".join(rng.choices(parts, k=rng.randint(1, 8)))


def white_space(rng: random.Random) -> str:
    """White space of all kinds around a few words."""
    parts = (" ", " ", "  ", "\n", "\r\n", "\t", *SPACES, "a", "Ab", "1", "/", ".", "字", "\u0301")
    return "".join(rng.choices(parts, k=rng.randint(1, 14)))


def any_characters(rng: random.Random) -> str:
    """Any code points of all, surrogates included, most of them unassigned."""
    return "".join(chr(rng.randrange(rng.choice((0x80, 0x3000, 0x11000, 0x110000)))) for _ in range(rng.randint(1, 12)))


def spelled_specials(rng: random.Random) -> str:
    """What looks like a special token."""
    return "".join(rng.choices((*SPECIALS, " ", "\n", "a", "Stop at "), k=rng.randint(1, 4)))


def mutated_line(rng: random.Random) -> str:
    """Prose, code or data with a few characters put in, left out, replaced, doubled or in the other case."""
    line = [*rng.choice(LINES)]
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(line))
        stranger = rng.choice(rng.choice(ALPHABETS))
        line[at] = rng.choice((stranger, line[at] + stranger, "", line[at] * 2, line[at].swapcase()))
    start = rng.randrange(len(line))
    return "".join(line[start : start + rng.choice((8, 30, 200))])


MAKERS: Final[tuple[Callable[[random.Random], str], ...]] = (
    *(mixed_alphabets, mixed_alphabets, mixed_alphabets, contracted, white_space),
    *(any_characters, spelled_specials, mutated_line, mutated_line, mutated_line),
)
