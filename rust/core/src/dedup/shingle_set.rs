//! The set of a text's shingles: the distinct ones in a row, and a table that finds them.

use super::counters::place;
use crate::error::Error;
use crate::interrupt::Pace;

/// Places for each shingle at least: most of few shingles are found at the first place that is looked at, and of many
/// the room counts more.
const ROOM: usize = 4;
const ROOM_OF_MANY: usize = 2;
const MANY: usize = 4096;

const AT_ONCE: usize = 256;
const SHINGLES_A_STEP: usize = 16;

/// Distinct shingles, none of them 0. Filled anew for each text, so that its memory serves all.
#[derive(Debug, Default)]
pub(crate) struct ShingleSet {
    distinct: Vec<u64>,
    /// Linear probing from the place of a hash; 0 where there is nothing. The first `places` are in use.
    table: Vec<u64>,
    places: usize,
}

impl ShingleSet {
    /// Takes other shingles, of which some may be repeated. Linear.
    pub(crate) fn fill(&mut self, hashes: &[u64], pace: &Pace<'_>) -> Result<(), Error> {
        let room = if hashes.len() < MANY { ROOM } else { ROOM_OF_MANY };
        self.places = (room * hashes.len()).next_power_of_two();
        pace.advance(self.places / AT_ONCE)?;
        if self.table.len() < self.places {
            self.table = vec![0; self.places];
        } else {
            self.table[..self.places].fill(0);
        }
        self.distinct.clear();
        self.distinct.reserve(hashes.len());
        for some in hashes.chunks(AT_ONCE) {
            pace.advance(1 + some.len() / SHINGLES_A_STEP)?;
            for &hash in some {
                self.insert(hash);
            }
        }
        Ok(())
    }

    #[inline]
    fn insert(&mut self, hash: u64) {
        let (at, found) = self.find(hash);
        if found != hash {
            self.table[at] = hash;
            self.distinct.push(hash);
        }
    }

    /// Where a hash is or would be, and what is there.
    #[inline]
    fn find(&self, hash: u64) -> (usize, u64) {
        let table = &self.table[..self.places];
        let mut at = place(hash, table.len());
        loop {
            let found = table[at];
            if found == hash || found == 0 {
                return (at, found);
            }
            at = (at + 1) & (table.len() - 1);
        }
    }

    /// The distinct shingles, in the order of the text.
    pub(crate) fn distinct(&self) -> &[u64] {
        &self.distinct
    }

    /// How many of the distinct shingles `others` are here, or `None` as soon as they cannot be `needed`.
    pub(crate) fn shared(&self, others: &[u64], needed: usize, pace: &Pace<'_>) -> Result<Option<usize>, Error> {
        let Some(mut misses) = others.len().checked_sub(needed) else { return Ok(None) };
        for some in others.chunks(AT_ONCE) {
            let mut steps = SHINGLES_A_STEP;
            for &hash in some {
                steps += 1;
                if self.find(hash).1 != hash {
                    let Some(left) = misses.checked_sub(1) else {
                        pace.advance(steps / SHINGLES_A_STEP)?;
                        return Ok(None);
                    };
                    misses = left;
                }
            }
            pace.advance(steps / SHINGLES_A_STEP)?;
        }
        Ok(Some(needed + misses))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::ShingleSet;
    use crate::interrupt::{Never, Pace};

    proptest! {
        #[test]
        fn what_is_shared_is_counted_unless_it_is_too_little(
            one in prop::collection::vec(1_u64..40, 1..90), other in prop::collection::btree_set(1_u64..60, 1..50),
            needed in 0_usize..60, scattered in any::<bool>(),
        ) {
            let spread = |number: &u64| if scattered { number.wrapping_mul(0x9E37_79B9_7F4A_7C15) } else { u64::MAX - number };
            let (one, other): (Vec<u64>, Vec<u64>) = (one.iter().map(spread).collect(), other.iter().map(spread).collect());
            let pace = Pace::new(&Never);
            let mut set = ShingleSet::default();
            prop_assert_eq!(Ok(()), set.fill(&[7; 200], &pace));
            prop_assert_eq!(Ok(()), set.fill(&one, &pace));

            let (left, right): (BTreeSet<_>, BTreeSet<_>) = (one.iter().collect(), other.iter().collect());
            let shared = left.intersection(&right).count();
            prop_assert_eq!(left.len(), set.distinct().len());
            prop_assert_eq!(Ok((shared >= needed).then_some(shared)), set.shared(&other, needed, &pace));
        }
    }
}
