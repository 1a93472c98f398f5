//! The report gives the other modules' answers, an entry a code point.
#![allow(clippy::expect_used, reason = "a test that fails may say so by a panic")]

use std::sync::atomic::AtomicBool;

use brimful_core::error::Error;
use brimful_core::interrupt::{Flag, Never};
use brimful_core::text_report::{TextReport, inspect_text};

#[test]
fn a_report_has_the_answers_of_every_rule() {
    let expected = TextReport {
        classes: vec![0, 3, 5, 4, 6, 0x12, 3, 7],
        lowered: "e\u{301} 1_字\u{3099}!".into(),
        composed: "É 1_字\u{3099}!".into(),
        grapheme_starts: vec![1, 0, 1, 1, 1, 1, 0, 1],
    };
    assert_eq!(Ok(expected), inspect_text("E\u{301} 1_字\u{3099}!", &Never));
}

#[test]
fn the_empty_text_has_an_empty_report() {
    assert_eq!(Ok(TextReport::default()), inspect_text("", &Never));
}

#[test]
fn a_raised_flag_interrupts_it() {
    let raised = AtomicBool::new(true);
    assert_eq!(Err(Error::Interrupted), inspect_text(&"a".repeat(10_000), &Flag(&raised)));
}
