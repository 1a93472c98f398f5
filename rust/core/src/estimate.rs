//! Token estimates that need no vocabulary.
//!
//! Linear in the length of the texts, no memory beyond the answer. The rules are those of the seeds, and a sum of
//! fitted weights of the UTF-8 bytes: `scripts/fit_byte_weights.py` fits them and prints their errors.

use std::iter;

use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::parallel::map_rows;
use crate::unicode::is_word_space;

/// Bytes between two looks at the interrupt: under 1 ms of work with the slowest rule.
const BLOCK: usize = 64 * 1024;

/// Weights are in this part of a token, so that sums are whole numbers.
const ONE_TOKEN: u64 = 1024;

type Weights = [u16; 256];

static SCRIPT: Weights = weights(0);
static SCRIPT_SAFE: Weights = weights(512);

/// How tokens are estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// `max(1, words // 4)` (seed 000).
    WordsDiv4,
    /// `int(words * 1.3)` (seed 001).
    WordsTimes1_3,
    /// `ceil(UTF-16 units / 4)` (seed 004).
    Utf16Div4,
    /// `code points // 4`.
    CharsDiv4,
    /// The fitted weights of the bytes, added up and rounded up.
    Script,
    /// The same with weights that overestimate.
    ScriptSafe,
}

impl Rule {
    /// The rule of that name.
    ///
    /// ```
    /// use brimful_core::estimate::Rule;
    /// assert_eq!(Rule::parse("chars_div_4"), Ok(Rule::CharsDiv4));
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownOption`] for any other name.
    pub fn parse(name: &str) -> Result<Self, Error> {
        match name {
            "words_div_4" => Ok(Self::WordsDiv4),
            "words_times_1_3" => Ok(Self::WordsTimes1_3),
            "utf16_div_4" => Ok(Self::Utf16Div4),
            "chars_div_4" => Ok(Self::CharsDiv4),
            "script" => Ok(Self::Script),
            "script_safe" => Ok(Self::ScriptSafe),
            _ => Err(Error::UnknownOption { option: "rule" }),
        }
    }

    /// The weights of the bytes, where the rule adds up some.
    fn weights(self) -> Option<&'static Weights> {
        match self {
            Self::Script => Some(&SCRIPT),
            Self::ScriptSafe => Some(&SCRIPT_SAFE),
            Self::WordsDiv4 | Self::WordsTimes1_3 | Self::Utf16Div4 | Self::CharsDiv4 => None,
        }
    }
}

/// The estimated tokens of each text, in the order of the texts.
///
/// Empty text gives 0 with every rule but [`Rule::WordsDiv4`]; other text gives at least 1 with [`Rule::Script`] and
/// [`Rule::ScriptSafe`]. Time is linear in the bytes; above a threshold the texts are shared among threads.
///
/// ```
/// use brimful_core::estimate::{Rule, estimate_tokens};
/// use brimful_core::interrupt::Never;
/// assert_eq!(estimate_tokens(&["one two three", ""], Rule::WordsTimes1_3, &Never), Ok(vec![3, 0]));
/// ```
///
/// # Errors
/// [`Error::Interrupted`] when `interrupt` says so, which is asked every 64 KiB.
pub fn estimate_tokens<S: AsRef<str> + Sync>(
    texts: &[S],
    rule: Rule,
    interrupt: &dyn Interrupt,
) -> Result<Vec<i64>, Error> {
    let bytes = texts.iter().map(|text| text.as_ref().len()).sum();
    map_rows(texts, bytes, interrupt, |text, interrupt| {
        let estimate = estimate(text.as_ref(), rule, interrupt)?;
        i64::try_from(estimate).map_err(|_| Error::TooLarge)
    })
}

/// What [`Rule::Script`] or [`Rule::ScriptSafe`] rounds up: 1/1024 tokens, exactly additive over the pieces of a text.
///
/// # Errors
/// [`Error::Interrupted`]; [`Error::UnknownOption`] for another rule, whose estimates do not add up.
pub fn weigh_tokens<S: AsRef<str> + Sync>(
    texts: &[S],
    rule: Rule,
    interrupt: &dyn Interrupt,
) -> Result<Vec<i64>, Error> {
    let weights = rule.weights().ok_or(Error::UnknownOption { option: "rule" })?;
    let bytes = texts.iter().map(|text| text.as_ref().len()).sum();
    map_rows(texts, bytes, interrupt, |text, interrupt| {
        let sum = add_blocks(text.as_ref(), interrupt, |block| weigh(block, weights))?;
        i64::try_from(sum).map_err(|_| Error::TooLarge)
    })
}

fn estimate(text: &str, rule: Rule, interrupt: &dyn Interrupt) -> Result<u64, Error> {
    let weighed = |weights| add_blocks(text, interrupt, |block| weigh(block, weights));
    Ok(match rule {
        Rule::WordsDiv4 => (count_words(text, interrupt)? / 4).max(1),
        Rule::WordsTimes1_3 => times_1_3(count_words(text, interrupt)?),
        Rule::Utf16Div4 => add_blocks(text, interrupt, count_utf16)?.div_ceil(4),
        Rule::CharsDiv4 => add_blocks(text, interrupt, count_chars)? / 4,
        Rule::Script => weighed(&SCRIPT)?.div_ceil(ONE_TOKEN),
        Rule::ScriptSafe => weighed(&SCRIPT_SAFE)?.div_ceil(ONE_TOKEN),
    })
}

/// `int(words * 1.3)` in float64, as the seed computes it; it differs from `13 * words / 10` for no count below 5,000.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Python's own conversions
fn times_1_3(words: u64) -> u64 {
    (words as f64 * 1.3) as u64
}

/// The sum of `count` over blocks of the bytes, with a look at the interrupt before each.
fn add_blocks(text: &str, interrupt: &dyn Interrupt, count: impl Fn(&[u8]) -> u64) -> Result<u64, Error> {
    let mut sum = 0;
    for block in text.as_bytes().chunks(BLOCK) {
        interrupt.check()?;
        sum += count(block);
    }
    Ok(sum)
}

/// Code points: the bytes that do not continue one.
fn count_chars(block: &[u8]) -> u64 {
    count_bytes(block, |byte| byte & 0xC0 != 0x80)
}

/// UTF-16 units: one for each code point, and another for each of four bytes.
fn count_utf16(block: &[u8]) -> u64 {
    count_chars(block) + count_bytes(block, |byte| byte >= 0xF0)
}

/// Sums of at most 255 bytes fit a byte, and the compiler adds 16 or 32 of them at once.
fn count_bytes(block: &[u8], counts: impl Fn(u8) -> bool) -> u64 {
    block.chunks(255).map(|few| u64::from(few.iter().map(|&byte| u8::from(counts(byte))).sum::<u8>())).sum()
}

/// Four sums, since each waits for its own last addition only.
fn weigh(block: &[u8], weights: &Weights) -> u64 {
    let weight = |byte: &u8| u64::from(weights[usize::from(*byte)]);
    let mut sums = [0; 4];
    let fours = block.chunks_exact(4);
    let rest: u64 = fours.remainder().iter().map(weight).sum();
    for four in fours {
        sums.iter_mut().zip(four).for_each(|(sum, byte)| *sum += weight(byte));
    }
    sums.iter().sum::<u64>() + rest
}

/// Words of `str.split()`, counted at their first characters, where white space or nothing is before.
fn count_words(text: &str, interrupt: &dyn Interrupt) -> Result<u64, Error> {
    let mut words = 0;
    let mut after_space = true;
    for block in pieces(text, BLOCK) {
        interrupt.check()?;
        for piece in pieces(block, usize::from(u8::MAX)) {
            let wide = !piece.is_ascii() && may_hold_wide_space(piece.as_bytes());
            let starts = if wide { count_starts } else { count_narrow_starts };
            words += starts(piece, after_space);
            after_space = piece.chars().next_back().is_none_or(is_word_space);
        }
    }
    Ok(words)
}

/// The text in pieces of at most `bytes`, which must be at least 4, whole characters each.
fn pieces(text: &str, bytes: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        let mut end = bytes.min(rest.len());
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (piece, later) = rest.split_at(end);
        rest = later;
        (end > 0).then_some(piece)
    })
}

