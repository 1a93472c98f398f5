//! What a text states that another may contradict: numbers and capitalised words.
//!
//! Both are known by keyed hashes, as shingles are: `dedup::keys` says how often two may be taken for one.
#![allow(
    clippy::inline_always,
    reason = "code is compiled for the vectors only where it is inlined into such a function"
)]

use crate::dedup::folded::Folded;
use crate::dedup::keys::Keys;
use crate::dedup::shingle_set::ShingleSet;
use crate::dedup::spans::Spans;
use crate::error::Error;
use crate::interrupt::Pace;
use crate::text::Words;
use crate::vectors::{Vectors, Work, with_widest_vectors};

const WORDS_A_LOOK: usize = 4096;
const WORDS_A_STEP: usize = 8;

/// The facts of a text, each once.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Numbers and capitalised words.
    stated: Vec<u64>,
    /// Numbers and words, capitalised or not.
    held: Vec<u64>,
    sketch: Sketch,
}

/// Which of 1024 bits what is held falls on: most of what is lacking is known to be by a look.
#[derive(Debug, Default)]
struct Sketch([u64; 16]);

impl Sketch {
    fn of(held: &[u64], pace: &Pace<'_>) -> Result<Self, Error> {
        let mut sketch = Self::default();
        for some in held.chunks(WORDS_A_LOOK) {
            pace.advance(some.len() / WORDS_A_STEP)?;
            for &hash in some {
                sketch.0[(hash >> 6 & 15) as usize] |= 1 << (hash & 63);
            }
        }
        Ok(sketch)
    }

    fn may_have(&self, hash: u64) -> bool {
        self.0[(hash >> 6 & 15) as usize] >> (hash & 63) & 1 == 1
    }
}

/// The facts of one text, with a table to find them in: whatever is compared with many others.
#[derive(Debug, Default)]
pub(crate) struct FactSet {
    stated: ShingleSet,
    held: ShingleSet,
}

impl FactSet {
    /// The facts alone.
    pub(crate) fn facts(&self, pace: &Pace<'_>) -> Result<Facts, Error> {
        let (stated, held) = (self.stated.distinct().to_vec(), self.held.distinct().to_vec());
        let sketch = Sketch::of(&held, pace)?;
        Ok(Facts { stated, held, sketch })
    }

    /// Whether each of two texts states something that the other lacks. Linear in both.
    pub(crate) fn contradicts(&self, other: &Facts, pace: &Pace<'_>) -> Result<bool, Error> {
        if self.held.shared(&other.stated, other.stated.len(), pace)?.is_some() {
            return Ok(false);
        }
        let stated = self.stated.distinct();
        pace.advance(stated.len() / WORDS_A_STEP)?;
        if stated.iter().any(|&fact| !other.sketch.may_have(fact)) {
            return Ok(true);
        }
        Ok(self.stated.shared(&other.held, stated.len(), pace)?.is_none())
    }
}

/// Reads the facts of texts, with scratch that serves all of them.
#[derive(Debug)]
pub(crate) struct FactReader {
    keys: Keys,
    folded: Folded,
    spans: Spans,
    stated: Vec<u64>,
    held: Vec<u64>,
}

impl FactReader {
    pub(crate) fn new(keys: Keys) -> Self {
        let folded = Folded::new(false, true);
        Self { keys, folded, spans: Spans::default(), stated: Vec::new(), held: Vec::new() }
    }

    /// The facts of a text in its comparable form. Linear.
    ///
    /// # Errors
    /// [`Error::Interrupted`], [`Error::TooLarge`].
    pub(crate) fn read(&mut self, comparable: &str, into: &mut FactSet, pace: &Pace<'_>) -> Result<(), Error> {
        self.stated.clear();
        self.held.clear();
        with_widest_vectors(Reading { reader: self, text: comparable, pace })?;
        into.stated.fill(&self.stated, pace)?;
        into.held.fill(&self.held, pace)
    }

    #[inline(always)]
    fn read_with<V: Vectors>(&mut self, text: &str, vectors: V, pace: &Pace<'_>) -> Result<(), Error> {
        self.folded.read(text, Words::Alphanumeric, vectors, pace)?;
        let (bytes, planes) = (self.folded.bytes(), self.folded.planes());
        self.spans.read(planes.inside(), vectors, pace)?;
        for some in self.spans.words().chunks(WORDS_A_LOOK) {
            pace.advance(some.len() / WORDS_A_STEP)?;
            for &[start, end] in some {
                let word = self.keys.word(bytes, start as usize, end as usize, pace)?.max(1);
                self.held.push(word);
                if planes.has_capital(start as usize) {
                    self.stated.push(word);
                }
            }
        }
        self.spans.read(planes.numbers(), vectors, pace)?;
        let numbers = Numbers { bytes, runs: self.spans.words() };
        for [start, end] in numbers {
            pace.advance(1)?;
            let digits = self.keys.word(bytes, start, end, pace)?;
            let number = self.keys.number(digits).max(1);
            self.held.push(number);
            self.stated.push(number);
        }
        Ok(())
    }
}

/// One text to be read.
struct Reading<'r, 't> {
    reader: &'r mut FactReader,
    text: &'t str,
    pace: &'r Pace<'r>,
}

impl Work for Reading<'_, '_> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<V: Vectors>(self, vectors: V) -> Self::Output {
        self.reader.read_with(self.text, vectors, self.pace)
    }
}

/// The numbers of a text: maximal runs of number characters, one `.` or `,` between two of them included.
struct Numbers<'t> {
    bytes: &'t [u8],
    runs: &'t [[u32; 2]],
}

impl Iterator for Numbers<'_> {
    type Item = [usize; 2];

    fn next(&mut self) -> Option<[usize; 2]> {
        let (&[start, mut end], mut rest) = self.runs.split_first()?;
        while let Some((&[next, next_end], others)) = rest.split_first() {
            if next != end + 1 || !matches!(self.bytes[end as usize], b'.' | b',') {
                break;
            }
            (end, rest) = (next_end, others);
        }
        self.runs = rest;
        Some([start as usize, end as usize])
    }
}
