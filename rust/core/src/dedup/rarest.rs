//! The rarest shingles of a text: the first in the order by count, then by hash, which is one order for all texts.
//!
//! Selection, not sorting. For long texts it goes by digits, so that it can be interrupted.

use super::counters::Counters;
use crate::error::Error;
use crate::interrupt::Pace;

/// So few are selected at once: about 20 microseconds.
const FEW: usize = 2048;

const DIGITS: usize = 256;
const HIGHEST_DIGIT: u32 = 8;
const SHINGLES_A_STEP: usize = 16;

/// A shingle's hash under its count.
pub(crate) type Ranked = u128;

/// The key of a shingle in the order.
pub(crate) fn rank(hash: u64, count: u8) -> Ranked {
    u128::from(count) << 64 | u128::from(hash)
}

/// The hash of a ranked shingle.
#[allow(clippy::cast_possible_truncation, reason = "the lower half is what is asked for")]
pub(crate) fn hash_of(ranked: Ranked) -> u64 {
    ranked as u64
}

/// Ranks those of distinct shingles that may be in other texts.
pub(crate) fn rank_common(
    distinct: &[u64],
    counters: &Counters,
    ranked: &mut Vec<Ranked>,
    pace: &Pace<'_>,
) -> Result<(), Error> {
    ranked.clear();
    for some in distinct.chunks(FEW) {
        pace.advance(1 + some.len() / SHINGLES_A_STEP)?;
        let counted = some.iter().map(|&hash| (hash, counters.of(hash)));
        ranked.extend(counted.filter(|&(_, count)| count > 1).map(|(hash, count)| rank(hash, count)));
    }
    Ok(())
}

/// Leaves the first `wanted` of distinct shingles, in any order. Linear.
pub(crate) fn keep_rarest(ranked: &mut Vec<Ranked>, wanted: usize, pace: &Pace<'_>) -> Result<(), Error> {
    if wanted >= ranked.len() {
        return Ok(());
    }
    let (mut kept, mut digit) = (Vec::new(), HIGHEST_DIGIT);
    while ranked.len() > FEW && wanted > kept.len() {
        part_by_digit(ranked, &mut kept, wanted, digit, pace)?;
        let Some(next) = digit.checked_sub(1) else { break };
        digit = next;
    }
    let left = wanted - kept.len();
    if left > 0 && left < ranked.len() {
        pace.advance(ranked.len() / SHINGLES_A_STEP)?;
        ranked.select_nth_unstable(left - 1);
    }
    ranked.truncate(left);
    ranked.append(&mut kept);
    Ok(())
}

/// Moves those with a digit that is surely wanted to `kept`, and leaves those whose digit the last wanted one has.
fn part_by_digit(
    ranked: &mut Vec<Ranked>,
    kept: &mut Vec<Ranked>,
    wanted: usize,
    digit: u32,
    pace: &Pace<'_>,
) -> Result<(), Error> {
    let digit_of = |ranked: Ranked| usize::from((ranked >> (8 * digit)).to_le_bytes()[0]);
    let mut counts = [0_usize; DIGITS];
    for some in ranked.chunks(FEW) {
        pace.advance(FEW / SHINGLES_A_STEP)?;
        for &ranked in some {
            counts[digit_of(ranked)] += 1;
        }
    }
    let (mut last, mut before) = (0, kept.len());
    while before + counts[last] < wanted {
        before += counts[last];
        last += 1;
    }
    let mut left = Vec::with_capacity(counts[last]);
    for some in ranked.chunks(FEW) {
        pace.advance(FEW / SHINGLES_A_STEP)?;
        kept.extend(some.iter().filter(|&&ranked| digit_of(ranked) < last));
        left.extend(some.iter().filter(|&&ranked| digit_of(ranked) == last));
    }
    *ranked = left;
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{FEW, Ranked, hash_of, keep_rarest, rank};
    use crate::interrupt::{Never, Pace};

    fn check(mut ranked: Vec<Ranked>, wanted: usize) {
        let mut expected = ranked.clone();
        expected.sort_unstable();
        expected.truncate(wanted);

        assert_eq!(Ok(()), keep_rarest(&mut ranked, wanted, &Pace::new(&Never)));

        ranked.sort_unstable();
        assert_eq!(expected, ranked);
    }

    proptest! {
        #[test]
        fn the_rarest_are_the_first_of_all_sorted(
            shingles in prop::collection::btree_set((0_u8..4, any::<u64>()), 0..60), wanted in 0_usize..70,
        ) {
            check(shingles.into_iter().map(|(count, hash)| rank(hash, count)).collect(), wanted);
        }
    }

    #[test]
    fn long_texts_are_parted_by_digits() {
        let spread = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for (modulus, stretch) in [(1, 1), (3, 1), (200, 1), (1, 0)] {
            let hash = |number: u64| if stretch == 1 { spread(number) } else { number };
            let many: Vec<Ranked> =
                (1..3 * FEW as u64).map(|n| rank(hash(n), (n % modulus).to_le_bytes()[0])).collect();
            for wanted in [0, 1, 2, FEW - 1, FEW, FEW + 1, 2 * FEW, 3 * FEW - 1, 3 * FEW] {
                check(many.clone(), wanted);
            }
        }
    }

    #[test]
    fn a_rank_has_its_hash() {
        assert_eq!(u64::MAX - 1, hash_of(rank(u64::MAX - 1, 9)));
        assert!(rank(u64::MAX, 2) < rank(0, 3));
    }
}
