//! Where pre-tokens end in a beginning with the rest of a text behind it, read no farther than the rules look.
//!
//! No rule counts the characters of a run, but for numbers: so of a long run of one character only both ends are read.

use std::ops::Range;

use super::kinds::{Kind, Reader, STRETCH};
use super::pretokens::Pattern;
use crate::error::Error;

/// Bytes of the text that are put behind the beginning at first, and bytes at either end of a run that are read.
const READ: usize = 64;

/// How much farther is read when a rule looked beyond.
const WIDER: usize = 4;

/// The longest contraction, which is the farthest that most rules look.
const LONGEST_CONTRACTION: usize = 3;

/// The run of one character that was looked at last.
#[derive(Default)]
pub(crate) struct LastRun(Range<usize>);

impl LastRun {
    /// Where the run of the ASCII character at a place ends; the place itself where none is that may be left out.
    fn end(&mut self, reader: Reader<'_>, at: usize) -> Result<usize, Error> {
        let text = reader.text;
        let Some(&first) = text.get(at).filter(|byte| byte.is_ascii() && !byte.is_ascii_digit()) else {
            return Ok(at);
        };
        let mut end = at;
        while !self.0.contains(&end) && text.get(end) == Some(&first) {
            end += 1;
            if end.is_multiple_of(STRETCH) {
                reader.pace.advance_over(STRETCH)?;
            }
        }
        if self.0.contains(&end) && text[end] == first {
            self.0.start = self.0.start.min(at);
        } else {
            self.0 = at..end;
        }
        Ok(self.0.end)
    }
}

/// A beginning, and the text from a place on. Places count what is left out.
pub(crate) struct Splice<'t> {
    bytes: Vec<u8>,
    /// In `bytes`: where something was left out, and how much.
    gaps: Vec<(usize, usize)>,
    text: Reader<'t>,
    /// How far the text has been read.
    read: usize,
}

impl<'t> Splice<'t> {
    /// A part of the text, what is inserted, and the text from `tail` on.
    ///
    /// # Errors
    /// [`Error::Interrupted`], as below.
    pub(crate) fn new(
        text: Reader<'t>,
        before: Range<usize>,
        inserted: &[u8],
        tail: usize,
        run: &mut LastRun,
    ) -> Result<Self, Error> {
        let bytes = Vec::with_capacity(4 * READ + inserted.len());
        let mut splice = Self { bytes, gaps: Vec::new(), text, read: tail };
        splice.put(before, run)?;
        splice.bytes.extend_from_slice(inserted);
        splice.read_on(READ, run)?;
        Ok(splice)
    }

    /// Bytes that have been put together.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Where the pre-token ends that begins at a place.
    pub(crate) fn end<P: Pattern>(&mut self, at: usize, run: &mut LastRun) -> Result<usize, Error> {
        let at = self.place(at);
        loop {
            let reader = Reader { text: &self.bytes, pace: self.text.pace };
            let end = P::end(reader, at)?;
            if self.read == self.text.text.len() || how_far_it_looked(reader, end)? <= self.bytes.len() {
                return Ok(end + self.gaps.iter().filter(|gap| gap.0 < end).map(|gap| gap.1).sum::<usize>());
            }
            self.read_on(self.bytes.len().saturating_mul(WIDER), run)?;
        }
    }

    /// The bytes of a pre-token in which nothing was left out.
    pub(crate) fn part(&self, start: usize, end: usize) -> &[u8] {
        &self.bytes[self.place(start)..self.place(end)]
    }

    /// Where that is in `bytes`.
    fn place(&self, at: usize) -> usize {
        self.gaps.iter().fold(at, |place, gap| if gap.0 < place { place - gap.1 } else { place })
    }

    fn read_on(&mut self, bytes: usize, run: &mut LastRun) -> Result<(), Error> {
        let (start, text) = (self.read, self.text.text);
        let mut end = start.saturating_add(bytes);
        if bytes > READ {
            end = end.max(run.end(self.text, start)?);
        }
        while text.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) {
            end += 1;
        }
        self.read = text.len().min(end);
        self.put(start..self.read, run)
    }

    /// Puts a part of the text behind what there is.
    fn put(&mut self, part: Range<usize>, run: &mut LastRun) -> Result<(), Error> {
        let (mut start, text) = (part.start, self.text.text);
        if part.len() > 4 * READ {
            // A run may begin behind what leads it.
            let end = run.end(self.text, start + READ)?.min(part.end);
            if end > start + 3 * READ {
                self.bytes.extend_from_slice(&text[start..start + 2 * READ]);
                self.gaps.push((self.bytes.len(), end - READ - (start + 2 * READ)));
                start = end - READ;
            }
        }
        self.bytes.extend_from_slice(&text[start..part.end]);
        Ok(())
    }
}

/// Where the pre-token of a text ends that begins at a place.
///
/// # Errors
/// [`Error::Interrupted`].
pub(crate) fn pretoken_end<P: Pattern>(text: Reader<'_>, at: usize, run: &mut LastRun) -> Result<usize, Error> {
    let first = text.text.get(at + READ..at + 2 * READ);
    if first.is_some_and(|bytes| bytes.iter().all(|&byte| byte == bytes[0])) {
        return Ok(at + Splice::new(text, 0..0, &[], at, run)?.end::<P>(0, run)?);
    }
    Ok(P::end(text, at)?)
}

/// What a pre-token that ends there depends on: nothing from there on.
///
/// Beyond its end a rule looks for a contraction, for what ends a run of white space, and for the small letter behind a
/// run of capitals; every other rule looks at one character.
///
/// # Errors
/// [`Error::Interrupted`].
pub(crate) fn how_far_it_looked(text: Reader<'_>, end: usize) -> Result<usize, Error> {
    let run = text.skip(end, Kind::is_space)?.max(text.skip(end, |kind| kind == Kind::Upper)?);
    Ok((end + LONGEST_CONTRACTION).max(run + 1))
}
