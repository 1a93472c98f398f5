//! `sentence_ends` against a look at the places one by one.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test panics

use brimful_core::boundary::{Boundary, Heads};
use brimful_core::error::Error;
use brimful_core::interrupt::{Interrupt, Never, Pace};
use brimful_core::parallel::set_threads;
use brimful_core::sentences::sentence_ends;
use proptest::prelude::*;

const PIECES: [&str; 14] =
    ["a", "Bc", " ", "\n", ". ", "?", "!\u{201D} ", "…", "。", "東", "\u{301}", "👩\u{200D}👧", "3.5", ")"];

/// The sentences themselves, cut out of the text at the places.
fn cut(text: &str) -> Vec<String> {
    let pace = Pace::new(&Never);
    let mut heads = Heads::new(text, Boundary::Sentence);
    let (mut sentences, mut start) = (Vec::new(), 0);
    while start < text.len() {
        let head = heads.next(&pace).unwrap();
        if head.may_end || head.at == text.len() {
            sentences.push(text[start..head.at].to_owned());
            start = head.at;
        }
    }
    sentences
}

/// The same by the ends in code points.
fn cut_by_ends(text: &str, ends: &[i64]) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let bounds = starts.zip(ends).map(|(start, &end)| (usize::try_from(start).unwrap(), usize::try_from(end).unwrap()));
    bounds.map(|(start, end)| characters[start..end].iter().collect()).collect()
}

proptest! {
    #[test]
    fn ends_are_code_points_of_the_places(parts in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)) {
        let text = parts.concat();
        let found = sentence_ends(&[&text], &Never).unwrap();
        prop_assert_eq!(&found.counts, &vec![i64::try_from(found.ends.len()).unwrap()]);
        prop_assert_eq!(cut_by_ends(&text, &found.ends), cut(&text));
    }
}

#[test]
fn threads_change_nothing() {
    let texts: Vec<String> =
        (0..3_000).map(|n| format!("Text {n} is here. {}", "It goes on. ".repeat(n % 17))).collect();
    set_threads(1);
    let alone = sentence_ends(&texts, &Never).unwrap();
    set_threads(4);
    assert_eq!(sentence_ends(&texts, &Never).unwrap(), alone);
    assert_eq!(alone.counts.len(), texts.len());
}

#[test]
fn a_long_text_can_be_interrupted() {
    struct Now;
    impl Interrupt for Now {
        fn check(&self) -> Result<(), Error> {
            Err(Error::Interrupted)
        }
    }
    let text = "Again and again. ".repeat(10_000);
    assert_eq!(sentence_ends(&[text], &Now), Err(Error::Interrupted));
}
