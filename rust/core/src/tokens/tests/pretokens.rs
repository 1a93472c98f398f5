//! Texts that are easily cut wrong, with the pieces that the published patterns give in another engine.

use proptest::prelude::*;

use super::{Cl100k, O200k, Pattern};
use crate::tokens::reference::{edgy_text, end_of};

/// The pieces of a text, if each ends where a character does.
fn split<P: Pattern>(text: &str) -> Option<Vec<&str>> {
    let (mut at, mut pieces) = (0, Vec::new());
    while at < text.len() {
        let end = end_of::<P>(text.as_bytes(), at);
        pieces.push(text.get(at..end).filter(|piece| !piece.is_empty())?);
        at = end;
    }
    Some(pieces)
}

/// Text, pieces of `cl100k_base`, and those of `o200k_base` where they are others.
type Trap = (&'static str, &'static [&'static str], Option<&'static [&'static str]>);

fn assert_cut(traps: &[Trap]) {
    for &(text, cl100k, o200k) in traps {
        assert_eq!(split::<Cl100k>(text).as_deref(), Some(cl100k), "cl100k_base of {text:?}");
        assert_eq!(split::<O200k>(text).as_deref(), Some(o200k.unwrap_or(cl100k)), "o200k_base of {text:?}");
    }
}

#[test]
fn contractions_are_cut_off_or_joined() {
    assert_cut(&[
        (
            "it's IT'S he'lL I'vE",
            &["it", "'s", " IT", "'S", " he", "'lL", " I", "'vE"],
            Some(&["it's", " IT'S", " he'lL", " I'vE"]),
        ),
        ("'tis 's'S'ſ", &["'t", "is", " '", "s", "'S", "'ſ"], Some(&["'tis", " '", "s'S", "'ſ"])),
        ("x'ſy", &["x", "'ſ", "y"], Some(&["x'ſ", "y"])),
        ("'rEx'lLA", &["'rE", "x", "'lL", "A"], Some(&["'r", "Ex'lL", "A"])),
        ("she'Da", &["she", "'D", "a"], Some(&["she'D", "a"])),
        ("中's文", &["中", "'s", "文"], Some(&["中's", "文"])),
        ("'\u{212A} 'ı", &["'\u{212A}", " '", "ı"], None),
        ("it\u{2019}s", &["it", "\u{2019}s"], None),
    ]);
}

#[test]
fn white_space_is_cut_behind_newlines_and_before_words() {
    assert_cut(&[
        ("a \n \n  ", &["a", " \n \n  "], Some(&["a", " \n \n", "  "])),
        ("a   b\t\tc\n  d \n\n e", &["a", "  ", " b", "\t", "\tc", "\n", " ", " d", " \n\n", " e"], None),
        ("  123   45", &[" ", " ", "123", "  ", " ", "45"], None),
        ("a\r\n\r\nb\r\n ", &["a", "\r\n\r\n", "b", "\r\n "], Some(&["a", "\r\n\r\n", "b", "\r\n", " "])),
        ("a\u{2028}\u{2028}b\u{A0}\u{A0}d", &["a", "\u{2028}", "\u{2028}b", "\u{A0}", "\u{A0}d"], None),
        ("a\u{3000}\u{3000}字", &["a", "\u{3000}", "\u{3000}字"], None),
        ("a\u{1C}\u{1D}b \u{1F}c", &["a", "\u{1C}\u{1D}", "b", " \u{1F}", "c"], None),
    ]);
}

#[test]
fn numbers_are_cut_by_threes() {
    assert_cut(&[("12345", &["123", "45"], None), ("²½ⅧⅧA", &["²½Ⅷ", "Ⅷ", "A"], None), ("12٣४", &["12٣", "४"], None)]);
}

#[test]
fn case_splits_words_in_one_pattern_only() {
    assert_cut(&[
        ("中文ABC", &["中文ABC"], Some(&["中文", "ABC"])),
        ("中文ABCd", &["中文ABCd"], None),
        ("HTTPServer XMLHttp", &["HTTPServer", " XMLHttp"], None),
        ("ǅungla AǅB", &["ǅungla", " AǅB"], None),
        ("e\u{301}a \u{301}A", &["e", "\u{301}a", " \u{301}", "A"], Some(&["e\u{301}a", " \u{301}", "A"])),
        ("\u{301}A", &["\u{301}A"], Some(&["\u{301}", "A"])),
        (
            "1\u{301}Ab\n\u{301}AB",
            &["1", "\u{301}Ab", "\n", "\u{301}AB"],
            Some(&["1", "\u{301}Ab", "\n", "\u{301}", "AB"]),
        ),
        ("\u{301}\u{301} \u{301}\n", &["\u{301}\u{301}", " \u{301}\n"], Some(&["\u{301}\u{301}", " \u{301}", "\n"])),
        ("!!\u{301}a", &["!!\u{301}", "a"], None),
        ("\u{1C89}\u{1C8A}", &["\u{1C89}\u{1C8A}"], None),
        ("aǅ中Bc", &["aǅ中Bc"], Some(&["a", "ǅ中Bc"])),
    ]);
}

#[test]
fn symbols_take_newlines_behind_them() {
    assert_cut(&[
        ("a!/\n/\r/b ///\n", &["a", "!/\n", "/\r", "/b", " ///\n"], Some(&["a", "!/\n/\r/", "b", " ///\n"])),
        ("a / b", &["a", " /", " b"], None),
        (" !? b\n\n==\n\n", &[" !?", " b", "\n\n", "==\n\n"], None),
        ("\u{FEFF}a a\u{200D}b", &["\u{FEFF}a", " a", "\u{200D}b"], None),
        ("\u{1F468}\u{200D}\u{1F469} می\u{200C}خ", &["\u{1F468}\u{200D}\u{1F469}", " می", "\u{200C}خ"], None),
        ("<|endoftext|>", &["<|", "endoftext", "|>"], None),
        ("_a __b -c", &["_a", " __", "b", " -", "c"], None),
    ]);
}

fn assert_covered<P: Pattern>(text: &str) -> Result<(), TestCaseError> {
    let joined = split::<P>(text).map(|pieces| pieces.concat());
    prop_assert_eq!(joined.as_deref(), Some(text));
    let mut at = 0;
    while at < text.len() {
        let end = end_of::<P>(text.as_bytes(), at);
        prop_assert_eq!(end_of::<P>(&text.as_bytes()[at..], 0), end - at, "what is before {} does not matter", at);
        at = end;
    }
    Ok(())
}

proptest! {
    #[test]
    fn pieces_cover_the_text_and_do_not_depend_on_what_is_before(text in prop_oneof![edgy_text(60, 3), ".*"]) {
        assert_covered::<Cl100k>(&text)?;
        assert_covered::<O200k>(&text)?;
    }
}
