//! Words, lower case and shingles by the definitions.
#![allow(clippy::expect_used, reason = "a test may panic")]

use brimful_core::error::Error;
use brimful_core::interrupt::{Never, Pace};
use brimful_core::shingle::Shingles;
use brimful_core::text::{Words, comparable, lower, split_words};
use brimful_core::unicode;
use proptest::prelude::*;

fn lowered(text: &str) -> String {
    lower(text, &Pace::new(&Never)).expect("nothing interrupts")
}

proptest! {
    #[test]
    fn words_hold_no_separator_and_lose_nothing_else(text in "\\PC{0,40}") {
        for rule in [Words::Whitespace, Words::Alphanumeric] {
            let parted = |character: char| match rule {
                Words::Whitespace => unicode::is_word_space(character),
                Words::Alphanumeric => !unicode::is_alphanumeric(character),
            };
            let joined: String = split_words(&text, rule).collect();
            let expected: String = text.chars().filter(|&character| !parted(character)).collect();
            prop_assert_eq!(expected, joined);
        }
    }
}

#[test]
fn lower_casing_moves_no_character_across_a_word_boundary() {
    for character in '\0'..=char::MAX {
        let same = |holds: fn(char) -> bool| unicode::lower(character).all(|low| holds(low) == holds(character));
        assert!(same(unicode::is_alphanumeric), "{character:?}");
        assert!(same(unicode::is_word_space), "{character:?}");
        assert!(same(unicode::is_number), "{character:?}");
    }
}

#[test]
fn final_sigma_folds_and_dotted_capital_i_gives_two() {
    assert_eq!("οδοσ i\u{307}", lowered("ΟΔΟς İ"));
}

#[test]
fn only_a_leading_byte_order_mark_goes_and_only_when_asked() {
    let pace = Pace::new(&Never);

    assert_eq!(Ok("a\u{feff}".into()), comparable("\u{feff}a\u{feff}", true, &pace));
    assert_eq!(Ok("\u{feff}a".into()), comparable("\u{feff}a", false, &pace));
    assert_eq!(Ok("é".into()), comparable("e\u{301}", true, &pace));
}

#[test]
fn unknown_words_of_options_are_errors() {
    assert_eq!(Err(Error::UnknownOption { option: "words" }), Words::parse("bytes"));
    assert_eq!(Err(Error::UnknownOption { option: "shingles" }), Shingles::parse(""));
}
