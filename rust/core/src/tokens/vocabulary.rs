//! The tables of one encoding, read-only and shared by all threads.

use std::convert::Infallible;
use std::ops::Range;

use super::bpe::{merge, merge_to_two};
use super::cuts::{Cuts, WIDE, is_wide};
use super::pairs::{NONE, Pairs};
use super::rank_file::RankFile;
use super::words::Words;
use crate::error::Error;

/// What an encoding knows of its tokens.
pub(crate) struct Vocabulary {
    pub(crate) words: Words,
    pub(crate) pairs: Pairs,
    pub(crate) cuts: Cuts,
    /// Bytes of the longest token.
    pub(crate) longest: usize,
    /// The tokens of each character of three bytes alone, by its code: most parts between two cuts are one.
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
        let characters = (0..=u16::MAX).map(|code| count_character(&pairs, code)).collect();
        let longest = (0..file.len()).map(|rank| file.token(rank).len()).max().unwrap_or(1);
        Ok(Self { words: Words::new(file), cuts: Cuts::new(file), longest, pairs, characters })
    }

    /// The tokens of a piece of up to 64 bytes that is no token itself.
    pub(crate) fn count_merged(&self, piece: &[u8]) -> u64 {
        if !is_wide(piece) {
            return u64::from(merge(&self.pairs, piece).count_ones());
        }
        let mut tokens = 0;
        let count = |part| {
            tokens += u64::from(merge(&self.pairs, &piece[part]).count_ones());
            Ok(())
        };
        let Ok(characters) = self.count_characters::<Infallible>(piece, |_| Ok(()), count);
        tokens + characters
    }

    /// The tokens of the characters of three bytes that stand alone between two cuts. `count` gets the other parts;
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
            match piece[at..next] {
                [first, second, third] if first >= WIDE => tokens += self.count_character([first, second, third]),
                _ => count(at..next)?,
            }
            look(1)?;
            at = next;
        }
        Ok(tokens)
    }

    /// The tokens of a character of three bytes.
    #[inline]
    pub(crate) fn count_character(&self, [first, second, third]: [u8; 3]) -> u64 {
        let code = usize::from(first & 0x0F) << 12 | usize::from(second & 0x3F) << 6 | usize::from(third & 0x3F);
        u64::from(self.characters[code])
    }
}

fn count_character(pairs: &Pairs, code: u16) -> u8 {
    let mut bytes = [0; 3];
    match char::from_u32(code.into()) {
        Some(character) if character.len_utf8() == 3 => {
            character.encode_utf8(&mut bytes);
            u8::try_from(merge(pairs, &bytes).count_ones()).unwrap_or(u8::MAX)
        }
        _ => 0,
    }
}

#[cfg(test)]
#[path = "tests/vocabulary.rs"]
mod tests;
