//! Counting the tokens of a piece: remembered, or else a token itself, cut where no token crosses, or merged.
#![allow(clippy::inline_always, reason = "the innermost step of counting")]

use std::convert::Infallible;
use std::ops::Range;

use super::caches::{Caches, LONGEST as LONGEST_REMEMBERED, LONGEST_LINE};
use super::cuts::is_wide;
use super::key;
use super::kinds::STRETCH;
use super::long;
use super::vocabulary::Vocabulary;
use crate::error::Error;
use crate::interrupt::Pace;

/// Bytes of a run that are counted in 100 ns, as they are new.
const BYTES_A_STEP: usize = 16;

/// Words that are put off until they are counted together.
const PUT_OFF: usize = 32;

/// Adds up the tokens of pieces of one encoding, with the caches of one thread.
pub(super) struct PieceCounter<'c> {
    vocabulary: &'c Vocabulary,
    caches: &'c mut Caches,
    pub(super) pace: Pace<'c>,
    tokens: u64,
    put_off: [u128; PUT_OFF],
    pub(super) waiting: usize,
}

impl<'c> PieceCounter<'c> {
    pub(super) fn new(vocabulary: &'c Vocabulary, caches: &'c mut Caches, pace: Pace<'c>) -> Self {
        Self { vocabulary, caches, pace, tokens: 0, put_off: [0; PUT_OFF], waiting: 0 }
    }

    /// Begins a sum anew: a text that was interrupted may have left words behind.
    pub(super) fn begin(&mut self) {
        (self.tokens, self.waiting) = (0, 0);
    }

    /// The tokens of all pieces since the beginning.
    pub(super) fn sum(&mut self) -> u64 {
        self.settle();
        self.tokens
    }

    /// Counts a pre-token of any length.
    pub(super) fn count_pretoken(&mut self, text: &[u8], start: usize, end: usize) -> Result<(), Error> {
        if end - start > LONGEST_REMEMBERED && self.is_wide(&text[start..end])? {
            self.count_run(text, start, end)
        } else {
            self.count_piece(text, start, end)
        }
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
    pub(super) fn count_piece(&mut self, text: &[u8], start: usize, end: usize) -> Result<(), Error> {
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
    pub(super) fn count_phrase(&mut self, text: &[u8], start: usize, end: usize) {
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
    pub(super) fn count_word(&mut self, key: u128) {
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
    /// Of a word that came twice the second is remembered.
    #[inline(never)]
    fn settle(&mut self) {
        let (mut new, mut count) = ([0; PUT_OFF], 0);
        for &key in &self.put_off[..self.waiting] {
            if let Some(remembered) = self.caches.front.get(key) {
                self.tokens += remembered;
            } else if self.vocabulary.words.has(key) {
                self.caches.front.put(key, 1);
                self.tokens += 1;
            } else {
                new[count] = key;
                count += 1;
            }
        }
        for &key in &new[..count] {
            self.tokens += match self.caches.front.get(key) {
                Some(remembered) => remembered,
                None => self.count_new_word(key),
            };
        }
        self.waiting = 0;
    }

    /// The tokens of a piece of up to 15 bytes that is not remembered, and is no token.
    fn count_new_word(&mut self, key: u128) -> u64 {
        let (bytes, length) = key::unpack(key);
        let tokens = self.vocabulary.count_merged(&bytes[..length]);
        self.caches.front.put(key, tokens);
        tokens
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