/// Whether there may be white space beyond ASCII: U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028 to U+202F, U+205F or
/// U+3000, by their bytes. A test puts every character past this.
#[allow(clippy::needless_bitwise_bool)] // without early exits the compiler tests 16 or 32 at once
fn may_hold_wide_space(piece: &[u8]) -> bool {
    let pairs = piece.iter().zip(piece.iter().skip(1));
    let two = pairs.clone().fold(false, |found, (&a, &b)| found | ((a == 0xC2) & ((b == 0x85) | (b == 0xA0))));
    two | pairs.zip(piece.iter().skip(2)).fold(false, |found, ((&a, &b), &c)| {
        let general = (a == 0xE2) & (((b == 0x80) & ((c <= 0x8A) | (c >= 0xA8))) | ((b == 0x81) & (c == 0x9F)));
        found | general | ((a == 0xE1) & (b == 0x9A)) | ((a == 0xE3) & (b == 0x80) & (c == 0x80))
    })
}

fn count_starts(piece: &str, mut after_space: bool) -> u64 {
    let mut starts = 0;
    for c in piece.chars() {
        let space = is_word_space(c);
        starts += u64::from(after_space && !space);
        after_space = space;
    }
    starts
}

/// The same where all white space is ASCII, each byte compared with the one before it: at most 128 starts in a piece.
fn count_narrow_starts(piece: &str, after_space: bool) -> u64 {
    let is_space = |byte: u8| matches!(byte, b'\t'..=b'\r' | 0x1C..=b' ');
    let bytes = piece.as_bytes();
    let first = bytes.first().is_some_and(|&byte| after_space && !is_space(byte));
    let later = bytes.iter().zip(bytes.iter().skip(1));
    u64::from(first) + u64::from(later.map(|(&a, &b)| u8::from(is_space(a) & !is_space(b))).sum::<u8>())
}

/// The row of weights that begins at `start` of the file that both back ends read: little-endian u16.
const fn weights(start: usize) -> Weights {
    let file = include_bytes!("../../../python/brimful/data/byte_weights.bin");
    let mut row = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        row[byte] = u16::from_le_bytes([file[start + 2 * byte], file[start + 2 * byte + 1]]);
        byte += 1;
    }
    row
}
