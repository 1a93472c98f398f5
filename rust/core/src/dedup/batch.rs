//! The text pass over many texts, on as many threads as a call may use.

use super::Options;
use super::keys::Keys;
use super::reader::Reader;
use crate::error::Error;
use crate::interrupt::{Interrupt, Pace};
use crate::parallel::map_rows;

/// Texts whose hashes lie together: few enough to share among threads, and many enough for one allocation.
const TEXTS_A_BATCH: usize = 32;

/// Bytes of text a shingle, as a guess at the room that they take.
pub(crate) const BYTES_A_SHINGLE: usize = 6;

/// The texts of a call and how they are read.
pub(crate) struct Corpus<'t, S> {
    pub(crate) texts: &'t [S],
    pub(crate) options: &'t Options,
    pub(crate) keys: Keys,
}

/// The hashes of some texts.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    hashes: Vec<u64>,
    texts: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    position: usize,
    content: u128,
    end: usize,
}

/// One text of a batch: its position, its content hash, and the hashes of its shingles.
pub(crate) struct Text<'b> {
    pub(crate) position: usize,
    pub(crate) content: u128,
    pub(crate) hashes: &'b [u64],
}

impl Batch {
    pub(crate) fn texts(&self) -> impl Iterator<Item = Text<'_>> {
        let starts = std::iter::once(0).chain(self.texts.iter().map(|text| text.end));
        self.texts.iter().zip(starts).map(|(&Entry { position, content, end }, start)| Text {
            position,
            content,
            hashes: &self.hashes[start..end],
        })
    }
}

impl<S: AsRef<str> + Sync> Corpus<'_, S> {
    pub(crate) fn text(&self, position: usize) -> &str {
        self.texts[position].as_ref()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.texts.iter().map(|text| text.as_ref().len()).sum()
    }

    /// Reads the texts at `positions`, in that order: the same with any number of threads.
    pub(crate) fn read(&self, positions: &[u32], interrupt: &dyn Interrupt) -> Result<Vec<Batch>, Error> {
        let bytes = positions.iter().map(|&position| self.text(position as usize).len()).sum();
        let rows: Vec<&[u32]> = positions.chunks(TEXTS_A_BATCH).collect();
        map_rows(&rows, bytes, interrupt, |row, interrupt| {
            interrupt.check()?;
            self.read_batch(row, &Pace::new(interrupt))
        })
    }

    fn read_batch(&self, positions: &[u32], pace: &Pace<'_>) -> Result<Batch, Error> {
        let mut reader = Reader::new(self.options, self.keys);
        let mut batch = Batch { hashes: Vec::new(), texts: Vec::with_capacity(positions.len()) };
        let bytes: usize = positions.iter().map(|&position| self.text(position as usize).len()).sum();
        batch.hashes.reserve(bytes / BYTES_A_SHINGLE);
        for position in positions.iter().map(|&position| position as usize) {
            let content = reader.read(self.text(position), &mut batch.hashes, pace)?;
            batch.texts.push(Entry { position, content, end: batch.hashes.len() });
        }
        Ok(batch)
    }
}
