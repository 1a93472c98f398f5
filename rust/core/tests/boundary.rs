//! Places to cut at, against the definition on whole texts.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test panics

use brimful_core::boundary::{Boundary, Heads, Place, Tails};
use brimful_core::error::Error;
use brimful_core::interrupt::{Interrupt, Never, Pace};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

const BOUNDARIES: [Boundary; 3] = [Boundary::Grapheme, Boundary::Word, Boundary::Sentence];
const PIECES: [&str; 40] = [
    "a",
    "b",
    "Z",
    "1",
    "é",
    "e\u{301}",
    "\u{301}",
    "\u{301}\u{323}",
    "ß",
    "नि",
    "क्ष",
    "क\u{94D}",
    "हिन्दी",
    "가",
    "각",
    "\u{1100}",
    "\u{1161}",
    "\u{302E}",
    "東",
    "ひ",
    "カ",
    "ย",
    "🇦",
    "🇩🇪",
    "👩\u{200D}👧",
    "👩",
    "\u{200D}",
    "\u{600}",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\u{1C}",
    "\u{3000}",
    ".",
    "?!",
    "。",
    "…",
    "”",
    ")",
];

fn heads(text: &str, boundary: Boundary) -> Vec<Place> {
    let (mut heads, pace) = (Heads::new(text, boundary), Pace::new(&Never));
    let mut places = Vec::new();
    while places.last().map_or(0, |place: &Place| place.at) < text.len() {
        places.push(heads.next(&pace).expect("nothing interrupts"));
    }
    places
}

fn tails(text: &str, boundary: Boundary) -> Vec<Place> {
    let (mut tails, pace) = (Tails::new(text, boundary), Pace::new(&Never));
    let mut places = Vec::new();
    while places.last().map_or(text.len(), |place: &Place| place.at) > 0 {
        places.push(tails.next(&pace).expect("nothing interrupts"));
    }
    places
}

fn ends(text: &str, boundary: Boundary) -> Vec<usize> {
    heads(text, boundary).into_iter().filter(|place| place.may_end).map(|place| place.at).collect()
}

fn beginnings(text: &str, boundary: Boundary) -> Vec<usize> {
    tails(text, boundary).into_iter().filter(|place| place.may_begin).map(|place| place.at).rev().collect()
}

fn is_blank(grapheme: &str) -> bool {
    grapheme.chars().all(|c| c.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&c))
}

/// Whether a sentence ends before `at`, by the definition; of the characters of `PIECES`.
fn ends_sentence(text: &str, at: usize) -> bool {
    let is_ended = text[..at].trim_end_matches(['”', ')']).ends_with(['.', '!', '?', '。', '…']);
    let is_unspaced = |c| "가각\u{1100}\u{1161}\u{302E}東ひカ".contains(c);
    is_ended && text[at..].chars().next().is_some_and(|c| is_blank(&c.to_string()) || is_unspaced(c))
}

fn is_alphanumeric(c: char) -> bool {
    c.is_alphanumeric() || "\u{301}\u{323}\u{302E}\u{94D}\u{93F}\u{940}".contains(c)
}

/// Where words or sentences are parted, beginning of the text included.
fn parts(text: &str, at: usize, boundary: Boundary) -> bool {
    let (Some(before), Some(after)) = (text[..at].chars().next_back(), text[at..].chars().next()) else { return true };
    match boundary {
        Boundary::Grapheme => true,
        Boundary::Word => !(is_alphanumeric(before) && is_alphanumeric(after)),
        Boundary::Sentence => ends_sentence(text, at),
    }
}

