//! Exact counts of what is left of a text when something is taken out of it, without counting all of it each time.
//!
//! Two facts save the work. No rule of the encodings looks at what is before a pre-token: wherever one ends, the rest
//! counts as the rest of the text does that begins there. And a rule looks only so far ahead: where all that it looked at
//! stays, the pre-token is settled, whatever comes next.

use std::collections::HashMap;

use foldhash::quality::FixedState;

use super::bpe::SHORT;
use super::caches::Caches;
use super::count::Counter;
use super::kinds::Reader;
use super::pretokens::Pattern;
use super::sequence::{Joint, Sequences};
use super::splice::{LastRun, Splice, how_far_it_looked, pretoken_end};
use super::vocabulary::Vocabulary;
use crate::error::Error;
use crate::interrupt::{Interrupt, Pace};

/// A pre-token of up to so many bytes is counted in one go where the text is read from its beginning.
const MIDDLING: usize = 1024;

/// Bytes that are read at first for each token that is left.
const BYTES_A_TOKEN: usize = 4;

/// A text and its exact counts, as far as a budget reaches.
pub(crate) struct Measure<'t, P> {
    pub(crate) text: &'t [u8],
    pub(crate) sequences: Sequences<'t>,
    pub(crate) pace: Pace<'t>,
    pub(crate) budget: u64,
    pub(crate) run: LastRun,
    /// Bytes of the longest token.
    pub(crate) longest: usize,
    counter: Counter<'t, P>,
    /// Where pre-tokens begin, and the tokens before each.
    starts: Vec<usize>,
    totals: Vec<u64>,
    /// How far the rules looked for the pre-tokens up to each.
    looked: Vec<usize>,
    /// The tokens of the ends of the text.
    after: HashMap<usize, u64, FixedState>,
}

impl<'t, P: Pattern> Measure<'t, P> {
    pub(crate) fn new(
        text: &'t str,
        budget: u64,
        vocabulary: &'t Vocabulary,
        caches: &'t mut Caches,
        interrupt: &'t dyn Interrupt,
    ) -> Self {
        let text = text.as_bytes();
        Self {
            text,
            sequences: Sequences::new(text, &vocabulary.pairs),
            pace: Pace::new(interrupt),
            budget,
            run: LastRun::default(),
            longest: vocabulary.longest,
            counter: Counter::new(vocabulary, caches, interrupt),
            starts: vec![0],
            totals: vec![0],
            looked: Vec::new(),
            after: [(text.len(), 0)].into_iter().collect(),
        }
    }

    /// The tokens of the whole text, all at once.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn count_whole(&mut self, text: &str) -> Result<u64, Error> {
        self.counter.count(text)
    }

    /// Counts pre-tokens from the first on, to the end or to the one with which they are over the budget.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn read(&mut self) -> Result<u64, Error> {
        loop {
            let (start, total) = self.settled(usize::MAX);
            if start == self.text.len() || total > self.budget {
                return Ok(total);
            }
            let end = P::end(Reader { text: self.text, pace: &self.pace }, start)?;
            self.pace.advance(1)?;
            let tokens = self.count_up_to(start, end, self.budget - total)?;
            self.starts.push(end);
            self.totals.push(total + tokens);
            let looked = how_far_it_looked(Reader { text: self.text, pace: &self.pace }, end)?;
            self.looked.push(self.looked.last().map_or(looked, |&before| before.max(looked)));
        }
    }

    /// The tokens of a pre-token, or more than there is room for where they are more.
    fn count_up_to(&mut self, start: usize, end: usize, room: u64) -> Result<u64, Error> {
        if end - start <= MIDDLING {
            return self.counter.count_pretoken(self.text, start, end);
        }
        let mut size = usize::try_from(room).unwrap_or(usize::MAX).saturating_mul(BYTES_A_TOKEN).max(MIDDLING);
        while size < end - start {
            if self.least_of_beginning(start..start + size)? > room {
                return Ok(room + 1);
            }
            size = size.saturating_mul(2);
        }
        self.sequences.count(&Joint { before: start..end, inserted: &[], after: 0..0 }, &self.pace)
    }

    /// Where the settled pre-tokens of the text before `head` end, whatever comes behind it, and their tokens.
    pub(crate) fn settled(&self, head: usize) -> (usize, u64) {
        let number = self.looked.partition_point(|&looked| looked <= head);
        (self.starts[number], self.totals[number])
    }

    /// The tokens of the text before `head`, of the marker and of the text from `tail` on, as one.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn count(&mut self, head: usize, marker: &str, tail: usize) -> Result<u64, Error> {
        self.pace.advance(1)?;
        let (start, mut total) = self.settled(head);
        let marker = marker.as_bytes();
        let text = Reader { text: self.text, pace: &self.pace };
        let mut splice = Splice::new(text, start..head, marker, tail, &mut self.run)?;
        let (before, joint) = (head - start, head - start + marker.len());
        let mut at = 0;
        while at < joint {
            let end = splice.end::<P>(at, &mut self.run)?;
            self.pace.advance(1 + splice.len() / 16)?;
            total += if end - at <= SHORT {
                self.counter.count_pretoken(splice.part(at, end), 0, end - at)?
            } else {
                let inserted = at.max(before) - before..end.clamp(before, joint) - before;
                let parts = Joint {
                    before: start + at.min(before)..start + end.min(before),
                    inserted: &marker[inserted.start.min(inserted.end)..inserted.end],
                    after: tail..tail + end.saturating_sub(joint),
                };
                self.sequences.count(&parts, &self.pace)?
            };
            at = end;
        }
        Ok(total + self.count_after(tail + at - joint)?)
    }

    /// The tokens of the text from a place on: pre-token for pre-token, up to a place from which it has been counted.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn count_after(&mut self, start: usize) -> Result<u64, Error> {
        let (mut passed, mut at) = (Vec::new(), start);
        let mut total = loop {
            if let Some(&tokens) = self.after.get(&at) {
                break tokens;
            }
            let text = Reader { text: self.text, pace: &self.pace };
            let end = pretoken_end::<P>(text, at, &mut self.run)?;
            self.pace.advance(1 + (end - at) / 64)?;
            passed.push((at, end));
            at = end;
        };
        for &(at, end) in passed.iter().rev() {
            total += if end - at <= SHORT {
                self.counter.count_pretoken(self.text, at, end)?
            } else {
                self.sequences.count(&Joint { before: 0..0, inserted: &[], after: at..end }, &self.pace)?
            };
            self.pace.advance(1)?;
            self.after.insert(at, total);
        }
        Ok(total)
    }
}
