//! Where pre-tokens end in a beginning with the rest of a text behind it, read no farther than the rules look.

use super::kinds::{Kind, Reader};
use super::pretokens::Pattern;

/// Bytes of the text that are put behind the beginning at first.
const AHEAD: usize = 64;

/// How much farther is read when a rule looked beyond.
const WIDER: usize = 4;

/// The longest contraction, which is the farthest that most rules look.
const LONGEST_CONTRACTION: usize = 3;

/// A beginning, and the text from a place on.
pub(crate) struct Splice<'t> {
    pub(crate) bytes: Vec<u8>,
    text: &'t [u8],
    /// How far the text has been read.
    read: usize,
}

impl<'t> Splice<'t> {
    /// The beginning is in two parts, of which either may be empty.
    pub(crate) fn new(first: &[u8], second: &[u8], text: &'t [u8], tail: usize) -> Self {
        let mut splice = Self { bytes: Vec::with_capacity(first.len() + second.len() + AHEAD), text, read: tail };
        splice.bytes.extend_from_slice(first);
        splice.bytes.extend_from_slice(second);
        splice.read_on(AHEAD);
        splice
    }

    /// Where the pre-token ends that begins at a place.
    pub(crate) fn end<P: Pattern>(&mut self, at: usize) -> usize {
        loop {
            let end = P::end(&self.bytes, at);
            if self.read == self.text.len() || how_far_it_looked(&self.bytes, end) <= self.bytes.len() {
                return end;
            }
            self.read_on(self.bytes.len().saturating_mul(WIDER));
        }
    }

    fn read_on(&mut self, bytes: usize) {
        let start = self.read;
        self.read = self.text.len().min(start.saturating_add(bytes));
        while self.text.get(self.read).is_some_and(|byte| byte & 0xC0 == 0x80) {
            self.read += 1;
        }
        self.bytes.extend_from_slice(&self.text[start..self.read]);
    }
}

/// What a pre-token that ends there depends on: nothing from there on.
///
/// Beyond its end a rule looks for a contraction, for what ends a run of white space, and for the small letter behind a
/// run of capitals; every other rule looks at one character.
pub(crate) fn how_far_it_looked(text: &[u8], end: usize) -> usize {
    let reader = Reader(text);
    let run = reader.skip(end, Kind::is_space).max(reader.skip(end, |kind| kind == Kind::Upper));
    (end + LONGEST_CONTRACTION).max(run + 1)
}
