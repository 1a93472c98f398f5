//! Both ways of merging against naive merging, and every token against its bytes.

use proptest::prelude::*;

use super::{SHORT, merge, merge_to_two};
use crate::error::Error;
use crate::tokens::Encoding;
use crate::tokens::reference::{merge_long, piece, reference};

fn positions(starts: u64) -> Vec<usize> {
    (0..SHORT).filter(|at| starts >> at & 1 == 1).collect()
}

proptest! {
    #[test]
    fn pieces_of_up_to_64_bytes_merge_as_naively(piece in piece(SHORT)) {
        for encoding in Encoding::ALL {
            let pairs = &encoding.vocabulary()?.pairs;
            let expected = reference(encoding)?.merge(&piece);
            prop_assert_eq!(&positions(merge(pairs, &piece)), &expected);
            prop_assert_eq!(&merge_long(pairs, &piece), &expected);
        }
    }

    #[test]
    fn longer_pieces_merge_as_naively(piece in piece(300)) {
        for encoding in Encoding::ALL {
            prop_assert_eq!(merge_long(&encoding.vocabulary()?.pairs, &piece), reference(encoding)?.merge(&piece));
        }
    }
}

#[test]
fn every_token_comes_down_to_itself() -> Result<(), Error> {
    for encoding in Encoding::ALL {
        let pairs = &encoding.vocabulary()?.pairs;
        let mut long = 0;
        for (rank, token) in reference(encoding)?.tokens() {
            if token.len() <= SHORT {
                assert_eq!(merge(pairs, token), 1, "{encoding:?} {rank}");
            }
            if token.len() > SHORT || rank % 97 == 0 {
                assert_eq!(merge_long(pairs, token), [0], "{encoding:?} {rank}");
            }
            long += u32::from(token.len() > SHORT);
        }
        assert!(long > 10, "{long} tokens of {encoding:?} are long");
    }
    Ok(())
}

#[test]
fn every_length_up_to_64_bytes_is_merged_to_its_end() -> Result<(), Error> {
    let text = b"The quick brown fox jumps over the lazy dog, 0123456789 times a day.";
    for encoding in Encoding::ALL {
        for length in 1..=SHORT {
            let piece = &text[..length];
            let starts = positions(merge(&encoding.vocabulary()?.pairs, piece));
            assert_eq!(starts, reference(encoding)?.merge(piece), "{encoding:?} {length}");
        }
    }
    Ok(())
}

#[test]
fn what_comes_down_to_more_or_fewer_than_two_parts_has_no_two() -> Result<(), Error> {
    let pairs = &Encoding::Cl100kBase.vocabulary()?.pairs;
    for piece in [&b"the"[..], b"\xFF\xFF\xFF", &[b' '; 81], &[0xFF; 65]] {
        assert_eq!(merge_to_two(pairs, piece), None, "{piece:?}");
    }
    let file = reference(Encoding::Cl100kBase)?;
    let ranks = |left: &[u8], right: &[u8]| file.rank(left).zip(file.rank(right));
    assert_eq!(merge_to_two(pairs, b"hello world"), ranks(b"hello", b" world"));
    assert_eq!(merge_to_two(pairs, &[[b' '; 81].as_slice(), b"\xFF"].concat()), ranks(&[b' '; 81], b"\xFF"));
    Ok(())
}
