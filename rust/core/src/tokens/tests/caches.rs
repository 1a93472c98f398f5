//! A cache gives the count of the very piece it is asked for, or none.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{BACK_SLOTS, Caches, LONGEST, LONGEST_LINE, Pieces, slot};
use crate::tokens::key;

/// Three texts of up to 15 bytes whose keys share a slot.
fn crowd() -> Option<[u128; 3]> {
    let mut seen: HashMap<_, Vec<_>> = HashMap::new();
    (0..100_000_u32).filter_map(|number| key::pack(format!("w{number}").as_bytes())).find_map(|key| {
        let keys = seen.entry(slot(key)).or_default();
        keys.push(key);
        keys.as_slice().try_into().ok()
    })
}

#[test]
fn short_pieces_that_share_a_slot_are_both_remembered_and_the_last_is_found_first() {
    let [one, other, third] = crowd().unwrap_or_default();
    assert!(one != other && other != third);
    let mut front = Caches::new().front;
    front.put(one, 2);
    assert_eq!((front.get(one), front.get(other)), (Some(2), None));
    front.put(other, 15);
    for (key, tokens, behind) in [(other, 15, one), (one, 2, other), (other, 15, one)] {
        assert_eq!(front.get(key), Some(tokens));
        assert_eq!((front.get_first(key), front.get_first(behind)), (Some(tokens), None));
    }
    front.put(third, 7);
    assert_eq!((front.get(third), front.get(other), front.get(one)), (Some(7), None, Some(2)));
}

#[test]
fn a_new_cache_remembers_nothing() {
    let mut front = Caches::new().front;
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

/// Remembers more pieces than have room in the slots that they share, and looks all of them up.
fn assert_apart<const MOST: usize>(cache: &mut Pieces<MOST>, pieces: [&[u8]; 3]) {
    let [one, other, third] = pieces;
    assert!(pieces.iter().all(|piece| cache.slots(piece) == cache.slots(one)));
    let length = one.len();
    cache.put(one, 3);
    assert_eq!((cache.get(one), cache.get(other)), (Some(3), None), "{length} bytes");
    cache.put(other, 60);
    assert_eq!((cache.get(one), cache.get(other), cache.get(third)), (Some(3), Some(60), None), "{length} bytes");
    cache.put(third, 8);
    assert_eq!((cache.get(one), cache.get(other), cache.get(third)), (None, Some(60), Some(8)), "{length} bytes");
}

/// Pieces of that many bytes that differ in the middle only.
fn alike(length: usize) -> [Vec<u8>; 3] {
    [b'a', b'b', b'c'].map(|byte| {
        let mut piece = vec![b'a'; length];
        piece[16] = byte;
        piece
    })
}

#[test]
fn longer_pieces_that_share_slots_never_give_each_others_count() {
    for length in 33..=LONGEST {
        assert_apart(&mut Caches::new().middle, alike(length).each_ref().map(Vec::as_slice));
    }
}

#[test]
fn lines_that_share_slots_never_give_each_others_count() {
    for length in LONGEST + 1..=LONGEST_LINE {
        assert_apart(&mut Pieces::<LONGEST_LINE>::new(BACK_SLOTS), alike(length).each_ref().map(Vec::as_slice));
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
    fn what_is_remembered_is_what_was_counted(numbers in vec(0..400_u32, 1..400)) {
        let mut front = Caches::new().front;
        for number in numbers {
            let key = key::pack(format!("{number}").as_bytes()).unwrap_or_default();
            let tokens = u64::from(number % 15 + 1);
            match front.get(key) {
                Some(remembered) => prop_assert_eq!(remembered, tokens),
                None => front.put(key, tokens),
            }
            prop_assert_eq!(front.get_first(key), Some(tokens));
        }
    }
}
