//! The passes over all texts: with their hashes kept between them, or worked out again in each.

use super::Mode;
use super::batch::{BYTES_A_SHINGLE, Batch, Corpus, Text};
use super::bounds::Bounds;
use super::counters::Counters;
use super::originals::Originals;
use super::samples::Samples;
use super::wanted::Wanted;
use crate::error::Error;
use crate::interrupt::{Interrupt, Pace};
use crate::prefetch::prefetch;

/// Texts read at once where their hashes are not kept, and bytes of text, if that are more texts than one.
const TEXTS_A_BLOCK: usize = 1024;
const BYTES_A_BLOCK: usize = 8 << 20;

/// Hashes in a line of a cache, and how many of the next text are fetched.
const HASHES_A_LINE: usize = 8;
const FETCHED_AHEAD: usize = 256;

/// What the first pass finds out.
pub(crate) struct Counted {
    pub(crate) originals: Originals,
    counters: Counters,
    /// The shingles that the counters were made for.
    pub(crate) shingles: usize,
    /// The hashes of all texts, where they are kept.
    batches: Option<Vec<Batch>>,
    /// The originals that have to be read again, where hashes are not kept.
    unsettled: Vec<u32>,
}

impl Counted {
    /// Reads all texts and keeps their hashes; then there are exactly as many counters as they ask for.
    pub(crate) fn keeping_hashes<S: AsRef<str> + Sync>(
        corpus: &Corpus<'_, S>,
        bounds: &Bounds,
        interrupt: &dyn Interrupt,
    ) -> Result<Self, Error> {
        let pace = Pace::new(interrupt);
        let batches = corpus.read(&positions(corpus)?, interrupt)?;
        let mut originals = Originals::new(corpus.texts.len());
        let mut shingles = 0;
        for text in batches.iter().flat_map(Batch::texts) {
            pace.advance(1)?;
            shingles += if originals.add(text.content)? { text.hashes.len() } else { 0 };
        }
        let mut counters = Counters::new(shingles * places_a_shingle(bounds, Mode::Fast));
        for batch in &batches {
            pace.advance(1)?;
            visit_ahead(originals_of(batch, &originals), |text| counters.add(text.hashes, &pace))?;
        }
        counters.finish(&pace)?;
        Ok(Self { originals, counters, shingles, batches: Some(batches), unsettled: Vec::new() })
    }

    /// Reads all texts block by block and counts their shingles, of which no more is kept than what may settle them.
    pub(crate) fn in_low_memory<S: AsRef<str> + Sync>(
        corpus: &Corpus<'_, S>,
        bounds: &Bounds,
        interrupt: &dyn Interrupt,
    ) -> Result<Self, Error> {
        let pace = Pace::new(interrupt);
        let shingles = corpus.bytes() / BYTES_A_SHINGLE;
        let mut originals = Originals::new(corpus.texts.len());
        let mut counters = Counters::new(shingles * places_a_shingle(bounds, Mode::LowMemory));
        let positions = positions(corpus)?;
        // Where containment counts, kept texts are stored by all of their shingles.
        let mut samples = (!bounds.has_containment()).then(Samples::default);
        for block in blocks(corpus, &positions) {
            for text in corpus.read(block, interrupt)?.iter().flat_map(Batch::texts) {
                if originals.add(text.content)? {
                    counters.add(text.hashes, &pace)?;
                    if let Some(samples) = &mut samples {
                        samples.add(text.hashes, bounds);
                    }
                }
            }
        }
        counters.finish(&pace)?;
        let unsettled = match samples {
            Some(samples) => samples.unsettled(originals.positions(), &counters, &pace)?,
            None => originals.positions().to_vec(),
        };
        Ok(Self { originals, counters, shingles, batches: None, unsettled })
    }

