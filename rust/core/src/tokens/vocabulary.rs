//! The tables of one encoding, read-only and shared by all threads.

use std::convert::Infallible;
use std::ops::Range;

use super::bpe::{merge, merge_to_two};
use super::cuts::{Cuts, WIDE, is_wide};
use super::pairs::{NONE, Pairs};
use super::rank_file::RankFile;
use super::words::Words;
use crate::error::Error;

/// Where the characters from U+1F000 on begin among those that are counted alone.
const PICTURES: usize = 1 << 16;

/// What an encoding knows of its tokens.
pub(crate) struct Vocabulary {
    pub(crate) words: Words,
    pub(crate) pairs: Pairs,
    pub(crate) cuts: Cuts,
    /// Bytes of the longest token.
    pub(crate) longest: usize,
    /// The tokens of each character of up to three bytes alone, by its code, and then of those from U+1F000 to U+1FFFF:
    /// most parts between two cuts are one.
    characters: Box<[u8]>,
}

impl Vocabulary {
    /// Lays the tables out.
    ///
    /// Counting takes a text that is a token for one token. That holds because merging the bytes of any token comes
    /// down to two parts of lower ranks, and then to it: this is checked here for every token.
    ///
    /// # Errors
    /// [`Error::Vocabulary`] where a token is not reached from its bytes, or stands twice, and where a byte is no token.
    pub(crate) fn new(file: &RankFile) -> Result<Self, Error> {
        let mut pairs = Pairs::new(file);
        if (0..=u8::MAX).any(|byte| pairs.byte(byte) == NONE) {
            return Err(Error::Vocabulary);
        }
        for (rank, token) in (0..).zip((0..file.len()).map(|rank| file.token(rank))) {
            let parts = match *token {
                [byte] if pairs.byte(byte) == rank => continue,
                [left, right] if pairs.of_bytes(left, right) == rank => Some((pairs.byte(left), pairs.byte(right))),
                [] | [_] | [_, _] => None,
                _ => merge_to_two(&pairs, token),
            };
            // Parts of higher ranks would not always be there to merge: a pair that is not held might come before.
            let (left, right) = parts.filter(|&(left, right)| left.max(right) < rank).ok_or(Error::Vocabulary)?;
            pairs.insert(left, right, rank);
        }
        let characters = (0..=0xFFFF).chain(0x1_F000..=0x1_FFFF).map(|code| count_character(&pairs, code)).collect();
        let longest = (0..file.len()).map(|rank| file.token(rank).len()).max().unwrap_or(1);
        Ok(Self { words: Words::new(file), cuts: Cuts::new(file), longest, pairs, characters })
    }

    /// The tokens of a piece of up to 64 bytes that is no token itself.
    pub(crate) fn count_merged(&self, piece: &[u8]) -> u64 {
        if !is_wide(piece) {
            return self.merge(piece);
        }
        let mut tokens = 0;
        let count = |part| {
            tokens += self.merge(&piece[part]);
            Ok(())
        };
        let Ok(characters) = self.count_characters::<Infallible>(piece, |_| Ok(()), count);
        tokens + characters
    }

    /// The tokens of the characters that stand alone between two cuts. `count` gets the other parts;
    /// `look` is told of the work done, in steps of a pace.
    ///
    /// # Errors
    /// What the two report.
    #[inline]
    pub(crate) fn count_characters<E>(
        &self,
        piece: &[u8],
        look: impl Fn(usize) -> Result<(), E>,
        mut count: impl FnMut(Range<usize>) -> Result<(), E>,
    ) -> Result<u64, E> {
        let (mut at, mut tokens) = (0, 0);
        while at < piece.len() {
            let next = at + self.cuts.first_part(&piece[at..], &look)?;
            match self.count_character(&piece[at..next]) {
                Some(few) => tokens += few,
                None => count(at..next)?,
            }
            look(1)?;
            at = next;
        }
        Ok(tokens)
    }

    /// The tokens of a piece of up to 15 bytes, which has that key, that no cut goes through.
    pub(crate) fn count_short(&self, key: u128, piece: &[u8]) -> u64 {
        if self.words.has(key) { 1 } else { self.merge(piece) }
    }

    /// The tokens of a piece of 16 to 64 bytes that no cut goes through.
    pub(crate) fn count_long(&self, piece: &[u8]) -> u64 {
        if self.words.has_long(piece) { 1 } else { self.merge(piece) }
    }

    fn merge(&self, piece: &[u8]) -> u64 {
        u64::from(merge(&self.pairs, piece).count_ones())
    }

    /// The tokens of a character of three bytes, or of one of the pictures of four, that is all of the piece.
    #[inline]
    pub(crate) fn count_character(&self, piece: &[u8]) -> Option<u64> {
        let code = match *piece {
            [first, second, third] if first >= WIDE => code_of(first, second, third),
            [0xF0, 0x9F, third, fourth] => PICTURES + code_of(0, third, fourth),
            _ => return None,
        };
        Some(u64::from(self.characters[code]))
    }
}

/// The last 16 bits of the code of a character, by its last bytes.
#[inline]
fn code_of(first: u8, second: u8, third: u8) -> usize {
    usize::from(first & 0x0F) << 12 | usize::from(second & 0x3F) << 6 | usize::from(third & 0x3F)
}

fn count_character(pairs: &Pairs, code: u32) -> u8 {
    let mut bytes = [0; 4];
    char::from_u32(code).map_or(0, |character| {
        let piece = character.encode_utf8(&mut bytes).as_bytes();
        u8::try_from(merge(pairs, piece).count_ones()).unwrap_or(u8::MAX)
    })
}

#[cfg(test)]
#[path = "tests/vocabulary.rs"]
mod tests;
