//! `truncate` against the definition: every number of graphemes is tried.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test panics
#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss
)] // of small numbers

use std::cell::Cell;

use brimful_core::boundary::Boundary;
use brimful_core::error::Error;
use brimful_core::estimate::Rule;
use brimful_core::interrupt::{Interrupt, Never};
use brimful_core::parallel::set_threads;
use brimful_core::tokens::Encoding;
use brimful_core::truncate::{Cut, Options, Tokens, truncate};
use naive_truncate::{assemble, count};
use proptest::prelude::*;

#[path = "references/naive_truncate.rs"]
mod naive_truncate;

const TOKENS: [Tokens; 8] = [
    Tokens::Estimated(Rule::WordsDiv4),
    Tokens::Estimated(Rule::WordsTimes1_3),
    Tokens::Estimated(Rule::Utf16Div4),
    Tokens::Estimated(Rule::CharsDiv4),
    Tokens::Estimated(Rule::Script),
    Tokens::Estimated(Rule::ScriptSafe),
    Tokens::Exact(Encoding::Cl100kBase),
    Tokens::Exact(Encoding::O200kBase),
];
const CUTS: [Cut; 3] = [Cut::End, Cut::Start, Cut::Middle];
const BOUNDARIES: [Boundary; 3] = [Boundary::Grapheme, Boundary::Word, Boundary::Sentence];
const PIECES: [&str; 24] = [
    "a",
    "bc",
    "word",
    "12",
    "é",
    "e\u{301}",
    "\u{301}",
    "क्ष",
    "각",
    "東京",
    "🇩🇪",
    "👩\u{200D}👧",
    "\u{600}",
    " ",
    " ",
    "  ",
    "\n",
    "\u{3000}",
    ". ",
    "?! ",
    "。",
    "…",
    "” ",
    "x",
];
const MARKERS: [&str; 6] = ["", "…", " [cut] ", "x", " ", "\u{301}"];

fn options() -> impl Strategy<Value = Options<'static>> {
    (
        prop::sample::select(&TOKENS),
        prop::sample::select(&CUTS),
        prop::sample::select(&BOUNDARIES),
        prop::sample::select(&MARKERS),
    )
        .prop_map(|(tokens, cut, boundary, marker)| Options { tokens, cut, boundary, marker })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_longest_piece_that_fits_is_kept_at_every_budget(
        parts in prop::collection::vec(prop::sample::select(&PIECES), 0..30), options in options(),
    ) {
        let text = parts.concat();
        let budgets: Vec<i64> = (-1..=count(&text, options.tokens) + 1).collect();
        let texts = vec![&text; budgets.len()];

        let kept = truncate(&texts, &budgets, &options, &Never).unwrap();

        for (row, &budget) in budgets.iter().enumerate() {
            let piece = assemble(&text, &kept, row, options.marker);
            prop_assert_eq!(count(&piece, options.tokens), kept.tokens[row]);
            prop_assert!(kept.tokens[row] <= budget || piece.is_empty());
            prop_assert_eq!(naive_truncate::truncate(&text, budget, &options), (piece, kept.marked[row]), "{:?} {}", options, budget);
        }
    }

    #[test]
    fn texts_of_many_stretches_keep_what_the_definition_keeps(
        parts in prop::collection::vec(prop::sample::select(&PIECES), 1..12), times in 20_usize..60,
        options in options(), share in 0.0..1.0,
    ) {
        let text = parts.concat().repeat(times);
        let budget = (count(&text, options.tokens) as f64 * share) as i64;

        let kept = truncate(&[&text], &[budget], &options, &Never).unwrap();

        let expected = naive_truncate::truncate(&text, budget, &options);
        prop_assert_eq!(expected, (assemble(&text, &kept, 0, options.marker), kept.marked[0]));
    }
}

/// Counts the looks and never says stop.
struct Counts(Cell<u32>);

impl Interrupt for Counts {
    fn check(&self) -> Result<(), Error> {
        self.0.set(self.0.get() + 1);
        Ok(())
    }
}

#[test]
fn of_texts_of_10_mb_only_the_ends_are_read_for_places() {
    let texts = ["x".repeat(10_000_000), "A word. ".repeat(1_250_000), "東京。👩\u{200D}👧".repeat(500_000)];
    for boundary in BOUNDARIES {
        for cut in CUTS {
            let options = Options { tokens: Tokens::Estimated(Rule::Script), cut, boundary, marker: "…" };
            let looks = Counts(Cell::new(0));

            let kept = truncate(&texts, &[10; 3], &options, &looks).unwrap();

            // A look every 64 KiB counts the code points; a look every 4,096 characters would read for places.
            assert!(looks.0.get() < 700, "{boundary:?} {cut:?} {}", looks.0.get());
            assert!(kept.tokens.iter().all(|tokens| (5..=10).contains(tokens)), "{boundary:?} {cut:?} {kept:?}");
        }
    }
}

#[test]
fn threads_change_nothing() {
    let texts: Vec<String> = (0..3_000).map(|n| format!("Text {n} of many. {}", "Padding, ".repeat(n % 60))).collect();
    let budgets: Vec<i64> = (0..3_000).map(|n| n % 90).collect();
    let options = Options {
        tokens: Tokens::Estimated(Rule::Script),
        cut: Cut::Middle,
        boundary: Boundary::Sentence,
        marker: " [...] ",
    };
    let kept = [1, 2, 5].map(|threads| {
        set_threads(threads);
        truncate(&texts, &budgets, &options, &Never).unwrap()
    });
    set_threads(1);

    assert!(kept.iter().all(|columns| *columns == kept[0]));
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
fn an_interrupt_ends_the_work() {
    let text = "Some words. ".repeat(200_000);
    let options =
        Options { tokens: Tokens::Estimated(Rule::CharsDiv4), cut: Cut::Middle, boundary: Boundary::Word, marker: "" };
    for looks in [0, 50, 200, 500] {
        let interrupt = StopsAt(Cell::new(looks));
        assert_eq!(Err(Error::Interrupted), truncate(&[&text], &[400_000], &options, &interrupt), "{looks}");
    }
}

#[test]
fn an_unknown_cut_is_refused() {
    assert_eq!(Err(Error::UnknownOption { option: "cut" }), Cut::parse("both"));
    assert_eq!(["end", "start", "middle"].map(Cut::parse), CUTS.map(Ok));
}
