//! The shingles that a later text will be looked up by where containment counts: a kept text stores those and no others.
//!
//! Whatever a text repeats by containment has one of the shingles of its prefix (see `judge`), so all prefixes together
//! are all that will be asked for. Most texts have enough unique shingles to repeat nothing, and ask for none.

use super::bounds::Bounds;
use super::counters::{Counters, place};
use super::rarest::{Ranked, hash_of, keep_rarest, rank_common};
use super::shingle_set::ShingleSet;
use crate::error::Error;
use crate::interrupt::Pace;
use crate::prefetch::prefetch;

/// Bits for each shingle: one in some hundred is set where a fifth of the texts are copies.
const BITS_A_SHINGLE: usize = 8;

const WORD: usize = 64;

/// As many as a processor fetches at once, about.
const AT_ONCE: usize = 32;
const SHINGLES_A_STEP: usize = 16;

/// A set of shingles that may have more than were added, never fewer.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    bits: Vec<u64>,
    own: ShingleSet,
    ranked: Vec<Ranked>,
}

impl Wanted {
    /// Room for what texts of so many shingles together ask for.
    pub(crate) fn new(shingles: usize) -> Self {
        Self { bits: vec![0; shingles * BITS_A_SHINGLE / WORD + 1], ..Self::default() }
    }

    /// Adds the prefix of a text with regard to containment. Linear.
    pub(crate) fn add_prefix(
        &mut self,
        hashes: &[u64],
        bounds: &Bounds,
        counters: &Counters,
        pace: &Pace<'_>,
    ) -> Result<(), Error> {
        let enough = bounds.containment_prefix(hashes.len());
        let unique = counters.unique(hashes, enough, pace)?;
        if unique >= enough {
            return Ok(());
        }
        self.own.fill(hashes, pace)?;
        rank_common(self.own.distinct(), counters, &mut self.ranked, pace)?;
        let prefix = bounds.containment_prefix(self.own.distinct().len());
        keep_rarest(&mut self.ranked, prefix.saturating_sub(unique), pace)?;
        for &ranked in &self.ranked {
            let (word, bit) = self.place(hash_of(ranked));
            self.bits[word] |= 1 << bit;
        }
        Ok(())
    }

    /// Whether one of a text's shingles is wanted and may be in another text.
    pub(crate) fn has_any(&self, hashes: &[u64], counters: &Counters, pace: &Pace<'_>) -> Result<bool, Error> {
        for some in hashes.chunks(AT_ONCE) {
            pace.advance(some.len().div_ceil(SHINGLES_A_STEP))?;
            for &hash in some {
                prefetch(&self.bits[self.place(hash).0]);
            }
            if some.iter().any(|&hash| self.has(hash) && counters.of(hash) > 1) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a shingle was added, or has the place of one that was.
    #[inline]
    pub(crate) fn has(&self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        self.bits[word] >> bit & 1 == 1
    }

    /// By other bits of the hash than a counter's place, so that what shares one seldom shares the other.
    #[inline]
    fn place(&self, hash: u64) -> (usize, usize) {
        let bit = place(hash.rotate_left(32), self.bits.len() * WORD);
        (bit / WORD, bit % WORD)
    }
}

#[cfg(test)]
mod tests {
    use super::Wanted;
    use crate::dedup::bounds::Bounds;
    use crate::dedup::counters::Counters;
    use crate::error::Error;
    use crate::interrupt::{Never, Pace};

    #[test]
    fn a_text_asks_for_as_many_shingles_as_may_be_lacking_and_one_more() -> Result<(), Error> {
        let pace = Pace::new(&Never);
        let hashes: Vec<u64> = (1..=100_u64).map(|number| number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        for (unique, expected) in [(0, 21), (15, 6), (20, 1), (21, 0), (100, 0)] {
            let mut counters = Counters::new(1 << 20);
            counters.add(&hashes, &pace)?;
            counters.add(&hashes[unique..], &pace)?;
            let mut wanted = Wanted::new(1 << 20);

            wanted.add_prefix(&hashes, &Bounds::new(0.5, Some(0.8)), &counters, &pace)?;

            assert_eq!(expected, hashes.iter().filter(|&&hash| wanted.has(hash)).count());
        }
        Ok(())
    }
}
