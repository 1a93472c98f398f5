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

/// More places would stay empty, and the product of a half with so many fits into 64 bits.
const MOST: usize = u32::MAX as usize;

/// So few places stay in a cache that is quick enough not to be asked before.
const CACHED: usize = 1 << 18;

/// From so many places on shingles wait for others that fall near them: a table that is larger than the caches is too
/// slow to be written all over, first of all where its pages are looked up.
const MANY: usize = 1 << 25;
/// Regions of such a table, by the uppermost bits of a hash, and places for each shingle that may wait: enough wait to
/// fill some lines of their region several times.
const REGION_BITS: u32 = 8;
const PLACES_A_WAITING: usize = 16;

/// A count for each place; a shingle's place goes by the upper half of its hash.
#[derive(Debug)]
pub(crate) struct Counters {
    counts: Vec<u8>,
    /// The halves that are not counted yet, region by region; no region where the table is small.
    waiting: Vec<Vec<u32>>,
    /// How many may wait in a region.
    most_waiting: usize,
}

impl Counters {
    /// So many places, one at least, and no more than there are upper halves.
    pub(crate) fn new(places: usize) -> Self {
        let places = places.min(MOST);
        let regions = if places < MANY { 0 } else { 1 << REGION_BITS };
        let most_waiting = (places / PLACES_A_WAITING) >> REGION_BITS;
        let waiting = (0..regions).map(|_| Vec::with_capacity(most_waiting)).collect();
        Self { counts: vec![0; places.max(1)], waiting, most_waiting }
    }

    /// Counts each shingle, at the latest when [`Counters::finish`] is called.
    pub(crate) fn add(&mut self, hashes: &[u64], pace: &Pace<'_>) -> Result<(), Error> {
        if self.waiting.is_empty() {
            return self.count(hashes, half, pace);
        }
        for some in hashes.chunks(AT_ONCE) {
            pace.advance(some.len().div_ceil(SHINGLES_A_STEP))?;
            for half in some.iter().map(|&hash| half(hash)) {
                let region = (half >> (u32::BITS - REGION_BITS)) as usize;
                self.waiting[region].push(half);
                if self.waiting[region].len() >= self.most_waiting {
                    self.count_region(region, pace)?;
                }
            }
        }
        Ok(())
    }

    /// Counts what waits: before this, counts may be too low.
    pub(crate) fn finish(&mut self, pace: &Pace<'_>) -> Result<(), Error> {
        for region in 0..self.waiting.len() {
            self.count_region(region, pace)?;
        }
        self.waiting = Vec::new();
        Ok(())
    }

    fn count_region(&mut self, region: usize, pace: &Pace<'_>) -> Result<(), Error> {
        let mut halves = std::mem::take(&mut self.waiting[region]);
        self.count(&halves, |half| half, pace)?;
        halves.clear();
        self.waiting[region] = halves;
        Ok(())
    }

    #[inline]
    fn count<H: Copy>(&mut self, hashes: &[H], half: impl Fn(H) -> u32 + Copy, pace: &Pace<'_>) -> Result<(), Error> {
        let places = self.counts.len();
        for some in hashes.chunks(AT_ONCE) {
            pace.advance(some.len().div_ceil(SHINGLES_A_STEP))?;
            self.fetch(some, half);
            for &hash in some {
                let count = &mut self.counts[spot(half(hash), places)];
                *count = count.saturating_add(1);
            }
        }
        Ok(())
    }

    pub(crate) fn of(&self, hash: u64) -> u8 {
        self.of_half(half(hash))
    }

    fn of_half(&self, half: u32) -> u8 {
        self.counts[spot(half, self.counts.len())]
    }

    /// How many of the shingles are in no other text, nor twice in this one: all of them, or `enough` at least.
    pub(crate) fn unique(&self, hashes: &[u64], enough: usize, pace: &Pace<'_>) -> Result<usize, Error> {
        self.unique_by(hashes, half, enough, pace)
    }

    /// The same of shingles of which there is the upper half of the hash.
    pub(crate) fn unique_halves(&self, halves: &[u32], enough: usize, pace: &Pace<'_>) -> Result<usize, Error> {
        self.unique_by(halves, |half| half, enough, pace)
    }

    #[inline]
    fn unique_by<H: Copy>(
        &self,
        hashes: &[H],
        half: impl Fn(H) -> u32 + Copy,
        enough: usize,
        pace: &Pace<'_>,
    ) -> Result<usize, Error> {
        let mut unique = 0;
        for some in hashes.chunks(AT_ONCE) {
            pace.advance(some.len().div_ceil(SHINGLES_A_STEP))?;
            self.fetch(some, half);
            unique += some.iter().filter(|&&hash| self.of_half(half(hash)) == 1).count();
            if unique >= enough {
                break;
            }
        }
        Ok(unique)
    }

    /// Fetches the places of some shingles at once: they lie all over a table that is larger than the caches.
    #[inline]
    fn fetch<H: Copy>(&self, some: &[H], half: impl Fn(H) -> u32) {
        if self.counts.len() <= CACHED {
            return;
        }
        for &hash in some {
            prefetch(&self.counts[spot(half(hash), self.counts.len())]);
        }
    }
}

/// The upper half of a hash, which its counter goes by.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the half is what is asked for")]
pub(crate) fn half(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// The place of a counter, below `places`; it ascends with hashes.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the upper half of the product is below `places`")]
fn spot(half: u32, places: usize) -> usize {
    (u64::from(half).wrapping_mul(places as u64) >> 32) as usize
}

/// A place below `places` for a hash; places ascend with hashes.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the upper half of the product is below `places`")]
pub(crate) fn place(hash: u64, places: usize) -> usize {
    ((u128::from(hash) * places as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::{Counters, MANY};
    use crate::interrupt::{Never, Pace};

    #[test]
    fn counts_are_never_too_low_and_stop_at_the_most() {
        let pace = Pace::new(&Never);
        let spread = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for places in [1, 7, 100, 5000, MANY - 1, MANY] {
            let mut counters = Counters::new(places);
            for number in 0..400 {
                let repeated = vec![spread(number); usize::try_from(number).unwrap_or(0)];
                assert_eq!(Ok(()), counters.add(&repeated, &pace));
            }
            assert_eq!(Ok(()), counters.finish(&pace));
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
