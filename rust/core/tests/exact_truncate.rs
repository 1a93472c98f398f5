//! `truncate` by exact tokens against the definition, on texts made to break shortcuts: counts that fall, runs, joints.

#![allow(clippy::unwrap_used)] // a test panics
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)] // of small numbers

use std::cell::Cell;

use brimful_core::boundary::Boundary;
use brimful_core::error::Error;
use brimful_core::interrupt::{Interrupt, Never};
use brimful_core::tokens::Encoding;
use brimful_core::truncate::{Cut, Options, Tokens, truncate};
use naive_truncate::assemble;
use proptest::prelude::*;

#[path = "references/naive_truncate.rs"]
mod naive_truncate;

const CUTS: [Cut; 3] = [Cut::End, Cut::Start, Cut::Middle];
const WORDS: [&str; 20] = [
    "international",
    "antidisestablish",
    " the",
    "A",
    "AAb",
    "'s",
    "'LL",
    "don't",
    "中A",
    "字",
    "é",
    "\u{301}",
    "  ",
    "\n",
    "\r\n ",
    "!",
    "/",
    "123",
    "4",
    "ſ",
];
/// Of each, texts are long runs: letters in both cases, Han, symbols, marks, numbers, white space, contractions.
const ALPHABETS: [&[&str]; 18] = [
    &["x"],
    &["a", "b", "q"],
    &["A", "b"],
    &["A"],
    &["中", "的", "字", "一"],
    &["中", "A"],
    &["é", "e\u{301}"],
    &["!"],
    &["=", "-"],
    &["!", "\u{301}"],
    &["\u{301}", "क"],
    &["1", "2"],
    &[" "],
    &["\n", " "],
    &["\n", "/"],
    &["'", "s", "l"],
    &["* "],
    &["日本", "ab", " "],
];
const MARKERS: [&str; 12] = ["", "…", " [...]", "\n", " ", "x", "A", "1", "'s", "/", "中", "\u{301}"];

/// Twice what the dearest text takes, which is one that is read twice on either side; reading it for every piece takes
/// thousands of times as many.
const LOOKS: u32 = 3000;

fn encodings() -> impl Strategy<Value = Encoding> {
    prop::sample::select(&Encoding::ALL)
}

fn options() -> impl Strategy<Value = Options<'static>> {
    (
        encodings(),
        prop::sample::select(&CUTS),
        prop::sample::select(&Boundary::COARSEST_FIRST),
        prop::sample::select(&MARKERS),
    )
        .prop_map(|(encoding, cut, boundary, marker)| Options {
            tokens: Tokens::Exact(encoding),
            cut,
            boundary,
            marker,
        })
}

/// Runs of an alphabet each, with a word between them.
fn runs() -> impl Strategy<Value = String> {
    let run = prop::sample::select(&ALPHABETS)
        .prop_flat_map(|alphabet| prop::collection::vec(prop::sample::select(alphabet), 0..300))
        .prop_map(|parts| parts.concat());
    let run = (run, 1_usize..8).prop_map(|(run, times)| {
        if run.trim_matches(run.chars().next().unwrap_or(' ')).is_empty() { run.repeat(times) } else { run }
    });
    let word = prop::sample::select(&WORDS);
    prop::collection::vec((word, run), 1..3)
        .prop_map(|parts| parts.into_iter().flat_map(|(word, run)| [word.to_owned(), run]).collect())
}

fn check(text: &str, budget: i64, options: &Options<'_>) -> Result<(), TestCaseError> {
    let kept = truncate(&[text], &[budget], options, &Never).unwrap();

    let piece = assemble(text, &kept, 0, options.marker);
    prop_assert_eq!(naive_truncate::count(&piece, options.tokens), kept.tokens[0]);
    prop_assert_eq!(
        naive_truncate::truncate(text, budget, options),
        (piece, kept.marked[0]),
        "{:?} {}",
        options,
        budget
    );
    Ok(())
}

fn share(text: &str, share: f64, options: &Options<'_>) -> i64 {
    (naive_truncate::count(text, options.tokens) as f64 * share) as i64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn words_are_cut_as_the_definition_says(
        parts in prop::collection::vec(prop::sample::select(&WORDS), 1..40), options in options(), part in 0.0..1.0,
    ) {
        let text = parts.concat();
        check(&text, share(&text, part, &options), &options)?;
    }

    #[test]
    fn any_text_is_cut_as_the_definition_says(text in "\\PC{1,60}", options in options(), part in 0.0..1.0) {
        check(&text, share(&text, part, &options), &options)?;
    }

    #[test]
    fn runs_are_cut_as_the_definition_says(text in runs(), options in options(), part in 0.0..1.0) {
        check(&text, share(&text, part, &options), &options)?;
    }
}

