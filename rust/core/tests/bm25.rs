//! BM25 against the definition: every term looked for in every text.
#![allow(clippy::expect_used, reason = "a test may panic")]

use brimful_core::bm25::bm25_scores;
use brimful_core::error::Error;
use brimful_core::interrupt::{Interrupt, Never};
use proptest::prelude::*;

fn scores(query: &str, texts: &[&str]) -> Vec<f64> {
    bm25_scores(query, texts, &Never).expect("nothing interrupts")
}

/// The definition, for texts of ASCII words and spaces.
#[allow(clippy::cast_precision_loss)]
fn naive(query: &str, texts: &[String]) -> Vec<f64> {
    let cut = |text: &str| text.split_whitespace().map(str::to_ascii_lowercase).collect::<Vec<_>>();
    let rows: Vec<_> = texts.iter().map(|text| cut(text)).collect();
    let count = rows.len() as f64;
    let mean_length = rows.iter().flatten().count() as f64 / count;
    let score = |row: &Vec<String>| {
        let share = |term: &String| {
            let having = rows.iter().filter(|row| row.contains(term)).count() as f64;
            let times = row.iter().filter(|&other| other == term).count() as f64;
            let idf = (1.0 + (count - having + 0.5) / (having + 0.5)).ln();
            idf * times / (times + 1.5 * (1.0 - 0.75 + 0.75 * row.len() as f64 / mean_length))
        };
        cut(query).iter().filter(|term| row.contains(term)).fold(0.0, |score, term| score + share(term))
    };
    rows.iter().map(score).collect()
}

fn text() -> impl Strategy<Value = String> {
    "[abA]{0,1}( {1,2}[abcde]{1,2}){0,12}"
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

proptest! {
    #[test]
    fn scores_are_those_of_the_definition(query in text(), texts in prop::collection::vec(text(), 0..8)) {
        let found = bm25_scores(&query, &texts, &Never).expect("nothing interrupts");

        prop_assert_eq!(bits(&naive(&query, &texts)), bits(&found));
    }
}

#[test]
fn nothing_asked_or_nothing_there_scores_zero() {
    assert!(scores("a", &[]).is_empty());
    assert_eq!(vec![0.0, 0.0], scores("", &["a", ""]));
    assert_eq!(vec![0.0, 0.0], scores("a", &["", "?!"]));
}

#[test]
fn a_word_counts_as_often_as_it_is_asked() {
    let once = scores("b", &["a b", "b c c"]);

    assert_eq!(once.iter().map(|score| 2.0 * score).collect::<Vec<_>>(), scores("b b", &["a b", "b c c"]));
}

/// Stops at the first look.
struct Always;

impl Interrupt for Always {
    fn check(&self) -> Result<(), Error> {
        Err(Error::Interrupted)
    }
}

#[test]
fn an_interrupt_ends_the_work() {
    assert_eq!(Err(Error::Interrupted), bm25_scores("a", &vec!["a b c d e f g ".repeat(400); 20], &Always));
    assert_eq!(Err(Error::Interrupted), bm25_scores("a", &vec!["b"; 5_000], &Always));
    assert_eq!(Err(Error::Interrupted), bm25_scores(&"a ".repeat(5_000), &["a"; 100], &Always));
}
