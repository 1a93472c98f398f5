//! A text in lower case, with a bit a byte that says whether it is inside a word.
//!
//! It goes 64 bytes at a time: ASCII, most ideographs and syllables of Hangul by masks, every other character by one look
//! at its traits. Nearly all of those are lower-cased to as many bytes as they have and stay in place; one that is not
//! ends its block. All of it follows `text.rs`: a test compares them.
#![allow(
    clippy::inline_always,
    reason = "code is compiled for the vectors only where it is inlined into such a function"
)]

use super::characters::{LONGEST, decode, length_of, lower_in_place};
use super::keys::PADDING;
use super::planes::{Bits, Planes, below};
use crate::error::Error;
use crate::interrupt::Pace;
use crate::text::Words;
use crate::unicode;
use crate::unicode_traits::{Traits, traits};
use crate::vectors::{BLOCK, Masks, Vectors};

/// Lower-cased text and its masks, and what tells whether it is written without spaces.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    bytes: Vec<u8>,
    planes: Planes,
    /// Whether scripts, capitals or numbers will be asked for.
    asks_more: bool,
    alphanumeric: usize,
    unspaced: usize,
}

impl Folded {
    /// Reads texts and, where that is asked for, their scripts, or where their capitals and numbers are.
    pub(crate) fn new(counts_scripts: bool, marks_facts: bool) -> Self {
        Self { planes: Planes::new(marks_facts), asks_more: counts_scripts || marks_facts, ..Self::default() }
    }

    /// Reads a text. Linear.
    #[inline(always)]
    pub(crate) fn read<V: Vectors>(
        &mut self,
        text: &str,
        words: Words,
        vectors: V,
        pace: &Pace<'_>,
    ) -> Result<(), Error> {
        self.make_room(text.len());
        let (mut at, mut end) = (0, [b' '; BLOCK]);
        while at < text.len() {
            pace.advance(1)?;
            let (block, count) = block_at(&text.as_bytes()[at..], &mut end);
            let masks = vectors.classify(block);
            let mut bits = ascii_bits(&masks, words);
            self.put_lowered(block);
            if masks.wide == 0 {
                if self.asks_more {
                    self.alphanumeric += ((masks.letters | masks.digits) & below(count)).count_ones() as usize;
                }
                self.planes.push(&bits, count);
                at += count;
                continue;
            }
            let whole = whole_characters(block, &masks, count);
            let taken = self.take_wide(&mut bits, &masks, whole, words);
            if self.asks_more {
                self.alphanumeric += ((masks.letters | masks.digits) & below(taken)).count_ones() as usize;
            }
            self.planes.push(&bits, taken);
            at += taken;
            if taken < whole {
                at += self.push_odd(&text[at..], words);
            }
        }
        Ok(())
    }

    /// Lower-casing makes at most three bytes of two.
    fn make_room(&mut self, length: usize) {
        let most = length + length / 2 + BLOCK;
        if self.bytes.len() < most + PADDING {
            // New zeros take no time until they are touched; by doubling, texts of like lengths share them.
            self.bytes = vec![0; (most + PADDING).next_power_of_two()];
        }
        self.planes.restart(most);
        (self.alphanumeric, self.unspaced) = (0, 0);
    }

    #[inline(always)]
    fn put_lowered(&mut self, block: &[u8; BLOCK]) {
        let mut lowered = *block;
        lowered.make_ascii_lowercase();
        let length = self.planes.length();
        self.bytes[length..length + BLOCK].copy_from_slice(&lowered);
    }

    /// Lower-cases the characters that begin at `leads` and adds their bits. Returns the place of the first that has
    /// another length in lower case, or `end`.
    #[inline(always)]
    fn take_wide(&mut self, bits: &mut Bits, masks: &Masks, end: usize, words: Words) -> usize {
        let Some(row) = self.bytes[self.planes.length()..].first_chunk_mut() else { return 0 };
        let held = trait_held(words);
        let plain = masks.plain & below(end);
        let (mut leads, mut end, mut inside, mut capitals) = (masks.leads & below(end) & !plain, end, plain, 0);
        while leads != 0 {
            let at = leads.trailing_zeros() as usize % BLOCK;
            let (code, length) = decode(row, at);
            let traits = traits(code);
            // Of two bytes all are lower-cased, small ones to themselves: where capitals come no branch foresees.
            if length == 2 || traits.has(Traits::LOWERS) == 1 {
                if !lower_in_place(row, at, code, length) {
                    end = at;
                    break;
                }
                capitals |= u64::from(traits.has(Traits::CAPITAL)) << at;
            }
            inside |= u64::from(traits.has(held)) << at;
            leads &= leads - 1;
        }
        bits.inside |= spread(inside, masks);
        bits.capitals |= capitals;
        if self.asks_more {
            self.take_traits(bits, masks, end);
        }
        end
    }

