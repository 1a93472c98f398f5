//! Windows and the formula of runs against merging the whole piece.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{RUN, Windows, count, merge_run, repeats_at};
use crate::error::Error;
use crate::interrupt::{Never, Pace};
use crate::tokens::reference::{looks, merge_long, piece, wide_text};
use crate::tokens::{Encoding, bpe};

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn long_piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(b'a'..=b'z', 1..900),
        vec(select(BASE64), 1..900),
        vec(select(&b"ab"[..]), 1..900),
        vec(select(&b" \t"[..]), 1..900),
        wide_text(300).prop_map(String::into_bytes),
        piece(700),
        (piece(9), 1..120_usize).prop_map(|(part, times)| part.repeat(times)),
        (piece(40), any::<u8>(), 1..700_usize, piece(40))
            .prop_map(|(head, byte, length, tail)| { [head, vec![byte; length], tail].concat() }),
    ]
}

proptest! {
    #[test]
    fn windows_of_any_width_count_what_merging_the_whole_does(piece in long_piece(), width in 1..100_usize) {
        for encoding in Encoding::ALL {
            let pairs = &encoding.vocabulary()?.pairs;
            let (pace, expected) = (Pace::new(&Never), merge_long(pairs, &piece).len() as u64);
            prop_assert_eq!(count(pairs, &piece, &pace)?, expected);
            prop_assert_eq!(Windows { pairs, piece: &piece, width }.count(&pace)?, expected);
        }
    }
}

#[test]
fn two_bytes_by_turns_count_what_merging_the_whole_does() -> Result<(), Error> {
    for encoding in Encoding::ALL {
        let pairs = &encoding.vocabulary()?.pairs;
        for two in [b"\r\n", b" \n", b"ab", b"\t ", b"=-", b"/*", b"\0a", b"\xE4\xB8"] {
            for length in [63, 64, 65, 66, 128, 511, 512, 513, 1000, 2001] {
                let piece = two.repeat(length)[..length].to_vec();
                let expected = merge_long(pairs, &piece).len() as u64;
                assert_eq!(count(pairs, &piece, &Pace::new(&Never)), Ok(expected), "{encoding:?} {two:?} {length}");
            }
        }
    }
    Ok(())
}

/// Bytes that have long tokens of their own, short ones, and none.
const RUNS: &[u8] = b" \n=-a\0\xFF";

#[test]
fn a_run_of_one_byte_of_any_length_counts_what_merging_it_does() -> Result<(), Error> {
    for encoding in Encoding::ALL {
        let pairs = &encoding.vocabulary()?.pairs;
        for &byte in RUNS {
            let lengths =
                (1..140).chain((140..2000).step_by(61)).chain(RUN - 3..RUN + 4).chain(3 * RUN - 1..3 * RUN + 2);
            for length in lengths {
                let piece = vec![byte; length];
                let expected = merge_long(pairs, &piece).len() as u64;
                assert_eq!(count(pairs, &piece, &Pace::new(&Never)), Ok(expected), "{encoding:?} {byte} {length}");
            }
        }
    }
    Ok(())
}

#[test]
fn the_formula_of_runs_holds_for_every_byte_and_only_above_its_limit() -> Result<(), Error> {
    for encoding in Encoding::ALL {
        let (pairs, pace) = (&encoding.vocabulary()?.pairs, Pace::new(&Never));
        for byte in 0..=u8::MAX {
            assert_eq!(merge_run(pairs, &[byte; RUN], &pace), Ok(None));
            for length in [RUN + 1, RUN + 83] {
                let piece = vec![byte; length];
                let expected = merge_long(pairs, &piece).len() as u64;
                let tokens = merge_run(pairs, &piece, &pace)?.map(|(repeats, _, rest)| (repeats + rest.len()) as u64);
                assert_eq!(tokens, Some(expected), "{encoding:?} {byte} {length}");
            }
        }
        let mut broken = [b'a'; 2 * RUN];
        broken[2 * RUN - 1] = b'b';
        assert_eq!(merge_run(pairs, &broken, &pace), Ok(None));
    }
    Ok(())
}

#[test]
fn runs_of_characters_and_of_a_few_bytes_count_what_merging_them_does() -> Result<(), Error> {
    let units = ["—", "─", "\u{FFFD}", "\u{A0}", "\u{3000}", "😀", "é", "=-", "\r\n", "- ", "ab", "aab", "abcd"];
    for encoding in Encoding::ALL {
        let pairs = &encoding.vocabulary()?.pairs;
        for unit in units {
            for repeats in [RUN / unit.len() + 1, RUN / unit.len() + 40, 1_000] {
                let mut piece = unit.repeat(repeats).into_bytes();
                for _ in 0..unit.len() {
                    let expected = merge_long(pairs, &piece).len() as u64;
                    assert_eq!(count(pairs, &piece, &Pace::new(&Never)), Ok(expected), "{encoding:?} {unit} {repeats}");
                    piece.pop();
                }
            }
        }
    }
    Ok(())
}

#[test]
fn whatever_is_read_of_a_long_piece_the_interrupt_is_looked_at() -> Result<(), Error> {
    let pairs = &Encoding::O200kBase.vocabulary()?.pairs;
    let run = vec![b'a'; 8 << 20];
    // A look in 256 KiB that are compared, and in 4,096 merges.
    assert!(looks(|looks| repeats_at(&run, 1, &Pace::new(looks))) >= 31);
    assert!(looks(|looks| merge_run(pairs, &run, &Pace::new(looks))) >= 31);
    assert!(looks(|looks| bpe::merge_long(pairs, &run[..1 << 16], &Pace::new(looks))) >= 14);
    Ok(())
}
