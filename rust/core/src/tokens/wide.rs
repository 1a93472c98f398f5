//! The characters of a block that are not ASCII, as masks of all of their bytes.
//!
//! What most texts are made of is told by its bytes, many at once; the table is asked for the others, one by one.
#![allow(clippy::inline_always, reason = "compiled for the vectors of the processor where it is inlined")]
#![allow(clippy::needless_bitwise_bool, reason = "without branches the loops over bytes become vectors")]

use super::blocks::READ;
use super::kinds::{Kind, wide_kind};
use crate::vectors::{BLOCK, Vectors};

/// A bit for each byte of the block that belongs to such a character, by its kind; those of [`Kind::Rest`] are in none
/// but `trails`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wide {
    pub(crate) capitals: u64,
    pub(crate) small: u64,
    pub(crate) caseless: u64,
    pub(crate) marks: u64,
    /// Numbers and white space.
    pub(crate) others: u64,
    /// All bytes of these characters but their first.
    pub(crate) trails: u64,
}

impl Wide {
    /// Reads the characters that begin in the block; `wide` are its bytes that are not ASCII.
    #[inline(always)]
    pub(crate) fn read(vectors: impl Vectors, read: &[u8; READ], wide: u64) -> Self {
        let trails = find(vectors, read, |[first, ..]| first & 0xC0 == 0x80);
        let mut leads = wide & !trails;
        let capitals = find(vectors, read, is_cyrillic_capital);
        let small = find(vectors, read, is_cyrillic_small);
        let caseless = find(vectors, read, is_caseless);
        let marks = find(vectors, read, is_variation_selector);
        leads &= !(capitals | small | caseless | marks | find(vectors, read, is_rest));
        let mut kinds = [0; Kind::COUNT];
        while leads != 0 {
            let at = leads.trailing_zeros();
            leads &= leads - 1;
            if let Some(&bytes) = read[at as usize..].first_chunk() {
                let (kind, width) = wide_kind(bytes);
                kinds[kind as usize] |= ((1 << width) - 1) << at;
            }
        }
        Self {
            capitals: kinds[Kind::Upper as usize] | capitals | capitals << 1,
            small: kinds[Kind::Lower as usize] | small | small << 1,
            caseless: kinds[Kind::Caseless as usize] | caseless | caseless << 1 | caseless << 2,
            marks: kinds[Kind::Mark as usize] | marks | marks << 1 | marks << 2,
            others: kinds[Kind::Number as usize] | kinds[Kind::Space as usize],
            trails,
        }
    }

    #[inline]
    pub(crate) fn letters(&self) -> u64 {
        self.capitals | self.small | self.caseless
    }
}

/// A bit for each byte of the block at which three bytes are that; a loop that the compiler turns into vectors.
#[inline(always)]
fn find(vectors: impl Vectors, read: &[u8; READ], is: impl Fn([u8; 3]) -> bool) -> u64 {
    let mut found = [0; BLOCK];
    for (at, found) in found.iter_mut().enumerate() {
        *found = u8::from(is([read[at], read[at + 1], read[at + 2]])) << 7;
    }
    vectors.high_bits(&found)
}

/// U+0400 to U+042F.
#[inline(always)]
fn is_cyrillic_capital([first, second, _]: [u8; 3]) -> bool {
    (first == 0xD0) & (second < 0xB0)
}

/// U+0430 to U+045F.
#[inline(always)]
fn is_cyrillic_small([first, second, _]: [u8; 3]) -> bool {
    (first == 0xD0) & (second >= 0xB0) | (first == 0xD1) & (second < 0xA0)
}

/// Chinese and Korean characters and kana: U+4000 to U+9FFF but for the hexagrams in U+4DC0 to U+4DFF; U+AC00 to U+D77F;
/// U+3041 to U+3096, U+30A1 to U+30FA and U+30FC to U+30FF.
#[inline(always)]
fn is_caseless([first, second, third]: [u8; 3]) -> bool {
    let han = matches!(first, 0xE5..=0xE9) | (first == 0xE4) & (second != 0xB7);
    let hangul =
        (first == 0xEB) | (first == 0xEC) | (first == 0xEA) & (second >= 0xB0) | (first == 0xED) & (second < 0x9E);
    let kana = (second == 0x81) & (third > 0x80)
        | (second == 0x82) & !matches!(third, 0x97..=0xA0)
        | (second == 0x83) & (third != 0xBB);
    han | hangul | (first == 0xE3) & kana
}

/// U+FE00 to U+FE0F.
#[inline(always)]
fn is_variation_selector([first, second, third]: [u8; 3]) -> bool {
    (first == 0xEF) & (second == 0xB8) & (third < 0x90)
}

/// Pictures, joiners and marks of punctuation: U+1F000 to U+1FFFF but for the numbers in U+1F100 to U+1F13F and U+1FBC0
/// to U+1FBFF; U+200B to U+2027; U+3001 to U+3003.
#[inline(always)]
fn is_rest([first, second, third]: [u8; 3]) -> bool {
    (first == 0xF0) & (second == 0x9F) & (third != 0x84) & (third != 0xAF)
        | (first == 0xE2) & (second == 0x80) & (third > 0x8A) & (third < 0xA8)
        | (first == 0xE3) & (second == 0x80) & (third > 0x80) & (third < 0x84)
}

#[cfg(test)]
#[path = "tests/wide.rs"]
mod tests;