    /// What only some options ask for: the scripts, capitals and numbers of the characters before `end`.
    #[inline(always)]
    fn take_traits(&mut self, bits: &mut Bits, masks: &Masks, end: usize) {
        let Some(row) = self.bytes[self.planes.length()..].first_chunk() else { return };
        let plain = masks.plain & below(end);
        let mut leads = masks.leads & below(end) & !plain;
        let (mut alphanumeric, mut unspaced, mut numbers) = (plain, plain, 0);
        while leads != 0 {
            let at = leads.trailing_zeros() as usize % BLOCK;
            let traits = traits(decode(row, at).0);
            let bit = |bit| u64::from(traits.has(bit)) << at;
            alphanumeric |= bit(Traits::ALPHANUMERIC);
            unspaced |= bit(Traits::UNSPACED);
            numbers |= bit(Traits::NUMBER);
            leads &= leads - 1;
        }
        bits.numbers |= spread(numbers, masks);
        self.alphanumeric += alphanumeric.count_ones() as usize;
        self.unspaced += unspaced.count_ones() as usize;
    }

    /// The first character of `text`, whatever it lowers to. Returns how many bytes it has.
    #[cold]
    fn push_odd(&mut self, text: &str, words: Words) -> usize {
        let Some(character) = text.chars().next() else { return 0 };
        let traits = traits(u32::from(character));
        let all = |bit| if traits.has(bit) == 1 { u64::MAX } else { 0 };
        let (inside, numbers) = (all(trait_held(words)), all(Traits::NUMBER));
        let mut capitals = u64::from(traits.has(Traits::CAPITAL));
        for lowered in unicode::lower(character) {
            let length = self.planes.length();
            let count = lowered.encode_utf8(&mut self.bytes[length..length + LONGEST]).len();
            self.planes.push(&Bits { inside, capitals, numbers }, count);
            // Lower-casing changes no trait that counts, but one letter may become a letter and a mark.
            self.alphanumeric += usize::from(traits.has(Traits::ALPHANUMERIC));
            capitals = 0;
        }
        self.unspaced += usize::from(traits.has(Traits::UNSPACED));
        character.len_utf8()
    }

    /// The lower-cased bytes, with [`PADDING`] and maybe more behind them that mean nothing.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The masks over the lower-cased bytes.
    pub(crate) fn planes(&self) -> &Planes {
        &self.planes
    }

    /// Whether more than half of the letters, marks and numbers are of scripts written without spaces.
    pub(crate) fn is_mostly_unspaced(&self) -> bool {
        2 * self.unspaced > self.alphanumeric
    }
}

/// The trait of characters inside words.
fn trait_held(words: Words) -> u32 {
    match words {
        Words::Whitespace => Traits::NO_SPACE,
        Words::Alphanumeric => Traits::ALPHANUMERIC,
    }
}

/// The bits of first bytes on all bytes of their characters.
#[inline(always)]
fn spread(mut bits: u64, masks: &Masks) -> u64 {
    for _ in 1..LONGEST {
        bits |= bits << 1 & masks.wide & !masks.leads;
    }
    bits
}

/// The bits of the characters of ASCII.
#[inline(always)]
fn ascii_bits(masks: &Masks, words: Words) -> Bits {
    let inside = match words {
        Words::Whitespace => !(masks.white | masks.separators | masks.wide),
        Words::Alphanumeric => masks.letters | masks.digits,
    };
    Bits { inside, capitals: masks.capitals, numbers: masks.digits }
}

/// The next 64 bytes and how many of them there are: where they are fewer, they are copied to `end`, which is spaces.
#[inline(always)]
fn block_at<'b>(rest: &'b [u8], end: &'b mut [u8; BLOCK]) -> (&'b [u8; BLOCK], usize) {
    if let Some(block) = rest.first_chunk() {
        return (block, BLOCK);
    }
    *end = [b' '; BLOCK];
    end[..rest.len()].copy_from_slice(rest);
    (end, rest.len())
}

/// How many of the bytes there are before a character that reaches beyond the block.
#[inline(always)]
fn whole_characters(block: &[u8; BLOCK], masks: &Masks, count: usize) -> usize {
    let last = (BLOCK - 1).saturating_sub(masks.leads.leading_zeros() as usize);
    if last + length_of(block[last]) > count { last } else { count }
}

#[cfg(test)]
#[path = "tests/folded.rs"]
mod tests;