    /// What texts will be looked up by where containment counts.
    pub(crate) fn wanted<S: AsRef<str> + Sync>(
        &self,
        corpus: &Corpus<'_, S>,
        bounds: &Bounds,
        interrupt: &dyn Interrupt,
    ) -> Result<Option<Wanted>, Error> {
        if !bounds.has_containment() || bounds.hold_always() {
            return Ok(None);
        }
        let pace = Pace::new(interrupt);
        let mut wanted = Wanted::new(self.shingles);
        let mut add = |text: &Text<'_>| wanted.add_prefix(text.hashes, bounds, &self.counters, &pace);
        match &self.batches {
            Some(batches) => {
                for batch in batches {
                    pace.advance(1)?;
                    originals_of(batch, &self.originals).try_for_each(|text| add(&text))?;
                }
            }
            None => read_again(corpus, self.originals.positions(), interrupt, add)?,
        }
        Ok(Some(wanted))
    }

    /// Hands over the counters.
    pub(crate) fn take_counters(&mut self) -> Counters {
        std::mem::replace(&mut self.counters, Counters::new(0))
    }

    /// The originals in order, but for those that are settled. Kept hashes are freed on the way, so that nothing takes long at the end.
    pub(crate) fn visit_originals<S: AsRef<str> + Sync>(
        &mut self,
        corpus: &Corpus<'_, S>,
        interrupt: &dyn Interrupt,
        mut visit: impl FnMut(&Text<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some(batches) = self.batches.take() else {
            return read_again(corpus, &self.unsettled, interrupt, visit);
        };
        let pace = Pace::new(interrupt);
        for batch in batches {
            pace.advance(1)?;
            visit_ahead(originals_of(&batch, &self.originals), &mut visit)?;
        }
        Ok(())
    }
}

/// Visits texts while the hashes of the next one are fetched: by now they have left the caches.
fn visit_ahead<'b>(
    texts: impl Iterator<Item = Text<'b>>,
    mut visit: impl FnMut(&Text<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut texts = texts.peekable();
    while let Some(text) = texts.next() {
        if let Some(next) = texts.peek() {
            next.hashes.iter().take(FETCHED_AHEAD).step_by(HASHES_A_LINE).for_each(prefetch);
        }
        visit(&text)?;
    }
    Ok(())
}

fn read_again<S: AsRef<str> + Sync>(
    corpus: &Corpus<'_, S>,
    positions: &[u32],
    interrupt: &dyn Interrupt,
    mut visit: impl FnMut(&Text<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    for block in blocks(corpus, positions) {
        for batch in corpus.read(block, interrupt)? {
            batch.texts().try_for_each(|text| visit(&text))?;
        }
    }
    Ok(())
}

/// The positions in blocks that are read at once.
fn blocks<'p, S: AsRef<str>>(corpus: &'p Corpus<'_, S>, positions: &'p [u32]) -> impl Iterator<Item = &'p [u32]> {
    let mut rest = positions;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fits = |&&position: &&u32| {
            bytes += corpus.texts[position as usize].as_ref().len();
            bytes <= BYTES_A_BLOCK
        };
        let count = rest.iter().take(TEXTS_A_BLOCK).take_while(fits).count().max(1);
        let (block, behind) = rest.split_at_checked(count)?;
        rest = behind;
        Some(block)
    })
}

fn originals_of<'b>(batch: &'b Batch, originals: &'b Originals) -> impl Iterator<Item = Text<'b>> {
    batch.texts().filter(|text| originals.of(text.position) == text.position)
}

fn positions<S>(corpus: &Corpus<'_, S>) -> Result<Vec<u32>, Error> {
    let count = u32::try_from(corpus.texts.len()).map_err(|_| Error::TooLarge)?;
    Ok((0..count).collect())
}

/// Of shingles that no other text has, a share of e^(-1 / places) is alone on its place: 37, 61, 72 or 78 %. A text whose
/// share of those is above the slack is kept at once.
fn places_a_shingle(bounds: &Bounds, mode: Mode) -> usize {
    match (bounds.slack(), mode) {
        (..0.25, Mode::Fast) => 1,
        (..=0.5, Mode::LowMemory) => 2,
        (0.25..=0.5, Mode::Fast) => 3,
        _ => 4,
    }
}
