//! Which stored texts have a shingle: chains through one arena, so that all of them are dropped at once.
//!
//! A chain may hold other shingles of the same place and tag as well. They cost work and decide nothing: every text that
//! comes out is compared.

use super::counters::place;
use crate::error::Error;
use crate::interrupt::Pace;

/// Entries passed in a step of a pace: chains of one text lie apart in memory.
const ENTRIES_A_STEP: usize = 16;

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The lower half of the hash.
    tag: u32,
    /// The stored text.
    number: u32,
    /// The place of the entry before it, counted from 1; 0 where there is none.
    before: u32,
}

/// An inverted index over stored texts.
#[derive(Debug)]
pub(crate) struct Postings {
    /// The place of the latest entry of each chain, counted from 1; 0 where there is none.
    latest: Vec<u32>,
    entries: Vec<Entry>,
}

impl Postings {
    /// An index of so many chains, one at least.
    pub(crate) fn new(chains: usize) -> Self {
        Self { latest: vec![0; chains.max(1)], entries: Vec::new() }
    }

    pub(crate) fn push(&mut self, hash: u64, number: u32) -> Result<(), Error> {
        let chains = self.latest.len();
        let latest = &mut self.latest[place(hash, chains)];
        self.entries.push(Entry { tag: tag(hash), number, before: *latest });
        *latest = u32::try_from(self.entries.len()).map_err(|_| Error::TooLarge)?;
        Ok(())
    }

    /// Calls `visit` for every stored text that has the shingle, and maybe for others.
    #[inline]
    pub(crate) fn visit(&self, hash: u64, pace: &Pace<'_>, mut visit: impl FnMut(u32)) -> Result<(), Error> {
        let (tag, mut passed) = (tag(hash), ENTRIES_A_STEP - 1);
        let mut next = self.latest[place(hash, self.latest.len())];
        while let Some(at) = next.checked_sub(1) {
            let entry = self.entries[at as usize];
            if entry.tag == tag {
                visit(entry.number);
            }
            next = entry.before;
            passed += 1;
            if passed % (ENTRIES_A_STEP * 64) == 0 {
                pace.advance(64)?;
            }
        }
        pace.advance(passed % (ENTRIES_A_STEP * 64) / ENTRIES_A_STEP)
    }
}

#[allow(clippy::cast_possible_truncation, reason = "the lower half is what is asked for")]
fn tag(hash: u64) -> u32 {
    hash as u32
}

#[cfg(test)]
mod tests {
    use super::Postings;
    use crate::interrupt::{Never, Pace};

    #[test]
    fn every_text_that_has_a_shingle_is_visited() {
        let spread = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for chains in [0, 1, 5, 1000] {
            let mut postings = Postings::new(chains);
            for number in 0..3000 {
                assert_eq!(Ok(()), postings.push(spread(u64::from(number) % 7), number));
            }
            for shingle in 0..8 {
                let mut found = Vec::new();
                assert_eq!(Ok(()), postings.visit(spread(shingle), &Pace::new(&Never), |number| found.push(number)));
                found.reverse();
                assert_eq!((0..3000).filter(|&number| u64::from(number) % 7 == shingle).collect::<Vec<_>>(), found);
            }
        }
    }
}
