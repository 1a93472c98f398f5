//! Numbers and capitalised words, and when two texts contradict each other.
#![allow(clippy::expect_used, reason = "a test may panic")]

use brimful_core::dedup::{Options, near_duplicates};
use brimful_core::interrupt::Never;
use brimful_core::shingle::Shingles;
use brimful_core::text::Words;

/// At a threshold of 0 nothing else keeps two texts apart.
const OPTIONS: Options = Options {
    shingle_size: 1,
    threshold: 0.0,
    containment: None,
    words: Words::Whitespace,
    shingles: Shingles::Words,
    normalize: false,
    distinguish_facts: true,
};

fn contradict(one: &str, other: &str) -> bool {
    let judged = |texts: [&str; 2]| near_duplicates(&texts, &OPTIONS, &Never).expect("nothing interrupts").origins;
    assert_eq!(judged([one, other]), judged([other, one]));
    judged([one, other])[1] < 0
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
