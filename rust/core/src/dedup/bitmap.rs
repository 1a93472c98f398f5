//! A bitmap of a set of shingles: 512 bits, each the parity of how many of them fall on it.
//!
//! Where two sets share a shingle, it changes the same bit of both. So the bits in which they differ are no more than
//! the shingles that only one of them has, which is what tells most pairs apart without a look at the shingles.

use crate::error::Error;
use crate::interrupt::Pace;

const WORDS: usize = 8;
const SHINGLES_A_LOOK: usize = 4096;
const SHINGLES_A_STEP: usize = 64;

/// Parities, by nine bits of the hash that neither places nor tags go by first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bitmap([u64; WORDS]);

impl Bitmap {
    pub(crate) fn of(distinct: &[u64], pace: &Pace<'_>) -> Result<Self, Error> {
        let mut words = [0; WORDS];
        for some in distinct.chunks(SHINGLES_A_LOOK) {
            pace.advance(some.len() / SHINGLES_A_STEP)?;
            for &hash in some {
                words[(hash >> 6 & 7) as usize] ^= 1 << (hash & 63);
            }
        }
        Ok(Self(words))
    }

    /// The least number of shingles that only one of two sets has.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "compiled with the loop over candidates, for its bit instructions")]
    pub(crate) fn difference(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).map(|(one, other)| (one ^ other).count_ones() as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::Bitmap;
    use crate::interrupt::{Never, Pace};

    proptest! {
        #[test]
        fn no_pair_differs_in_more_bits_than_shingles(
            one in prop::collection::btree_set(any::<u64>(), 0..300), other in prop::collection::btree_set(any::<u64>(), 0..300),
            both in prop::collection::btree_set(any::<u64>(), 0..300),
        ) {
            let (one, other): (BTreeSet<u64>, BTreeSet<u64>) = (&one | &both, &other | &both);
            let bitmap = |set: &BTreeSet<u64>| {
                let shingles: Vec<_> = set.iter().copied().collect();
                Bitmap::of(&shingles, &Pace::new(&Never)).unwrap_or_default()
            };

            prop_assert!(bitmap(&one).difference(&bitmap(&other)) <= one.symmetric_difference(&other).count());
        }
    }
}
