//! Numbers for slices, against a list that is searched.
#![allow(clippy::expect_used, reason = "a test may panic")]

use brimful_core::numbering::Numbering;
use proptest::prelude::*;

proptest! {
    #[test]
    fn numbers_are_places_of_first_appearance(slices in prop::collection::vec(prop::collection::vec(0_u32..3, 0..4), 0..60)) {
        let mut numbering = Numbering::default();
        let mut seen: Vec<Vec<u32>> = Vec::new();
        for slice in slices {
            let place = seen.iter().position(|known| *known == slice).unwrap_or(seen.len());
            if place == seen.len() {
                seen.push(slice.clone());
            }
            let known = (place < numbering.len()).then_some(place);
            prop_assert_eq!(known, numbering.find(&slice).map(|number| number as usize));
            prop_assert_eq!(Ok(place), numbering.number(&slice).map(|number| number as usize));
            prop_assert_eq!(seen.len(), numbering.len());
        }
    }
}

#[test]
fn many_slices_keep_their_numbers_as_the_table_grows() {
    let mut numbering = Numbering::default();
    for round in 0..2 {
        for value in 0_u32..100_000 {
            let number = numbering.number(&value.to_le_bytes()).expect("there is room");
            assert_eq!(value, number, "round {round}");
        }
    }
    assert!(!numbering.is_empty());
}

#[test]
fn a_slice_differs_from_its_pieces() {
    let mut numbering = Numbering::default();

    assert_eq!([Ok(0), Ok(1), Ok(2), Ok(0)], [&b""[..], b"a", b"ab", b""].map(|slice| numbering.number(slice)));
}
