//! The certain starts of a block against the exact reading, at every place of hostile texts.

use std::marker::PhantomData;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::starts;
use crate::tokens::pretokens::{Cl100k, O200k, Pattern};
use crate::tokens::reference::{edgy_text, end_of};
use crate::tokens::vectors::{BLOCK, Portable, Vectors, Work, with_vectors};

const TEXTS: usize = 1_500;

struct Starts<'b, P>(&'b [u8; BLOCK], PhantomData<P>);

impl<P: Pattern> Work for Starts<'_, P> {
    type Output = u64;
    fn run<V: Vectors>(self, vectors: V) -> u64 {
        starts::<P>(&vectors.classify(self.0), self.0)
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
            let mut block = [u8::MAX; BLOCK];
            let length = rest.len().min(BLOCK);
            block[..length].copy_from_slice(&rest[..length]);
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
fn starts_are_exact_before_wide_characters() -> Result<(), String> {
    for tally in tallies(12)? {
        assert!(2 * tally.with_starts > tally.blocks, "{} of {}", tally.with_starts, tally.blocks);
    }
    Ok(())
}

#[test]
fn no_start_is_certain_at_a_wide_character_or_in_one_long_word() {
    for text in ["é".repeat(32), "a".repeat(BLOCK), " ".repeat(BLOCK), format!(" é{}", "a ".repeat(31))] {
        let block = text.as_bytes().first_chunk::<BLOCK>().copied().unwrap_or([0; BLOCK]);
        assert_eq!(Starts::<Cl100k>(&block, PhantomData).run(Portable), 0, "{text:?}");
        assert_eq!(Starts::<O200k>(&block, PhantomData).run(Portable), 0, "{text:?}");
    }
}