#[test]
fn a_word_is_kept_though_its_beginning_is_over() {
    let options = Options {
        tokens: Tokens::Exact(Encoding::Cl100kBase),
        cut: Cut::End,
        boundary: Boundary::Grapheme,
        marker: "",
    };
    let texts = ["international treaty", "an international treaty", "internationa", "a \n\n\n\n b"];

    let kept = truncate(&texts, &[1, 2, 1, 2], &options, &Never).unwrap();

    // "internationa" has 3 tokens and "international" has 1; the same with white space before a letter.
    assert_eq!(kept.heads, [13, 16, 6, 6]);
}

#[test]
fn the_longest_piece_often_lies_behind_one_that_is_over() {
    let text =
        "Internationalisierungsmaßnahmen: antidisestablishmentarianism, \n\n\n extraordinarily uncharacteristically.";
    for encoding in Encoding::ALL {
        let tokens = Tokens::Exact(encoding);
        let options = Options { tokens, cut: Cut::End, boundary: Boundary::Grapheme, marker: "" };
        let budgets: Vec<i64> = (1..naive_truncate::count(text, tokens)).collect();

        let kept = truncate(&vec![text; budgets.len()], &budgets, &options, &Never).unwrap();

        let is_over = |end: usize, budget: i64| {
            naive_truncate::count(&text.chars().take(end).collect::<String>(), tokens) > budget
        };
        let behind = budgets
            .iter()
            .zip(&kept.heads)
            .filter(|&(&budget, &head)| (0..head).any(|end| is_over(usize::try_from(end).unwrap(), budget)));
        assert!(behind.count() > 5, "{encoding:?}");
    }
}

/// Counts the looks and stops at the one of that number.
struct StopsAt(Cell<u32>);

impl Interrupt for StopsAt {
    fn check(&self) -> Result<(), Error> {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        if left == 0 { Err(Error::Interrupted) } else { Ok(()) }
    }
}

/// A quarter of a megabyte each of prose, of what is one pre-token, and of what has no place that parts tokens for certain.
fn long_texts() -> Vec<String> {
    let letters: String =
        (0_u32..1 << 18).map(|n| char::from(b'a' + (n.wrapping_mul(2_654_435_761) >> 24) as u8 % 26)).collect();
    let mut texts: Vec<String> = ["A word of prose. ", "字", " ", "\n ", "!", ". ", "1", "'s", "中A", "\u{301}"]
        .iter()
        .map(|part| part.repeat((1 << 18) / part.len()))
        .collect();
    texts.extend(["\n".to_owned() + &texts[2] + "\n", letters]);
    texts
}

#[test]
fn of_long_texts_as_much_is_counted_as_the_budget_reaches() {
    for (encoding, cut) in Encoding::ALL.into_iter().flat_map(|encoding| CUTS.map(|cut| (encoding, cut))) {
        let tokens = Tokens::Exact(encoding);
        let options = Options { tokens, cut, boundary: Boundary::Grapheme, marker: "…" };
        for text in long_texts() {
            let looks = StopsAt(Cell::new(u32::MAX));

            let kept = truncate(&[&text], &[500], &options, &looks).unwrap();

            let piece = assemble(&text, &kept, 0, "…");
            assert_eq!(naive_truncate::count(&piece, tokens), kept.tokens[0]);
            let is_kept = kept.tokens[0] > 490 || text.starts_with('\u{301}');
            assert!(is_kept, "{encoding:?} {cut:?} {:?} {kept:?}", text.chars().next());
            let looked = u32::MAX - looks.0.get();
            assert!(looked < LOOKS, "{encoding:?} {cut:?} {:?} {looked}", text.chars().next());
        }
    }
}

#[test]
fn an_interrupt_ends_the_work_on_one_long_pre_token() {
    let text = "字".repeat(1 << 18);
    for encoding in Encoding::ALL {
        let options =
            Options { tokens: Tokens::Exact(encoding), cut: Cut::Middle, boundary: Boundary::Grapheme, marker: "" };
        for looks in [0, 5, 20] {
            let interrupt = StopsAt(Cell::new(looks));
            assert_eq!(Err(Error::Interrupted), truncate(&[&text], &[100_000], &options, &interrupt), "{looks}");
        }
    }
}
