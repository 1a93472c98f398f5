//! The certain starts of a block against the exact reading, at every place of hostile texts.

use std::marker::PhantomData;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::{READ, pad, starts};
use crate::tokens::pretokens::{Cl100k, O200k, Pattern};
use crate::tokens::reference::{edgy_text, end_of};
use crate::vectors::{BLOCK, Portable, Vectors, Work, with_vectors};

const TEXTS: usize = 1_500;

struct Starts<'b, P>(&'b [u8; READ], PhantomData<P>);

impl<P: Pattern> Work for Starts<'_, P> {
    type Output = u64;
    fn run<V: Vectors>(self, vectors: V) -> u64 {
        starts::<P>(vectors, self.0)
    }
}

/// The starts in the first block of a text, the first of them left out, as the pattern finds them one by one.
fn exact_starts<P: Pattern>(text: &[u8]) -> u64 {
    let (mut at, mut starts) = (end_of::<P>(text, 0), 0);
    while at < BLOCK.min(text.len()) {
        starts |= 1 << at;
        at = end_of::<P>(text, at);
    }
    starts
}

/// How many blocks there were, how many had a certain start, and how many of all starts were certain.
#[derive(Default)]
struct Tally {
    blocks: u32,
    with_starts: u32,
    starts: u32,
    certain: u32,
}

impl Tally {
    /// Compares the blocks at all places of the text where one may begin.
    fn compare<P: Pattern>(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            // Behind the end stands what no rule takes for known.
            let block = pad(&rest[..rest.len().min(READ)]);
            let certain = Starts::<P>(&block, PhantomData).run(Portable);
            assert_eq!(with_vectors(Starts::<P>(&block, PhantomData)), certain, "{rest:?}");
            let exact = exact_starts::<P>(rest);
            let up_to_last = u64::MAX.checked_shr(certain.leading_zeros()).unwrap_or(0);
            assert_eq!(certain, exact & up_to_last, "{:?}", String::from_utf8_lossy(rest));
            self.blocks += 1;
            self.with_starts += u32::from(certain != 0);
            self.starts += exact.count_ones();
            self.certain += certain.count_ones();
            rest = &rest[end_of::<P>(rest, 0)..];
        }
    }
}

/// The tally of both patterns over texts of which one part in `wide_share` is not ASCII.
fn tallies(wide_share: u32) -> Result<[Tally; 2], String> {
    let (mut cl100k, mut o200k) = (Tally::default(), Tally::default());
    let (texts, mut runner) = (edgy_text(60, wide_share), TestRunner::deterministic());
    for _ in 0..TEXTS {
        let text = texts.new_tree(&mut runner).map_err(|reason| reason.to_string())?.current();
        cl100k.compare::<Cl100k>(&text);
        o200k.compare::<O200k>(&text);
    }
    Ok([cl100k, o200k])
}

#[test]
fn starts_are_exact_in_narrow_text_and_most_are_certain() -> Result<(), String> {
    for tally in tallies(10_000)? {
        assert!(10 * tally.with_starts > 9 * tally.blocks, "{} of {}", tally.with_starts, tally.blocks);
        assert!(10 * tally.certain > 8 * tally.starts, "{} of {}", tally.certain, tally.starts);
    }
    Ok(())
}

#[test]
fn starts_are_exact_among_wide_characters() -> Result<(), String> {
    for wide_share in [2, 12] {
        for tally in tallies(wide_share)? {
            assert!(2 * tally.with_starts > tally.blocks, "{} of {}", tally.with_starts, tally.blocks);
        }
    }
    Ok(())
}

/// Texts of few characters, so that every rule meets every kind of neighbour.
#[test]
fn starts_are_exact_where_kinds_meet_in_any_order() -> Result<(), String> {
    let kinds: Vec<char> =
        "aBéЖжÉǅ字カ한\u{301}\u{FE0F}😀。，\u{200D}\u{3000}\u{A0}٣½ſ'slLrE1 \n\r\t/!".chars().collect();
    let texts = proptest::collection::vec(proptest::sample::select(kinds), 1..40);
    let (mut cl100k, mut o200k, mut runner) = (Tally::default(), Tally::default(), TestRunner::deterministic());
    for _ in 0..4 * TEXTS {
        let text: String = texts.new_tree(&mut runner).map_err(|reason| reason.to_string())?.current().iter().collect();
        cl100k.compare::<Cl100k>(&text);
        o200k.compare::<O200k>(&text);
    }
    // One character in ten is left to the exact reading, and capitals behind letters without case are.
    for tally in [cl100k, o200k] {
        assert!(3 * tally.with_starts > tally.blocks, "{} of {}", tally.with_starts, tally.blocks);
    }
    Ok(())
}

/// The certain starts of both patterns in the first block of a text.
fn certain(text: &str) -> [u64; 2] {
    let read = pad(&text.as_bytes()[..READ]);
    [Starts::<Cl100k>(&read, PhantomData).run(Portable), Starts::<O200k>(&read, PhantomData).run(Portable)]
}

#[test]
fn no_start_is_certain_in_one_long_word_or_at_what_is_left_to_the_exact_reading() {
    for text in ["é".repeat(40), "a".repeat(READ), " ".repeat(READ), "字".repeat(30), format!(" ٣{}", "a ".repeat(40))]
    {
        assert_eq!(certain(&text), [0; 2], "{text:?}");
    }
}

#[test]
fn starts_in_common_scripts_are_certain() {
    for word in [" слово", " 한국어", "漢字、", "カタ。", " été", " 😀\u{FE0F}"] {
        for starts in certain(&word.repeat(READ)) {
            assert!(starts.count_ones() as usize >= BLOCK / word.len() - 1, "{word:?}: {starts:b}");
        }
    }
}
