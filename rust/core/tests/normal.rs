//! Normalization form C against `unicode-normalization` 0.1.24, which is of Unicode 16.0.
#![allow(clippy::expect_used, reason = "a test that fails may say so by a panic")]

use std::borrow::Cow;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use brimful_core::error::Error;
use brimful_core::interrupt::{Flag, Never, Pace};
use brimful_core::normal;
use proptest::prelude::*;
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{UNICODE_VERSION, UnicodeNormalization};

/// Characters that NFC may change or reorder, and those that it may join with what follows.
static ACTIVE: LazyLock<Vec<char>> = LazyLock::new(|| {
    let changes = |c: &char| c.nfd().ne([*c]) || canonical_combining_class(*c) != 0;
    let parts = ('\0'..=char::MAX).filter(changes).flat_map(|c| [c].into_iter().chain(c.nfd()).collect::<Vec<_>>());
    let mut active: Vec<char> = parts.filter(|c| !('\u{AC02}'..='\u{D7A3}').contains(c)).collect();
    active.sort_unstable();
    active.dedup();
    active
});

fn nfc(text: &str) -> Cow<'_, str> {
    normal::nfc(text, &Pace::new(&Never)).expect("nothing interrupts it")
}

fn check(text: &str) {
    assert_eq!(text.nfc().collect::<String>(), nfc(text), "{text:?}");
}

#[test]
fn every_character_is_normalized_as_in_the_reference() {
    for c in '\0'..=char::MAX {
        let mut text = String::from(c);
        check(&text);
        text.push('\u{301}');
        check(&text);
    }
}

#[test]
fn every_decomposed_character_is_composed_as_in_the_reference() {
    ('\0'..=char::MAX).for_each(|c| check(&c.nfd().collect::<String>()));
}

#[test]
fn every_active_character_joins_marks_on_both_sides_as_in_the_reference() {
    for &c in &*ACTIVE {
        for mark in ['\u{301}', '\u{323}', '\u{345}', '\u{5B0}', '\u{1161}', '\u{11A8}', '\u{113C2}', '\u{16D67}'] {
            check(&String::from_iter(['a', mark, c, mark, c, 'e']));
        }
    }
}

#[test]
fn normal_text_is_borrowed() {
    for text in ["", "plain", "café", "각\u{323}", "ครับ้", "عَرَبِيّ"] {
        assert!(matches!(nfc(text), Cow::Borrowed(_)), "{text:?}");
    }
}

#[test]
fn text_around_a_change_is_kept() {
    assert_eq!("naïve é, ṩ and 각!", nfc("naïve e\u{301}, s\u{307}\u{323} and \u{1100}\u{1161}\u{11A8}!"));
}

#[test]
fn a_million_marks_in_a_row_are_ordered_in_linear_time() {
    let marks: String = ['\u{301}', '\u{323}', '\u{345}', '\u{5B0}'].into_iter().cycle().take(1_000_000).collect();
    check(&format!("a{marks}"));
}

#[test]
fn a_raised_flag_interrupts_it() {
    let raised = AtomicBool::new(true);
    let text = "e\u{301}".repeat(10_000);
    assert_eq!(Err(Error::Interrupted), normal::nfc(&text, &Pace::new(&Flag(&raised))));
}

#[test]
fn the_reference_crate_is_of_the_same_unicode_version() {
    assert_eq!((16, 0, 0), UNICODE_VERSION);
}

proptest! {
    #[test]
    fn random_sequences_of_active_characters_are_normalized_as_in_the_reference(
        characters in prop::collection::vec(prop_oneof![9 => prop::sample::select(&**ACTIVE), 1 => any::<char>()], 0..24),
    ) {
        let text: String = characters.into_iter().collect();
        prop_assert_eq!(text.nfc().collect::<String>(), nfc(&text));
    }

    #[test]
    fn long_runs_of_marks_are_ordered_as_in_the_reference(marks in "[\u{300}-\u{36F}]{65,200}") {
        let text = format!("a{marks}");
        prop_assert_eq!(text.nfc().collect::<String>(), nfc(&text));
    }

    #[test]
    fn normalizing_twice_changes_nothing_more(text in any::<String>()) {
        let once = nfc(&text).into_owned();
        prop_assert!(matches!(nfc(&once), Cow::Borrowed(_)));
    }
}
