//! Estimates against naive references.

#![allow(clippy::unwrap_used)] // a test panics
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_precision_loss)] // of small numbers

use std::cell::Cell;

use brimful_core::error::Error;
use brimful_core::estimate::{Rule, estimate_tokens};
use brimful_core::interrupt::{Interrupt, Never};
use proptest::prelude::*;

const WEIGHTS: &[u8] = include_bytes!("../../../python/brimful/data/byte_weights.bin");
const RULES: [&str; 6] = ["words_div_4", "words_times_1_3", "utf16_div_4", "chars_div_4", "script", "script_safe"];

/// The set of Python's `str.split()`, written out.
const WORD_SPACES: &str = "\t\n\u{B}\u{C}\r\u{1C}\u{1D}\u{1E}\u{1F} \u{85}\u{A0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\
    \u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}";

fn estimate(text: &str, rule: &str) -> i64 {
    Rule::parse(rule).and_then(|rule| estimate_tokens(&[text], rule, &Never)).unwrap()[0]
}

fn naive(text: &str, rule: &str) -> i64 {
    let words = text.split(|c| WORD_SPACES.contains(c)).filter(|word| !word.is_empty()).count() as i64;
    match rule {
        "words_div_4" => (words / 4).max(1),
        "words_times_1_3" => (words as f64 * 1.3) as i64,
        "utf16_div_4" => (text.encode_utf16().count() as i64 + 3) / 4,
        "chars_div_4" => text.chars().count() as i64 / 4,
        "script" => naive_weight(text, 0),
        _ => naive_weight(text, 512),
    }
}

fn naive_weight(text: &str, start: usize) -> i64 {
    let weight = |byte: u8| {
        i64::from(WEIGHTS[start + 2 * byte as usize]) + 256 * i64::from(WEIGHTS[start + 2 * byte as usize + 1])
    };
    (text.bytes().map(weight).sum::<i64>() + 1023) / 1024
}

/// Characters at the edges: every white space and its neighbours, each length in UTF-8.
fn edgy_text(most: usize) -> impl Strategy<Value = String> {
    let spaces: Vec<char> = WORD_SPACES.chars().collect();
    let near =
        "\0\u{1B}!\u{7F}\u{84}\u{9F}\u{A1}\u{180E}\u{1FFF}\u{200B}\u{2027}\u{202A}\u{2060}\u{3001}\u{FEFF}é漢한👍";
    let near: Vec<char> = near.chars().collect();
    let character = prop_oneof![
        prop::sample::select(spaces),
        prop::sample::select(near),
        prop::char::range('a', 'e'),
        any::<char>()
    ];
    prop::collection::vec(character, 0..most).prop_map(String::from_iter)
}

proptest! {
    #[test]
    fn every_rule_equals_its_naive_reference(text in edgy_text(900)) {
        for rule in RULES {
            prop_assert_eq!(naive(&text, rule), estimate(&text, rule), "{}", rule);
        }
    }

    #[test]
    fn script_sums_add_up_within_one_token_and_safe_is_never_below(a in edgy_text(60), b in edgy_text(60)) {
        for rule in ["script", "script_safe"] {
            let (one, other, both) = (estimate(&a, rule), estimate(&b, rule), estimate(&format!("{a}{b}"), rule));
            prop_assert!(one.max(other) <= both && both <= one + other && one + other <= both + 1);
        }
        prop_assert!(estimate(&a, "script") <= estimate(&a, "script_safe"));
    }

    #[test]
    fn a_batch_equals_its_texts_one_by_one(texts in prop::collection::vec(edgy_text(30), 0..40)) {
        for rule in RULES {
            let alone: Vec<i64> = texts.iter().map(|text| estimate(text, rule)).collect();
            prop_assert_eq!(Ok(alone), estimate_tokens(&texts, Rule::parse(rule).unwrap(), &Never));
        }
    }
}

#[test]
fn every_character_parts_words_or_does_not_as_python_says() {
    for c in '\0'..=char::MAX {
        let text = format!("a{c}a{c}a{c}a{c}a{c}é");
        assert_eq!(naive(&text, "words_times_1_3"), estimate(&text, "words_times_1_3"), "{c:?}");
    }
}

#[test]
fn words_are_counted_across_the_borders_of_pieces_and_blocks() {
    for length in [254, 255, 256, 65_535, 65_536, 65_537] {
        for character in ["a", " ", "é", "漢", "\u{3000}"] {
            for tail in ["", "b", " b", "\u{A0}b", "\u{2003} b", "漢"] {
                let text = format!("{}{tail} c", character.repeat(length / character.len()));
                assert_eq!(
                    naive(&text, "words_times_1_3"),
                    estimate(&text, "words_times_1_3"),
                    "{character:?} {length} {tail:?}"
                );
            }
        }
    }
}

#[test]
fn bytes_are_counted_in_a_long_text_of_four_byte_characters() {
    let text = "👍".repeat(2_500_000);
    for rule in RULES {
        assert_eq!(naive(&text, rule), estimate(&text, rule), "{rule}");
    }
}

#[test]
fn int_of_words_times_1_3_is_13_words_over_10_below_5000() {
    let mut text = String::new();
    for words in 0..5000 {
        assert_eq!(13 * words / 10, estimate(&text, "words_times_1_3"));
        text.push_str("w ");
    }
}

#[test]
fn empty_text_is_0_except_by_words_div_4() {
    assert_eq!([1, 0, 0, 0, 0, 0], RULES.map(|rule| estimate("", rule)));
}

#[test]
fn any_character_is_at_least_one_token_by_script() {
    for c in '\0'..=char::MAX {
        assert!(estimate(&c.to_string(), "script") >= 1, "{c:?}");
    }
}

#[test]
fn an_unknown_rule_is_refused() {
    assert_eq!(Err(Error::UnknownOption { option: "rule" }), Rule::parse("Script"));
}

/// Says stop at the look of that number.
struct StopsAt(Cell<u32>);

impl Interrupt for StopsAt {
    fn check(&self) -> Result<(), Error> {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        if left == 0 { Err(Error::Interrupted) } else { Ok(()) }
    }
}

#[test]
fn a_text_of_10_mb_is_looked_up_from_a_hundred_times_by_every_rule() {
    let text = "word ".repeat(2_000_000);
    for rule in RULES {
        let rule = Rule::parse(rule).unwrap();
        assert_eq!(Err(Error::Interrupted), estimate_tokens(&[&text], rule, &StopsAt(Cell::new(100))));
    }
}
