//! Numbers and capitalised words, and when two texts contradict each other.
#![allow(clippy::expect_used, reason = "a test may panic")]

use brimful_core::facts::Facts;
use brimful_core::interrupt::{Never, Pace};
use brimful_core::numbering::Numbering;
use brimful_core::text::lower;

fn contradict(one: &str, other: &str) -> bool {
    let pace = Pace::new(&Never);
    let mut numbering = Numbering::default();
    let mut facts = |text: &str| {
        let folded = lower(text, &pace).expect("nothing interrupts");
        Facts::of(text, &folded, &mut numbering, &pace).expect("nothing interrupts")
    };
    let (one, other) = (facts(one), facts(other));
    assert_eq!(one.contradict(&other), other.contradict(&one));
    one.contradict(&other)
}

#[test]
fn each_must_have_what_the_other_lacks() {
    assert!(contradict("in 1999", "in 2001"));
    assert!(contradict("Rome fell", "Troy fell"));
    assert!(contradict("Rome fell", "it fell in 476"));
    assert!(!contradict("Rome fell in 476", "Rome fell"));
    assert!(!contradict("", ""));
}

#[test]
fn case_does_not_matter_but_tells_which_words_are_facts() {
    assert!(!contradict("The end", "the End"));
    assert!(!contradict("rome fell", "troy fell"));
    assert!(!contradict("ΟΔΟΣ", "οδος"));
    assert!(contradict("ǅ one", "Ⅷ one"));
}

#[test]
fn a_number_keeps_one_point_or_comma_between_its_digits() {
    assert!(contradict("3.5", "5.3"));
    assert!(contradict("1,000", "1.000"));
    assert!(!contradict("3.", "3"));
    assert!(!contradict("3..5", "5 3"));
    assert!(!contradict(".5,", "5"));
}