/// The ends and the beginnings that are neither the first nor the last position.
fn naive(text: &str, boundary: Boundary) -> (Vec<usize>, Vec<usize>) {
    let graphemes: Vec<(usize, &str)> = text.grapheme_indices(true).collect();
    let strips = |grapheme| boundary != Boundary::Grapheme && is_blank(grapheme);
    let (mut ends, mut beginnings) = (Vec::new(), Vec::new());
    for cut in (0..graphemes.len()).filter(|&index| parts(text, graphemes[index].0, boundary)) {
        let blanks = graphemes[..cut].iter().rev().take_while(|(_, grapheme)| strips(grapheme)).count();
        ends.extend(graphemes.get(cut - blanks).map(|&(at, _)| at));
        beginnings.extend(graphemes[cut..].iter().find(|(_, grapheme)| !strips(grapheme)).map(|&(at, _)| at));
    }
    ends.retain(|&at| at > 0);
    ends.dedup();
    beginnings.dedup();
    (ends, beginnings)
}

proptest! {
    #[test]
    fn places_are_those_of_the_definition(parts in prop::collection::vec(prop::sample::select(&PIECES), 0..24)) {
        let text = parts.concat();
        for boundary in BOUNDARIES {
            let expected = naive(&text, boundary);
            prop_assert_eq!(&expected, &(ends(&text, boundary), beginnings(&text, boundary)), "{:?}", boundary);
        }
    }

    #[test]
    fn places_are_the_same_from_both_ends_of_a_text_of_many_stretches(
        parts in prop::collection::vec(prop::sample::select(&PIECES), 0..12), times in 100_usize..300,
    ) {
        let text = parts.concat().repeat(times);
        let graphemes: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).collect();
        for boundary in BOUNDARIES {
            let (heads, tails) = (heads(&text, boundary), tails(&text, boundary));
            prop_assert_eq!(graphemes.get(1..).unwrap_or(&[]), heads.iter().map(|place| place.at)
                .filter(|&at| at < text.len()).collect::<Vec<_>>());
            prop_assert_eq!(&graphemes, &tails.iter().rev().map(|place| place.at).collect::<Vec<_>>());
            prop_assert!(tails.iter().rev().skip(1).zip(&heads).all(|(one, other)| one == other));
        }
    }
}

#[test]
fn words_are_not_split_and_lose_the_white_space_beside_them() {
    let text = " don't  stop";

    assert_eq!(vec![4, 5, 6], ends(text, Boundary::Word));
    assert_eq!(vec![1, 4, 5, 8], beginnings(text, Boundary::Word));
}

#[test]
fn a_sentence_takes_its_closing_quotes_and_brackets() {
    let text = "(\"Ah!\") Oh?” v1.5 is out";

    assert_eq!(vec![7, 14], ends(text, Boundary::Sentence));
    assert_eq!(vec![0, 8, 15], beginnings(text, Boundary::Sentence));
}

#[test]
fn a_sentence_ends_before_characters_that_need_no_space() {
    assert_eq!(vec![9], ends("東京。京都！a。", Boundary::Sentence));
}

#[test]
fn a_grapheme_that_only_begins_with_white_space_is_kept() {
    assert_eq!(vec![0, 1, 4], beginnings("a \u{301}b", Boundary::Grapheme));
    assert_eq!(vec![0, 1], beginnings("a \u{301}b", Boundary::Word));
}

#[test]
fn an_unknown_boundary_is_refused() {
    assert_eq!(Err(Error::UnknownOption { option: "boundary" }), Boundary::parse("line"));
    assert_eq!(["grapheme", "word", "sentence"].map(Boundary::parse), BOUNDARIES.map(Ok));
}

struct Always;

impl Interrupt for Always {
    fn check(&self) -> Result<(), Error> {
        Err(Error::Interrupted)
    }
}

#[test]
fn an_interrupt_ends_the_reading_of_a_text_without_a_fresh_position() {
    let text = "\u{301}".repeat(10_000);

    assert_eq!(Err(Error::Interrupted), Heads::new(&text, Boundary::Word).next(&Pace::new(&Always)));
    assert_eq!(Err(Error::Interrupted), Tails::new(&text, Boundary::Word).next(&Pace::new(&Always)));
}
