//! Numbers for the terms of texts: equal numbers if and only if equal terms.

use std::ops::Range;

use crate::error::Error;
use crate::interrupt::Pace;
use crate::numbering::Numbering;
use crate::short_terms::ShortTerms;
use crate::terms::{Terms, fold};

/// Bytes of a term that is looked up as a number.
const SHORT: usize = size_of::<u64>();

/// Bytes of a text that hold a term, as a rule: a guess that spares growths.
const BYTES_A_TERM: usize = 6;

/// Numbers for terms, in the order of their first appearance.
///
/// Terms are compared in full: a hash decides nothing but the speed. A [`Numbering`] of all of them would do, but the
/// vectors of texts would take a third longer to make: most terms are short, so it is given the long ones only.
#[derive(Debug)]
pub struct Vocabulary {
    short: ShortTerms,
    long: Numbering<u8>,
    /// The number of each long term, by its number among these.
    long_numbers: Vec<u32>,
}

impl Vocabulary {
    /// An empty one for the terms of so many bytes of text, or of more.
    #[must_use]
    pub fn with_room(bytes: usize) -> Self {
        Self { short: ShortTerms::with_room(bytes), long: Numbering::default(), long_numbers: Vec::new() }
    }

    /// The number of each term of `text`, in order; new terms are given the next ones.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; [`Error::TooLarge`] past 2^32 terms.
    pub fn learn(&mut self, text: &str, pace: &Pace<'_>) -> Result<Vec<u32>, Error> {
        let folded = fold(text, pace)?;
        let mut terms = Terms::new(&folded);
        let mut numbers = Vec::with_capacity(folded.len() / BYTES_A_TERM);
        while let Some(term) = terms.next_range() {
            pace.advance(1)?;
            numbers.push(self.number(&folded, term, pace)?);
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
            known.extend(self.known(&folded, term));
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
    fn known(&self, folded: &str, term: Range<usize>) -> Option<u32> {
        match short(folded, &term) {
            Some(term) => self.short.find(term),
            None => self.long.find(folded[term].as_bytes()).map(|number| self.long_numbers[number as usize]),
        }
    }

    #[inline]
    fn number(&mut self, folded: &str, term: Range<usize>, pace: &Pace<'_>) -> Result<u32, Error> {
        let next = u32::try_from(self.size()).map_err(|_| Error::TooLarge)?;
        match short(folded, &term) {
            Some(term) => self.short.number(term, next, pace),
            None => self.long_number(folded[term].as_bytes(), next),
        }
    }

    fn long_number(&mut self, term: &[u8], next: u32) -> Result<u32, Error> {
        let number = self.long.number(term)? as usize;
        if number == self.long_numbers.len() {
            self.long_numbers.push(next);
        }
        Ok(self.long_numbers[number])
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

#[allow(clippy::cast_precision_loss, reason = "what is counted fits in memory, so below 2^53 of them")]
pub(crate) fn float(count: usize) -> f64 {
    count as f64
}
