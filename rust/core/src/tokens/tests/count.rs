//! Counts against the exact reading of the patterns and naive merging, cold and warm, with and without vectors.

use std::cell::Cell;

use proptest::prelude::*;

use super::{CountText, Counter, READ};
use crate::error::Error;
use crate::interrupt::{Interrupt, Never};
use crate::tokens::Encoding;
use crate::tokens::caches::Caches;
use crate::tokens::pretokens::{Cl100k, O200k, Pattern};
use crate::tokens::reference::{Looks, Reference, edgy_text, end_of, looks, reference, wide_text};
use crate::tokens::vocabulary::Vocabulary;
use crate::vectors::{BLOCK, Portable, Work};

fn naive<P: Pattern>(text: &[u8], reference: &Reference) -> u64 {
    let (mut at, mut tokens) = (0, 0);
    while at < text.len() {
        let end = end_of::<P>(text, at);
        tokens += reference.merge(&text[at..end]).len() as u64;
        at = end;
    }
    tokens
}

/// The count of a text: new, remembered, and without vectors.
fn counts<P: Pattern>(text: &str, vocabulary: &Vocabulary) -> Result<[u64; 3], Error> {
    let mut caches = Caches::new();
    let mut counter = Counter::<P>::new(vocabulary, &mut caches, &Never);
    let (cold, warm) = (counter.count(text)?, counter.count(text)?);
    counter.pieces.begin();
    CountText { counter: &mut counter, text: text.as_bytes() }.run(Portable)?;
    Ok([cold, warm, counter.pieces.sum()])
}

fn assert_exact(text: &str) -> Result<(), TestCaseError> {
    let [cl100k, o200k] = Encoding::ALL;
    let expected = naive::<Cl100k>(text.as_bytes(), reference(cl100k)?);
    prop_assert_eq!(counts::<Cl100k>(text, cl100k.vocabulary()?)?, [expected; 3], "cl100k_base");
    let expected = naive::<O200k>(text.as_bytes(), reference(o200k)?);
    prop_assert_eq!(counts::<O200k>(text, o200k.vocabulary()?)?, [expected; 3], "o200k_base");
    Ok(())
}

proptest! {
    #[test]
    fn hostile_texts_count_as_naively(text in prop_oneof![edgy_text(150, 5), edgy_text(150, 100), "\\PC*"]) {
        assert_exact(&text)?;
    }

    #[test]
    fn lines_of_a_few_characters_count_as_naively(
        lines in proptest::collection::vec(("[-=*# ~_./]{1,2}", 20..140_usize), 1..5),
    ) {
        let lines: Vec<_> = lines.into_iter().map(|(drawn, times)| drawn.repeat(times)).collect();
        assert_exact(&lines.join("\n"))?;
    }

    #[test]
    fn words_of_any_length_and_kind_count_as_naively(
        words in proptest::collection::vec(prop_oneof!["[a-z]{1,80}", "[A-Za-z]{50,70}", "[ \t]{1,80}", wide_text(30)], 1..8),
    ) {
        assert_exact(&words.join(" "))?;
    }
}

#[test]
fn texts_of_every_length_around_a_block_count_as_naively() -> Result<(), TestCaseError> {
    for unit in ["a", " ", "ab 12'll ", "a\n\n ", "é ", "字a", "😀", "wordsWithoutSpaces"] {
        for length in (0..20).chain(BLOCK - 8..=READ + 8).chain(2 * READ - 8..=2 * READ + 2) {
            assert_exact(&unit.chars().cycle().take(length).collect::<String>())?;
        }
    }
    Ok(())
}

/// Says stop at the first look only.
struct Once(Cell<bool>);

impl Interrupt for Once {
    fn check(&self) -> Result<(), Error> {
        if self.0.replace(true) { Ok(()) } else { Err(Error::Interrupted) }
    }
}

#[test]
fn a_counter_that_was_interrupted_counts_the_next_text_from_the_start() -> Result<(), Error> {
    // All words are new, so that some wait to be counted at any time but for one in 32.
    let letter = |number: u32| char::from(b'a' + (number % 26) as u8);
    let words =
        (0..5_000).map(|number| String::from_iter([' ', letter(number / 676), letter(number / 26), letter(number)]));
    let text = words.collect::<String>();
    let (mut caches, once) = (Caches::new(), Once(Cell::new(false)));
    let mut counter = Counter::<O200k>::new(Encoding::O200kBase.vocabulary()?, &mut caches, &once);
    assert_eq!(counter.count(&text), Err(Error::Interrupted));
    assert!(counter.pieces.waiting > 0, "nothing was put off when the interrupt came");
    assert_eq!(counter.count("Hello, world!"), Ok(4));
    Ok(())
}

#[test]
fn every_way_of_counting_a_long_text_looks_at_the_interrupt() {
    let letters: String = (0..20_000_u32).map(|at| char::from(b'a' + (at * at / 7 % 23) as u8)).collect();
    let long = |unit: &str| unit.repeat((4 << 20) / unit.len());
    for (text, least) in [
        ("word ".repeat(10_000), 2),
        (letters, 2),
        ("中文字漢".repeat(5_000), 2),
        ("字 ".repeat(10_000), 2),
        // Three times all bytes of a run are looked at, of one without cuts once more: a look in 256 KiB each.
        (long("a"), 48),
        (long("A"), 48),
        (long(" "), 48),
        (long("\n"), 48),
        (long("!"), 48),
        (long("e\u{301}"), 48),
        (long("哈"), 32),
        (long("abcdefg"), 100),
    ] {
        let count = |vocabulary, caches: &mut Caches, looks: &Looks| {
            Counter::<Cl100k>::new(vocabulary, caches, looks).count(&text).map(drop)
        };
        let seen = looks(|looks| count(Encoding::Cl100kBase.vocabulary()?, &mut Caches::new(), looks));
        assert!(seen >= least, "{seen} looks at {}", text.chars().take(8).collect::<String>());
    }
}
