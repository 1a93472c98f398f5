//! The pairs that merge are those that naive merging joins, and no others.

use proptest::collection::vec;
use proptest::prelude::*;

use super::NONE;
use crate::error::Error;
use crate::tokens::Encoding;
use crate::tokens::reference::{Reference, reference};

/// What two tokens that stand side by side merge to while nothing of a higher rank does.
fn merged(reference: &Reference, left: &[u8], right: &[u8]) -> u32 {
    let joined = [left, right].concat();
    reference.rank(&joined).filter(|&rank| reference.merge_below(&joined, rank) == [0, left.len()]).unwrap_or(NONE)
}

#[test]
fn of_the_cuts_of_a_token_the_one_that_merging_comes_to_is_found_and_no_other() -> Result<(), Error> {
    for encoding in Encoding::ALL {
        let (pairs, reference) = (&encoding.vocabulary()?.pairs, reference(encoding)?);
        for (rank, token) in reference.tokens().filter(|(_, token)| token.len() > 1) {
            let parts = reference.merge_below(token, rank);
            assert_eq!(parts.len(), 2, "{encoding:?} {rank}");
            for cut in 1..token.len() {
                let (Some(left), Some(right)) = (reference.rank(&token[..cut]), reference.rank(&token[cut..])) else {
                    assert_ne!(cut, parts[1], "{encoding:?} {rank}");
                    continue;
                };
                let expected = if cut == parts[1] { rank } else { NONE };
                assert_eq!(pairs.get(left, right), expected, "{encoding:?} {rank} at {cut}");
            }
        }
    }
    Ok(())
}

#[test]
fn single_bytes_and_all_two_of_them_have_their_ranks() -> Result<(), Error> {
    for encoding in Encoding::ALL {
        let (pairs, reference) = (&encoding.vocabulary()?.pairs, reference(encoding)?);
        for left in 0..=u8::MAX {
            assert_eq!(Some(pairs.byte(left)), reference.rank(&[left]));
            for right in 0..=u8::MAX {
                let expected = reference.rank(&[left, right]).unwrap_or(NONE);
                assert_eq!(pairs.of_bytes(left, right), expected, "{encoding:?} {left} {right}");
                assert_eq!(pairs.get(pairs.byte(left), pairs.byte(right)), expected, "{encoding:?} {left} {right}");
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_two_tokens_merge_as_naively(ranks in vec((0..100_256_usize, 0..100_256_usize), 200)) {
        for encoding in Encoding::ALL {
            let (pairs, reference) = (&encoding.vocabulary()?.pairs, reference(encoding)?);
            for &(left, right) in &ranks {
                let expected = merged(reference, reference.file.token(left), reference.file.token(right));
                prop_assert_eq!(pairs.get(u32::try_from(left)?, u32::try_from(right)?), expected);
            }
        }
    }
}
