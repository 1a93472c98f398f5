//! The kept texts that others may repeat, in order, and what a comparison with one of them needs.

use super::batch::Corpus;
use super::bitmap::Bitmap;
use super::reader::Reader;
use super::shingle_set::ShingleSet;
use crate::error::Error;
use crate::interrupt::Pace;

/// Texts of more shingles have a set of their own: a short text is compared with them in the time of the short one.
const LONG: usize = 4096;

/// Shingles in a segment of the shelf: so that it grows without being copied.
const SEGMENT: usize = 1 << 17;

/// Where the distinct shingles of a text are.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Nowhere: they are read again when they are needed first.
    Absent,
    Shelf {
        segment: u32,
        start: u32,
    },
    Long(u32),
}

/// Kept texts, by number.
#[derive(Default)]
pub(crate) struct Kept {
    positions: Vec<u32>,
    sizes: Vec<u32>,
    bitmaps: Vec<Bitmap>,
    places: Vec<Place>,
    segments: Vec<Vec<u64>>,
    long: Vec<ShingleSet>,
    scratch: (Vec<u64>, ShingleSet),
}

impl Kept {
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    pub(crate) fn position(&self, number: u32) -> usize {
        self.positions[number as usize] as usize
    }

    /// How many distinct shingles a text has.
    pub(crate) fn size(&self, number: u32) -> usize {
        self.sizes[number as usize] as usize
    }

    pub(crate) fn bitmap(&self, number: u32) -> &Bitmap {
        &self.bitmaps[number as usize]
    }

    /// Adds a text, with or without its shingles. Returns its number.
    pub(crate) fn add(
        &mut self,
        position: usize,
        own: &ShingleSet,
        bitmap: Bitmap,
        with_shingles: bool,
        pace: &Pace<'_>,
    ) -> Result<u32, Error> {
        let number = to_u32(self.positions.len())?;
        self.positions.push(to_u32(position)?);
        self.sizes.push(to_u32(own.distinct().len())?);
        self.bitmaps.push(bitmap);
        let stored = if with_shingles { self.store(own.distinct(), pace)? } else { Place::Absent };
        self.places.push(stored);
        Ok(number)
    }

    fn store(&mut self, distinct: &[u64], pace: &Pace<'_>) -> Result<Place, Error> {
        if distinct.len() > LONG {
            let mut set = ShingleSet::default();
            set.fill(distinct, pace)?;
            self.long.push(set);
            return Ok(Place::Long(to_u32(self.long.len() - 1)?));
        }
        if self.segments.last().is_none_or(|segment| segment.len() + distinct.len() > SEGMENT) {
            self.segments.push(Vec::with_capacity(if self.segments.is_empty() { 0 } else { SEGMENT }));
        }
        let segment = to_u32(self.segments.len() - 1)?;
        let row = &mut self.segments[segment as usize];
        let start = to_u32(row.len())?;
        row.extend_from_slice(distinct);
        Ok(Place::Shelf { segment, start })
    }

    /// How many shingles a text shares with a kept one, or `None` where they are fewer than `needed`.
    pub(crate) fn shared<S: AsRef<str> + Sync>(
        &mut self,
        number: u32,
        own: &ShingleSet,
        needed: usize,
        (corpus, reader): (&Corpus<'_, S>, &mut Reader<'_>),
        pace: &Pace<'_>,
    ) -> Result<Option<usize>, Error> {
        if matches!(self.places[number as usize], Place::Absent) {
            let (mut hashes, mut set) = std::mem::take(&mut self.scratch);
            hashes.clear();
            reader.read(corpus.text(self.position(number)), &mut hashes, pace)?;
            set.fill(&hashes, pace)?;
            self.places[number as usize] = self.store(set.distinct(), pace)?;
            self.scratch = (hashes, set);
        }
        match self.places[number as usize] {
            Place::Absent => Ok(None),
            Place::Long(at) => self.long[at as usize].shared(own.distinct(), needed, pace),
            Place::Shelf { segment, start } => {
                let row = &self.segments[segment as usize][start as usize..];
                own.shared(&row[..self.size(number)], needed, pace)
            }
        }
    }
}

fn to_u32(number: usize) -> Result<u32, Error> {
    u32::try_from(number).map_err(|_| Error::TooLarge)
}
