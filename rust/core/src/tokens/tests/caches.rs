//! A cache gives the count of the very piece it is asked for, or none.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{BACK_SLOTS, Caches, LONGEST, LONGEST_LINE, Pieces, piece_hash, slot};
use crate::tokens::key;

/// Two texts of up to 15 bytes whose keys share a slot.
fn neighbours() -> Option<(u128, u128)> {
    let mut seen = HashMap::new();
    (0..100_000_u32).filter_map(|number| key::pack(format!("w{number}").as_bytes())).find_map(|key| {
        let other = seen.insert(slot(key), key)?;
        Some((other, key))
    })
}

#[test]
fn short_pieces_that_share_a_slot_never_give_each_others_count() {
    let (one, other) = neighbours().unwrap_or_default();
    assert_ne!(one, other);
    let mut front = Caches::new().front;
    for (key, absent, tokens) in [(one, other, 2), (other, one, 15), (one, other, 1)] {
        front.put(key, tokens);
        assert_eq!(front.get(key), Some(tokens));
        assert_eq!(front.get(absent), None);
    }
}

#[test]
fn a_new_cache_remembers_nothing() {
    let front = Caches::new().front;
    for text in [&b""[..], b"\x01", b"\0", b"\x01\0", b"a", b"\xFF", b"\x01\x01\x01"] {
        assert_eq!(key::pack(text).and_then(|key| front.get(key)), None, "{text:?}");
    }
    let mut middle = Caches::new().middle;
    for length in 16..=LONGEST {
        let piece = vec![1; length];
        assert_eq!(middle.get(&piece), None, "{length} bytes");
        middle.put(&piece, 7);
        assert_eq!(middle.get(&piece), Some(7), "{length} bytes");
    }
}

#[test]
fn longer_pieces_that_share_a_slot_never_give_each_others_count() {
    for length in 33..=LONGEST {
        let one = vec![b'a'; length];
        let mut other = one.clone();
        other[16] = b'b';
        assert_eq!(piece_hash(&one), piece_hash(&other));
        let mut middle = Caches::new().middle;
        for (piece, absent, tokens) in [(&one, &other, 3), (&other, &one, 60), (&one, &other, 8)] {
            middle.put(piece, tokens);
            assert_eq!(middle.get(piece), Some(tokens), "{length} bytes");
            assert_eq!(middle.get(absent), None, "{length} bytes");
        }
    }
}

#[test]
fn lines_that_share_a_slot_never_give_each_others_count() {
    for length in LONGEST + 1..=LONGEST_LINE {
        let one = vec![b'-'; length];
        let mut other = one.clone();
        other[length / 2] = b'=';
        let mut back = Pieces::<LONGEST_LINE>::new(BACK_SLOTS);
        assert_eq!((back.slot(&one), back.get(&one)), (back.slot(&other), None), "{length} bytes");
        for (piece, absent, tokens) in [(&one, &other, 3), (&other, &one, 126), (&one, &other, 8)] {
            back.put(piece, tokens);
            assert_eq!(back.get(piece), Some(tokens), "{length} bytes");
            assert_eq!(back.get(absent), None, "{length} bytes");
        }
    }
}

#[test]
fn a_longer_piece_that_begins_with_a_remembered_one_is_another() {
    let mut middle = Caches::new().middle;
    let piece = [b'x'; LONGEST];
    for length in (16..=LONGEST).rev().chain(16..=LONGEST) {
        middle.put(&piece[..length], length as u64);
        for other in 16..=LONGEST {
            let remembered = middle.get(&piece[..other]);
            assert!(remembered.is_none_or(|tokens| tokens == other as u64), "{remembered:?} for {other}");
        }
        assert_eq!(middle.get(&piece[..length]), Some(length as u64));
    }
}

proptest! {
    #[test]
    fn what_is_remembered_is_what_was_counted_last(numbers in vec((0..400_u32, 1..16_u64), 1..400)) {
        let (mut front, mut model) = (Caches::new().front, HashMap::new());
        for (number, tokens) in numbers {
            let key = key::pack(format!("{number}").as_bytes()).unwrap_or_default();
            if let Some(remembered) = front.get(key) {
                prop_assert_eq!(Some(&remembered), model.get(&key));
            }
            front.put(key, tokens);
            prop_assert_eq!(front.get(key), Some(tokens));
            model.insert(key, tokens);
        }
    }
}
