//! Tokens that a piece cannot do without, however it goes on: what lets longer pieces be passed by uncounted.
//!
//! Some token ends within the longest one of any place. Up to there, the tokens of a pre-token are those of its beginning
//! alone, and from there on those of its end alone (see [`super::sequence`]).

use std::ops::Range;

use super::kinds::Reader;
use super::measure::Measure;
use super::pretokens::Pattern;
use super::sequence::Joint;
use super::splice::Splice;
use crate::error::Error;

/// A symbol ends whatever pre-token it can end, and is no small letter that a word of capitals could wait for.
const END: &[u8] = b"!";

/// What may be before a place, as far as the rules tell it apart: a letter, a mark or a symbol that goes on, a symbol and
/// a newline, white space, one or two numbers. Contractions take two bytes at most and are seen to apart.
const CONTEXTS: [&str; 11] = ["a", "A", "\u{4E2D}", "\u{301}", "!", "!!", "!\n", " ", "\n", "1", "11"];

impl<P: Pattern> Measure<'_, P> {
    /// Tokens that no text with this beginning, and then anything, goes below.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn least_before(&mut self, head: usize) -> Result<u64, Error> {
        let (start, total) = self.settled(head);
        // Behind the pre-token that is over, the text has not been read.
        if total > self.budget { Ok(total) } else { Ok(total + self.least_of_rest(start, head)?) }
    }

    /// The same for the text from the start of a pre-token on.
    ///
    /// That pre-token ends where it would before a symbol, or else at `head` or beyond.
    fn least_of_rest(&mut self, start: usize, head: usize) -> Result<u64, Error> {
        if head - start <= self.longest {
            return Ok(u64::from(start < head));
        }
        let text = Reader { text: self.text, pace: &self.pace };
        let mut splice = Splice::new(text, start..head, END, self.text.len(), &mut self.run)?;
        self.pace.advance(splice.len() / 16)?;
        let sure = head.min(start + splice.end::<P>(0, &mut self.run)?);
        let going_on = self.least_of_beginning(start..head)?;
        if sure == head {
            return Ok(going_on);
        }
        let ending = self.sequences.count(&Joint { before: start..sure, inserted: &[], after: 0..0 }, &self.pace)?;
        Ok(going_on.min(ending + self.least_of_rest(sure, head)?))
    }

    /// Tokens that no text with anything, and then this end, goes below.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn least_after(&mut self, tail: usize) -> Result<u64, Error> {
        let mut least = self.count_after(tail)?;
        for behind in (tail + 1..tail + 3).filter(|&at| self.text.get(at).is_some_and(|byte| byte & 0xC0 != 0x80)) {
            least = least.min(self.count_after(behind)?);
        }
        let mut seen = vec![tail];
        for context in CONTEXTS {
            let end = self.end_behind(context.as_bytes(), tail)?;
            if !seen.contains(&end) {
                seen.push(end);
                least = least.min(self.least_inside(tail, end)? + self.count_after(end)?);
            }
        }
        Ok(least)
    }

    /// Where the first pre-token ends that reaches a place, when that is before it.
    fn end_behind(&mut self, context: &[u8], tail: usize) -> Result<usize, Error> {
        let text = Reader { text: self.text, pace: &self.pace };
        let mut splice = Splice::new(text, 0..0, context, tail, &mut self.run)?;
        let mut end = 0;
        while end < context.len() {
            end = splice.end::<P>(end, &mut self.run)?;
        }
        self.pace.advance(1 + splice.len() / 16)?;
        Ok(tail + end - context.len())
    }

    /// The fewest tokens up to an end of a token that may be the last one up to the end of `part`, in whatever pre-token
    /// begins so.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(crate) fn least_of_beginning(&mut self, part: Range<usize>) -> Result<u64, Error> {
        let mut least = u64::MAX;
        for end in part.start.max((part.end + 1).saturating_sub(self.longest))..=part.end {
            let joint = Joint { before: part.start..end, inserted: &[], after: 0..0 };
            least = least.min(self.sequences.count(&joint, &self.pace)?);
        }
        Ok(least)
    }

    /// The fewest tokens from a start of a token on that may be the first one, in whatever pre-token ends so.
    fn least_inside(&mut self, start: usize, end: usize) -> Result<u64, Error> {
        if end - start <= self.longest {
            return Ok(0);
        }
        let mut least = u64::MAX;
        for first in start..start + self.longest {
            let joint = Joint { before: 0..0, inserted: &[], after: first..end };
            least = least.min(self.sequences.count(&joint, &self.pace)?);
        }
        Ok(least)
    }
}
