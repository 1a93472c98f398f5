//! How many shingles fall on a place: 1 where a shingle is the only one there, and so in one text only.
//!
//! A count is never below that of a shingle's own occurrences, up to 255: other shingles may share its place, which
//! costs work and decides nothing. It depends on the shingle alone, so that an order by counts is one for all texts.

use crate::error::Error;
use crate::interrupt::Pace;
use crate::prefetch::prefetch;

/// As many as a processor fetches at once, about.
const AT_ONCE: usize = 32;
const SHINGLES_A_STEP: usize = 16;

/// A count for each place; a shingle's place goes by the upper bits of its hash.
#[derive(Debug)]
pub(crate) struct Counters {
    counts: Vec<u8>,
}

impl Counters {
    /// So many places, one at least.
    pub(crate) fn new(places: usize) -> Self {
        Self { counts: vec![0; places.max(1)] }
    }

    /// Counts each shingle.
    pub(crate) fn add(&mut self, hashes: &[u64], pace: &Pace<'_>) -> Result<(), Error> {
        let places = self.counts.len();
        for some in hashes.chunks(AT_ONCE) {
            pace.advance(some.len().div_ceil(SHINGLES_A_STEP))?;
            self.fetch(some);
            for &hash in some {
                let count = &mut self.counts[place(hash, places)];
                *count = count.saturating_add(1);
            }
        }
        Ok(())
    }

    pub(crate) fn of(&self, hash: u64) -> u8 {
        self.counts[place(hash, self.counts.len())]
    }

    /// How many of the shingles are in no other text, nor twice in this one: all of them, or `enough` at least.
    pub(crate) fn unique(&self, hashes: &[u64], enough: usize, pace: &Pace<'_>) -> Result<usize, Error> {
        let mut unique = 0;
        for some in hashes.chunks(AT_ONCE) {
            pace.advance(some.len().div_ceil(SHINGLES_A_STEP))?;
            self.fetch(some);
            unique += some.iter().filter(|&&hash| self.of(hash) == 1).count();
            if unique >= enough {
                break;
            }
        }
        Ok(unique)
    }

    /// Fetches the places of some shingles at once: they lie all over a table that is larger than the caches.
    #[inline]
    fn fetch(&self, some: &[u64]) {
        for &hash in some {
            prefetch(&self.counts[place(hash, self.counts.len())]);
        }
    }
}

/// A place below `places` for a hash; places ascend with hashes.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the upper half of the product is below `places`")]
pub(crate) fn place(hash: u64, places: usize) -> usize {
    ((u128::from(hash) * places as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::Counters;
    use crate::interrupt::{Never, Pace};

    #[test]
    fn counts_are_never_too_low_and_stop_at_the_most() {
        let pace = Pace::new(&Never);
        let spread = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for places in [1, 7, 100, 5000] {
            let mut counters = Counters::new(places);
            for number in 0..400 {
                let repeated = vec![spread(number); usize::try_from(number).unwrap_or(0)];
                assert_eq!(Ok(()), counters.add(&repeated, &pace));
            }
            for number in 0..400 {
                let count = counters.of(spread(number));
                assert!(u64::from(count) >= number.min(255));
            }
        }
    }

    #[test]
    fn what_is_alone_on_its_place_is_unique() {
        let pace = Pace::new(&Never);
        let mut counters = Counters::new(4);
        let quarter = 1 << 62;

        assert_eq!(Ok(()), counters.add(&[0, quarter, quarter, 2 * quarter, 3 * quarter, u64::MAX], &pace));

        assert_eq!(Ok(2), counters.unique(&[0, quarter, 2 * quarter, 3 * quarter], 4, &pace));
        assert_eq!(Ok(32), counters.unique(&[0; 100], 3, &pace));
    }
}
