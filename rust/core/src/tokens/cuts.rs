//! Places in a run of wide characters that no token of the vocabulary crosses.
//!
//! A run of Chinese characters is one pre-token of any length, but only some hundred (`cl100k_base`) or some thousand
//! (`o200k_base`) pairs of wide characters occur inside tokens. Between any other two, merging goes on apart on both sides.

use super::kinds::STRETCH;
use super::rank_file::RankFile;
use crate::interrupt::BYTES_PER_STEP;

/// Bytes of the least wide characters: three in UTF-8.
pub(crate) const WIDE: u8 = 0xE0;

const WHOLE_BITS: u32 = 18;

/// Six bits of the last byte, eleven that tell the first two bytes of a wide character.
const BROKEN_BITS: u32 = 17;

/// Which neighbours may share a token. May say so of others too, which costs a cut and never a wrong count.
///
/// A boundary lies before a byte that begins a wide character and behind the last byte of another. A token crosses it when
/// it has that last byte, and then the character or the beginning of it.
pub(crate) struct Cuts {
    /// A bit for each hash of the last byte and the whole next character.
    whole: Box<[u64]>,
    /// A bit for each last byte and two first bytes of the next character, for tokens that end inside it.
    broken: Box<[u64]>,
}

impl Cuts {
    pub(crate) fn new(file: &RankFile) -> Self {
        let bits = |count: u32| vec![0; 1 << (count - u64::BITS.trailing_zeros())].into_boxed_slice();
        let mut cuts = Self { whole: bits(WHOLE_BITS), broken: bits(BROKEN_BITS) };
        for token in (0..file.len()).map(|rank| file.token(rank)) {
            for at in (1..token.len()).filter(|&at| token[at] >= WIDE && is_trail(token[at - 1])) {
                cuts.cross(token[at - 1], &token[at..]);
            }
        }
        cuts
    }

    /// Records a token that goes on with `rest` behind a character that ends in `last`.
    fn cross(&mut self, last: u8, rest: &[u8]) {
        match *rest {
            [first] => (0x80..0xC0).for_each(|second| set(&mut self.broken, broken(last, decode(&[first, second], 0)))),
            _ if rest.len() < width(rest[0]) => set(&mut self.broken, broken(last, decode(rest, 0))),
            _ => set(&mut self.whole, whole(last, decode(rest, 0))),
        }
    }

    /// Where the first part of `text`, UTF-8 and not empty, ends: at the first cut that is allowed, or at the end. It
    /// may be all of a long run, so `look` is told of the work from time to time, in steps of a pace.
    #[inline]
    pub(crate) fn first_part<E>(&self, text: &[u8], look: impl Fn(usize) -> Result<(), E>) -> Result<usize, E> {
        let mut behind_wide = text[0] >= WIDE;
        let (mut at, mut stretch) = (width(text[0]), STRETCH);
        while let Some(&first) = text.get(at) {
            let is_wide = first >= WIDE;
            if behind_wide && is_wide && self.allow(text[at - 1], decode(text, at)) {
                return Ok(at);
            }
            if at > stretch {
                look(STRETCH / BYTES_PER_STEP)?;
                stretch += STRETCH;
            }
            behind_wide = is_wide;
            at += width(first);
        }
        Ok(text.len())
    }

    /// The last cut that is allowed in the first `most` bytes of a longer text, if it leaves more than half of them.
    pub(crate) fn last_cut(&self, text: &[u8], most: usize) -> Option<usize> {
        if text.len() <= most {
            return None;
        }
        let is_cut =
            |at: usize| text[at] >= WIDE && is_behind_wide(text, at) && self.allow(text[at - 1], decode(text, at));
        (most / 2..=most).rev().find(|&at| is_cut(at))
    }

    /// Whether no token has both that last byte and the character, or the beginning of it, behind.
    #[inline]
    fn allow(&self, last: u8, character: u32) -> bool {
        !has(&self.whole, whole(last, character)) && !has(&self.broken, broken(last, character))
    }
}

/// Whether the character before that place has three bytes or four.
fn is_behind_wide(text: &[u8], at: usize) -> bool {
    at >= 3 && is_trail(text[at - 1]) && is_trail(text[at - 2])
}

/// Whether there is a wide character in it.
#[inline]
pub(crate) fn is_wide(text: &[u8]) -> bool {
    text.iter().any(|&byte| byte >= WIDE)
}

/// Bytes of the character that begins with that byte.
#[inline]
fn width(first: u8) -> usize {
    match first {
        0..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}

/// The code of the wide character at `at`; bytes that are missing at the end count as 0.
#[inline]
fn decode(text: &[u8], at: usize) -> u32 {
    let trail = |ahead: usize| u32::from(text.get(at + ahead).copied().unwrap_or(0) & 0x3F);
    let three = u32::from(text[at] & 0x0F) << 12 | trail(1) << 6 | trail(2);
    if text[at] < 0xF0 { three } else { (three & 0x7FFF) << 6 | trail(3) }
}

#[inline]
fn is_trail(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// By the first two bytes of the character: ten bits of one of three bytes, nine of one of four.
#[inline]
fn broken(last: u8, character: u32) -> usize {
    let beginning = if character < 0x1_0000 { character >> 6 } else { 1 << 10 | character >> 12 };
    usize::from(last & 0x3F) << 11 | beginning as usize
}

#[inline]
fn whole(last: u8, character: u32) -> usize {
    let pair = character << 6 | u32::from(last & 0x3F);
    (pair.wrapping_mul(0x9E37_79B1) >> (u32::BITS - WHOLE_BITS)) as usize
}

#[inline]
fn has(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 != 0
}

fn set(bits: &mut [u64], at: usize) {
    bits[at / 64] |= 1 << (at % 64);
}

#[cfg(test)]
#[path = "tests/cuts.rs"]
mod tests;
