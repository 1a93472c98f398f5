//! Numbers for the terms of texts: equal numbers if and only if equal terms.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use foldhash::SharedSeed;
use foldhash::fast::SeedableRandomState;

use crate::error::Error;
use crate::interrupt::Pace;
use crate::terms::{Terms, fold};

/// Bytes of a term that is looked up by its bytes alone.
const SHORT: usize = size_of::<u64>();

/// Numbers for terms, in the order of their first appearance.
///
/// Terms are compared in full: a hash decides nothing but the speed. Its key is drawn anew for each vocabulary, so
/// that no text can be made whose terms collide.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    short: HashMap<u64, u32, SeedableRandomState>,
    long: HashMap<Box<str>, u32, SeedableRandomState>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        let random = RandomState::new().hash_one(0);
        let state = SeedableRandomState::with_seed(random, SharedSeed::global_random());
        Self { short: HashMap::with_hasher(state.clone()), long: HashMap::with_hasher(state) }
    }
}

impl Vocabulary {
    /// The number of each term of `text`, in order; new terms are given the next ones.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; [`Error::TooLarge`] past 2^32 terms.
    pub fn learn(&mut self, text: &str, pace: &Pace<'_>) -> Result<Vec<u32>, Error> {
        let folded = fold(text, pace)?;
        let mut terms = Terms::new(&folded);
        let mut numbers = Vec::new();
        while let Some(term) = terms.next_range() {
            pace.advance(1)?;
            numbers.push(self.number(&folded, term)?);
        }
        Ok(numbers)
    }

    /// The number of each term of `text` that has one, in order, and how many terms there are in all.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn recall(&self, text: &str, pace: &Pace<'_>) -> Result<(Vec<u32>, usize), Error> {
        let folded = fold(text, pace)?;
        let mut terms = Terms::new(&folded);
        let (mut known, mut length) = (Vec::new(), 0);
        while let Some(term) = terms.next_range() {
            pace.advance(1)?;
            known.extend(self.known(&folded, &term));
            length += 1;
        }
        Ok((known, length))
    }

    /// How many terms have a number: the numbers are those below.
    #[must_use]
    pub fn size(&self) -> usize {
        self.short.len() + self.long.len()
    }

    #[inline]
    fn known(&self, folded: &str, term: &Range<usize>) -> Option<u32> {
        match short(folded, term) {
            Some(key) => self.short.get(&key).copied(),
            None => self.long.get(&folded[term.clone()]).copied(),
        }
    }

    #[inline]
    fn number(&mut self, folded: &str, term: Range<usize>) -> Result<u32, Error> {
        if let Some(known) = self.known(folded, &term) {
            return Ok(known);
        }
        let next = u32::try_from(self.size()).map_err(|_| Error::TooLarge)?;
        match short(folded, &term) {
            Some(key) => self.short.insert(key, next),
            None => self.long.insert(folded[term].into(), next),
        };
        Ok(next)
    }
}

/// A term of at most 8 bytes as a number, which is the term itself: no term holds a NUL.
///
/// Cut out of the text's next 8 bytes by a mask, since a copy would branch on the length.
#[inline]
fn short(folded: &str, term: &Range<usize>) -> Option<u64> {
    if term.len() > SHORT {
        return None;
    }
    let rest = &folded.as_bytes()[term.start..];
    let next = rest.first_chunk().copied().unwrap_or_else(|| padded(rest));
    Some(u64::from_le_bytes(next) & (u64::MAX >> (8 * (SHORT - term.len()))))
}

/// What is left near the end of a text, fewer than 8 bytes.
#[inline(never)]
fn padded(rest: &[u8]) -> [u8; SHORT] {
    let mut bytes = [0; SHORT];
    bytes[..rest.len()].copy_from_slice(rest);
    bytes
}

/// The distinct numbers, ascending, and how often each comes.
pub(crate) fn tally(numbers: &mut [u32]) -> impl Iterator<Item = (u32, f64)> {
    numbers.sort_unstable();
    numbers.chunk_by(u32::eq).map(|same| (same[0], float(same.len())))
}

#[allow(clippy::cast_precision_loss, reason = "what is counted fits in memory, so below 2^53 of them")]
pub(crate) fn float(count: usize) -> f64 {
    count as f64
}
