//! Keys tell texts apart in full.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{BITS, LONGEST, READ, hash, pack, read, unpack};

proptest! {
    #[test]
    fn a_text_comes_back_from_its_key(text in vec(any::<u8>(), 0..=LONGEST)) {
        let key = pack(&text);
        let (bytes, length) = unpack(key.unwrap_or_default());
        prop_assert_eq!(&bytes[..length], &text[..]);
        prop_assert_eq!(key.unwrap_or(u128::MAX) >> BITS, 0);
    }

    #[test]
    fn what_stands_behind_a_text_is_not_in_its_key(bytes in any::<[u8; READ]>(), length in 0..=LONGEST) {
        prop_assert_eq!(Some(read(&bytes, length)), pack(&bytes[..length]));
    }
}

#[test]
fn texts_that_differ_in_length_only_have_different_keys() {
    let texts = [[0; LONGEST], [b' '; LONGEST], [0xFF; LONGEST]];
    let keys: HashSet<_> = texts.iter().flat_map(|text| (1..=LONGEST).map(|length| pack(&text[..length]))).collect();
    assert_eq!(keys.len(), 3 * LONGEST);
    assert_eq!(pack(&[b' '; LONGEST + 1]), None);
    assert_eq!(pack(b""), Some(0));
}

#[test]
fn every_bit_of_a_key_changes_the_upper_bits_of_its_hash() {
    let keys =
        [&b"a"[..], b" the", b"\0\0\0", b"abcdefgh", b"0123456789abcde"].map(|text| pack(text).unwrap_or_default());
    for key in keys {
        let upper = |key| hash(key) >> 48;
        let same = (0..BITS).filter(|bit| upper(key) == upper(key ^ 1 << bit)).count();
        assert!(same <= 1, "{same} bits of {key:#x} change nothing");
    }
}
