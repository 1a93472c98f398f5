//! TF-IDF against the definition: dense vectors over the whole vocabulary.
#![allow(clippy::expect_used, reason = "a test may panic")]

use brimful_core::error::Error;
use brimful_core::held::Held;
use brimful_core::interrupt::{Interrupt, Never};
use brimful_core::pairwise::tfidf_similarities;
use brimful_core::text_vectors::TextVectors;
use brimful_core::tfidf::{query_scores, tfidf_scores};
use proptest::prelude::*;

fn scores(query: &str, texts: &[&str], include_query: bool) -> Vec<f64> {
    tfidf_scores(query, texts, include_query, &Never).expect("nothing interrupts")
}

fn vectors(query: Option<&str>, texts: &[String], include_query: bool) -> TextVectors {
    TextVectors::new(query, texts, include_query, &Never).expect("nothing interrupts")
}

/// The definition, for texts of ASCII words and spaces.
#[allow(clippy::cast_precision_loss)]
fn naive(query: &str, texts: &[String], include_query: bool) -> Vec<f64> {
    let cut = |text: &str| text.split_whitespace().map(str::to_ascii_lowercase).collect::<Vec<_>>();
    let rows: Vec<_> = texts.iter().map(|text| cut(text)).collect();
    let asked = cut(query);
    let weighing: Vec<_> = include_query.then_some(&asked).into_iter().chain(&rows).collect();
    let mut vocabulary: Vec<&String> = Vec::new();
    for term in weighing.iter().copied().flatten() {
        if !vocabulary.contains(&term) {
            vocabulary.push(term);
        }
    }
    let vector = |row: &Vec<String>| -> Vec<f64> {
        let weight = |&term: &&String| {
            let having = weighing.iter().filter(|row| row.contains(term)).count();
            let idf = ((weighing.len() + 1) as f64 / (having + 1) as f64).ln() + 1.0;
            let count = row.iter().filter(|&other| other == term).count();
            if row.is_empty() { 0.0 } else { count as f64 / row.len() as f64 * idf }
        };
        vocabulary.iter().map(weight).collect()
    };
    let dot = |left: &[f64], right: &[f64]| left.iter().zip(right).fold(0.0, |dot, (left, right)| dot + left * right);
    let asked = vector(&asked);
    let cosine = |row| {
        let own = vector(row);
        let norms = dot(&asked, &asked).sqrt() * dot(&own, &own).sqrt();
        if norms == 0.0 { 0.0 } else { dot(&asked, &own) / norms }
    };
    rows.iter().map(cosine).collect()
}

fn text() -> impl Strategy<Value = String> {
    "[abA]{0,1}( {1,2}[abcde]{1,2}){0,12}"
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

proptest! {
    #[test]
    fn scores_are_those_of_the_definition(
        query in text(), texts in prop::collection::vec(text(), 0..8), include_query in any::<bool>(),
    ) {
        let found = tfidf_scores(&query, &texts, include_query, &Never).expect("nothing interrupts");

        prop_assert_eq!(bits(&naive(&query, &texts, include_query)), bits(&found));
    }

    #[test]
    fn every_way_to_a_cosine_gives_the_same_bits(texts in prop::collection::vec(text(), 1..8)) {
        let vectors = vectors(None, &texts, true);
        let all: Vec<usize> = (0..texts.len()).collect();
        let pairwise = tfidf_similarities(None, &texts, &all, true, &Never).expect("nothing interrupts");
        let mut held = Held::new(&vectors);
        for (text, row) in pairwise.cosines.chunks(texts.len()).enumerate() {
            held.hold(text);
            let one_by_one: Vec<f64> = all.iter().map(|&other| held.cosine(other)).collect();
            let expected = naive(&texts[text], &texts, false);

            prop_assert_eq!(bits(&expected), bits(&one_by_one));
            prop_assert_eq!(bits(&expected), bits(row));
            prop_assert!(all.iter().all(|&other| held.holds(other) == (other == text)));
        }
        prop_assert_eq!(vec![0.0; texts.len()], pairwise.scores);
    }

    #[test]
    fn a_query_shifts_no_text(
        query in text(), texts in prop::collection::vec(text(), 1..6), include in any::<bool>(),
        chosen in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let chosen: Vec<usize> = chosen.iter().map(|place| place.index(texts.len())).collect();
        let vectors = vectors(Some(&query), &texts, include);
        let mut held = Held::new(&vectors);
        let found = tfidf_similarities(Some(&query), &texts, &chosen, include, &Never).expect("nothing interrupts");
        let mut cosines = found.cosines.iter();

        prop_assert_eq!(texts.len(), vectors.len());
        prop_assert_eq!(bits(&naive(&query, &texts, include)), bits(&found.scores));
        for &text in &chosen {
            held.hold(text);
            for &other in &chosen {
                prop_assert_eq!(Some(held.cosine(other).to_bits()), cosines.next().map(|cosine| cosine.to_bits()));
            }
            let own = held.cosine(text);
            prop_assert!(vectors.size(text) == 0 && own == 0.0 || (own - 1.0).abs() <= f64::EPSILON);
        }
    }
}

#[test]
fn one_letter_words_and_digits_count() {
    for include_query in [true, false] {
        let texts = ["C", "R", "the the", "1 2 3"];

        assert_eq!(vec![1.0, 0.0, 0.0, 0.0], scores("C", &texts, include_query));
        assert_eq!(vec![0.0; 4], scores("nowhere", &texts, include_query));
        assert_eq!(vec![0.0; 4], scores("", &texts, include_query));
        assert!(scores("2", &texts, include_query)[3] > 0.4);
    }
}

#[test]
fn nothing_to_compare_scores_zero() {
    assert!(scores("a", &[], true).is_empty());
    assert_eq!(vec![0.0, 0.0], scores("", &["", "?!"], true));
    let vectors = vectors(None, &["a".to_owned()], true);
    assert_eq!(Ok(vec![0.0]), query_scores(&vectors, &Never));
    assert_eq!(bits(&[0.0]), bits(&[Held::new(&vectors).cosine(0)]));
    assert!(!vectors.is_empty() && TextVectors::default().is_empty());
}

#[test]
fn more_pairs_than_there_is_memory_for_are_refused() {
    let many = vec![0; 1 << 24];

    let refusal = tfidf_similarities(None, &["a"], &many, true, &Never).expect_err("2 PiB are nowhere");
    assert_eq!(Error::NoMemory { numbers: 1 << 48 }, refusal);
    assert_eq!("there is no memory for 281474976710656 numbers", refusal.to_string());
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
    let texts = vec!["a b c d e f g ".repeat(400); 20];

    assert_eq!(Err(Error::Interrupted), tfidf_scores("a", &texts, true, &Always));
    let many = vectors(Some("a"), &vec!["a".to_owned(); 5_000], true);
    assert_eq!(Err(Error::Interrupted), query_scores(&many, &Always));
    let chosen = vec![0; 5_000];
    assert_eq!(Err(Error::Interrupted), tfidf_similarities(None, &["a"], &chosen, true, &Always));
}
