//! Counting the tokens of a text: block by block, pre-token by pre-token.
#![allow(clippy::inline_always, reason = "the loop is compiled for the vectors of the processor where it is inlined")]

use std::marker::PhantomData;

use super::blocks::{self, READ, pad};
use super::caches::Caches;
use super::key;
use super::kinds::Reader;
use super::pieces::PieceCounter;
use super::pretokens::Pattern;
use super::vocabulary::Vocabulary;
use crate::error::Error;
use crate::interrupt::{Interrupt, Pace};
use crate::vectors::{Vectors, Work, with_vectors};

/// Bytes between two looks at the interrupt: 2 ms of work at the slowest.
const BETWEEN_LOOKS: usize = 16 * 1024;

/// Counts the texts of one encoding with the caches of one thread.
pub(crate) struct Counter<'c, P> {
    pieces: PieceCounter<'c>,
    interrupt: &'c dyn Interrupt,
    pattern: PhantomData<P>,
}

/// A text that is counted with whatever vectors there are.
struct CountText<'w, 'c, 't, P> {
    counter: &'w mut Counter<'c, P>,
    text: &'t [u8],
}

impl<P: Pattern> Work for CountText<'_, '_, '_, P> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> Self::Output {
        let rest = self.counter.count_blocks(self.text, vectors)?;
        self.counter.count_rest(&self.text[rest..], vectors)
    }
}

impl<'c, P: Pattern> Counter<'c, P> {
    pub(crate) fn new(vocabulary: &'c Vocabulary, caches: &'c mut Caches, interrupt: &'c dyn Interrupt) -> Self {
        let pieces = PieceCounter::new(vocabulary, caches, Pace::new(interrupt));
        Self { pieces, interrupt, pattern: PhantomData }
    }

    /// The tokens of a text. Linear.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn count(&mut self, text: &str) -> Result<u64, Error> {
        self.pieces.begin();
        with_vectors(CountText { counter: self, text: text.as_bytes() })?;
        Ok(self.pieces.sum())
    }

    /// The tokens of the one pre-token between two places.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn count_pretoken(&mut self, text: &[u8], start: usize, end: usize) -> Result<u64, Error> {
        self.pieces.begin();
        self.pieces.count_piece(text, start, end)?;
        Ok(self.pieces.sum())
    }

    /// Counts what can be read block by block, and returns where the rest begins.
    #[inline(always)]
    fn count_blocks<V: Vectors>(&mut self, text: &[u8], vectors: V) -> Result<usize, Error> {
        let (mut at, mut look) = (0, BETWEEN_LOOKS);
        while let Some(read) = text.get(at..).and_then(<[u8]>::first_chunk::<READ>) {
            let next = self.count_block(read, vectors);
            at = if next > 0 { at + next } else { self.count_next(text, at)? };
            if at >= look {
                self.interrupt.check()?;
                look = at + BETWEEN_LOOKS;
            }
        }
        Ok(at)
    }

    /// Counts the last bytes, copied to where whole blocks can be read; behind them stands what no rule takes for known.
    #[inline(always)]
    fn count_rest<V: Vectors>(&mut self, rest: &[u8], vectors: V) -> Result<(), Error> {
        let padded = pad::<{ 2 * READ }>(rest);
        let mut at = 0;
        while at < rest.len() {
            let next = padded[at..].first_chunk::<READ>().map_or(0, |read| self.count_block(read, vectors));
            at = if next > 0 { at + next } else { self.count_next(rest, at)? };
        }
        Ok(())
    }

    /// Counts the pre-tokens of a block whose ends are certain, and returns where the next begins: 0 where none is.
    #[inline(always)]
    fn count_block<V: Vectors>(&mut self, read: &[u8; READ], vectors: V) -> usize {
        let mut starts = blocks::starts::<P>(vectors, read);
        let mut at = 0;
        while starts != 0 {
            let end = starts.trailing_zeros() as usize;
            starts &= starts - 1;
            match read[at..].first_chunk::<{ key::READ }>() {
                Some(bytes) if end - at <= key::LONGEST => self.pieces.count_word(key::read(bytes, end - at)),
                _ => self.pieces.count_phrase(read, at, end),
            }
            at = end;
        }
        at
    }

    /// Counts the one pre-token that begins at `at`, and returns where it ends.
    fn count_next(&mut self, text: &[u8], at: usize) -> Result<usize, Error> {
        let end = P::end(Reader { text, pace: &self.pieces.pace }, at)?;
        self.pieces.count_pretoken(text, at, end)?;
        Ok(end)
    }
}

#[cfg(test)]
#[path = "tests/count.rs"]
mod tests;
