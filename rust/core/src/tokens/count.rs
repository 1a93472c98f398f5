//! Counting the tokens of a text: block by block, pre-token by pre-token, with what was counted before at hand.
#![allow(clippy::inline_always, reason = "the loop is compiled for the vectors of the processor where it is inlined")]

use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::Range;

use super::blocks::{self, READ, pad};
use super::caches::{Caches, LONGEST as LONGEST_REMEMBERED, LONGEST_LINE};
use super::cuts::is_wide;
use super::key;
use super::kinds::{Reader, STRETCH};
use super::long;
use super::pretokens::Pattern;
use super::vectors::{Vectors, Work, with_vectors};
use super::vocabulary::Vocabulary;
use crate::error::Error;
use crate::interrupt::{Interrupt, Pace};

/// Bytes between two looks at the interrupt: 2 ms of work at the slowest.
const BETWEEN_LOOKS: usize = 16 * 1024;

/// Bytes of a run that are counted in 100 ns, as they are new.
const BYTES_A_STEP: usize = 16;

/// Words that are put off until they are counted together.
const PUT_OFF: usize = 32;

/// Counts the texts of one encoding with the caches of one thread.
pub(crate) struct Counter<'c, P> {
    vocabulary: &'c Vocabulary,
    caches: &'c mut Caches,
    interrupt: &'c dyn Interrupt,
    pace: Pace<'c>,
    tokens: u64,
    put_off: [u128; PUT_OFF],
    waiting: usize,
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
        let pace = Pace::new(interrupt);
        Self { vocabulary, caches, interrupt, pace, tokens: 0, put_off: [0; PUT_OFF], waiting: 0, pattern: PhantomData }
    }

    /// The tokens of a text. Linear.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn count(&mut self, text: &str) -> Result<u64, Error> {
        // A text that was interrupted may have left words behind.
        (self.tokens, self.waiting) = (0, 0);
        with_vectors(CountText { counter: self, text: text.as_bytes() })?;
        self.settle();
        Ok(self.tokens)
    }

    /// The tokens of the one pre-token between two places.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn count_pretoken(&mut self, text: &[u8], start: usize, end: usize) -> Result<u64, Error> {
        self.tokens = 0;
        self.count_piece(text, start, end)?;
        self.settle();
        Ok(self.tokens)
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
                Some(bytes) if end - at <= key::LONGEST => self.count_word(key::read(bytes, end - at)),
                _ => self.count_phrase(read, at, end),
            }
            at = end;
        }
        at
    }

    /// Counts the one pre-token that begins at `at`, and returns where it ends.
    fn count_next(&mut self, text: &[u8], at: usize) -> Result<usize, Error> {
        let end = P::end(Reader { text, pace: &self.pace }, at)?;
        if end - at > LONGEST_REMEMBERED && self.is_wide(&text[at..end])? {
            self.count_run(text, at, end)?;
        } else {
            self.count_piece(text, at, end)?;
        }
        Ok(end)
    }

    fn is_wide(&self, piece: &[u8]) -> Result<bool, Error> {
        for stretch in piece.chunks(STRETCH) {
            if is_wide(stretch) {
                return Ok(true);
            }
            self.pace.advance_over(stretch.len())?;
        }
        Ok(false)
    }

    /// Counts a long piece in pieces that can be remembered, cut where no token can cross.
    fn count_run(&mut self, text: &[u8], start: usize, end: usize) -> Result<(), Error> {
        let (cuts, mut at) = (&self.vocabulary.cuts, start);
        while at < end {
            let rest = &text[at..end];
            let length = match cuts.last_cut(rest, LONGEST_REMEMBERED) {
                Some(length) => length,
                None => cuts.first_part(rest, |steps| self.pace.advance(steps))?,
            };
            self.count_piece(text, at, at + length)?;
            self.pace.advance(1 + length / BYTES_A_STEP)?;
            at += length;
        }
        Ok(())
    }

    /// Counts what is merged as one, or cut if it is no longer than what is remembered.
    #[inline]
    fn count_piece(&mut self, text: &[u8], start: usize, end: usize) -> Result<(), Error> {
        if end - start <= key::LONGEST {
            self.count_word(read_key(text, start, end));
        } else if end - start <= LONGEST_REMEMBERED {
            self.count_phrase(text, start, end);
        } else {
            self.count_line(&text[start..end])?;
        }
        Ok(())
    }

    /// Counts a piece of more than 60 bytes.
    fn count_line(&mut self, piece: &[u8]) -> Result<(), Error> {
        if piece.len() > LONGEST_LINE {
            self.tokens += self.count_new_line(piece)?;
        } else if let Some(tokens) = self.caches.back.get(piece) {
            self.tokens += tokens;
        } else {
            let tokens = self.count_new_line(piece)?;
            self.caches.back.put(piece, tokens);
            self.tokens += tokens;
        }
        Ok(())
    }

    /// The tokens of a piece of more than 60 bytes that is not remembered.
    fn count_new_line(&self, piece: &[u8]) -> Result<u64, Error> {
        if piece.len() <= self.vocabulary.longest && self.vocabulary.words.has_long(piece) {
            return Ok(1);
        }
        long::count(&self.vocabulary.pairs, piece, &self.pace)
    }

    /// Counts a piece of 16 to 63 bytes.
    fn count_phrase(&mut self, text: &[u8], start: usize, end: usize) {
        let piece = &text[start..end];
        self.tokens += if piece.len() > LONGEST_REMEMBERED {
            self.count_new_phrase(text, start, end)
        } else if let Some(tokens) = self.caches.middle.get(piece) {
            tokens
        } else {
            let tokens = self.count_new_phrase(text, start, end);
            self.caches.middle.put(piece, tokens);
            tokens
        };
    }

    /// The tokens of a piece of 16 to 63 bytes that is not remembered.
    fn count_new_phrase(&mut self, text: &[u8], start: usize, end: usize) -> u64 {
        if !is_wide(&text[start..end]) {
            return self.vocabulary.count_long(&text[start..end]);
        }
        let (vocabulary, mut tokens) = (self.vocabulary, 0);
        let count = |part: Range<usize>| {
            tokens += self.count_part(text, start + part.start, start + part.end);
            Ok(())
        };
        let Ok(characters) = vocabulary.count_characters::<Infallible>(&text[start..end], |_| Ok(()), count);
        tokens + characters
    }

    /// The tokens of what no cut goes through, of up to 63 bytes.
    #[inline]
    fn count_part(&mut self, text: &[u8], start: usize, end: usize) -> u64 {
        let part = &text[start..end];
        if part.len() > key::LONGEST {
            return self.vocabulary.count_long(part);
        }
        let key = read_key(text, start, end);
        self.caches.front.get(key).unwrap_or_else(|| {
            let tokens = self.vocabulary.count_short(key, part);
            self.caches.front.put(key, tokens);
            tokens
        })
    }

    /// Counts a piece of up to 15 bytes; one that is not where it is looked for first is put off until there are many.
    #[inline(always)]
    fn count_word(&mut self, key: u128) {
        if let Some(tokens) = self.caches.front.get_first(key) {
            self.tokens += tokens;
            return;
        }
        self.put_off[self.waiting] = key;
        self.waiting += 1;
        if self.waiting == PUT_OFF {
            self.settle();
        }
    }

    /// Counts what was put off: first all that are tokens themselves, so that the reads from the large table overlap.
    #[inline(never)]
    fn settle(&mut self) {
        let (mut new, mut tokens) = ([0; PUT_OFF], [0; PUT_OFF]);
        let mut count = 0;
        for &key in &self.put_off[..self.waiting] {
            if let Some(remembered) = self.caches.front.get(key) {
                self.tokens += remembered;
            } else {
                (new[count], tokens[count]) = (key, u64::from(self.vocabulary.words.has(key)));
                count += 1;
            }
        }
        for (tokens, &key) in tokens.iter_mut().zip(&new[..count]) {
            if *tokens == 0 {
                let (bytes, length) = key::unpack(key);
                *tokens = self.vocabulary.count_merged(&bytes[..length]);
            }
            self.caches.front.put(key, *tokens);
            self.tokens += *tokens;
        }
        self.waiting = 0;
    }
}

/// The key of up to 15 bytes of a text.
#[inline(always)]
fn read_key(text: &[u8], start: usize, end: usize) -> u128 {
    match text[start..].first_chunk() {
        Some(bytes) => key::read(bytes, end - start),
        None => key::pack(&text[start..end]).unwrap_or_default(),
    }
}

#[cfg(test)]
#[path = "tests/count.rs"]
mod tests;
