//! The table against two crates of Unicode 16.0, for every code point.
#![allow(clippy::expect_used, clippy::panic, reason = "a test that fails may say so by a panic")]

use brimful_core::unicode::{self, Class, Script, class, lower, script};
use regex_syntax::hir::{Class as HirClass, HirKind};

/// Every character; surrogates are none.
fn all() -> impl Iterator<Item = char> {
    '\0'..=char::MAX
}

/// Whether each code point matches a character class, by the tables of `regex-syntax` 0.8.11 (Unicode 16.0).
fn matching(pattern: &str) -> Vec<bool> {
    let parsed = regex_syntax::parse(pattern).expect("a pattern that the crate knows");
    let HirKind::Class(HirClass::Unicode(ranges)) = parsed.kind() else {
        panic!("{pattern} is not a class");
    };
    let mut matches = vec![false; 0x11_0000];
    for range in ranges.ranges() {
        matches[range.start() as usize..=range.end() as usize].fill(true);
    }
    matches
}

fn assert_same(pattern: &str, holds: impl Fn(char) -> bool) {
    let expected = matching(pattern);
    let different: Vec<char> = all().filter(|&c| holds(c) != expected[c as usize]).collect();
    assert!(different.is_empty(), "{pattern}: {different:?}");
}

#[test]
fn each_class_is_its_general_categories_or_white_space() {
    assert_same(r"[\p{Lu}\p{Lt}]", |c| class(c) == Class::Upper);
    assert_same(r"\p{Ll}", |c| class(c) == Class::Lower);
    assert_same(r"[\p{Lm}\p{Lo}]", |c| class(c) == Class::OtherLetter);
    assert_same(r"\p{M}", |c| class(c) == Class::Mark);
    assert_same(r"\p{N}", |c| class(c) == Class::Number);
    assert_same(r"\p{White_Space}", |c| class(c) == Class::WhiteSpace);
    assert_same(r"\p{Pc}", |c| class(c) == Class::Connector);
    assert_same(r"[^\p{L}\p{M}\p{N}\p{White_Space}\p{Pc}]", |c| class(c) == Class::Other);
}

#[test]
fn each_question_is_answered_by_its_classes() {
    assert_same(r"\p{L}", unicode::is_letter);
    assert_same(r"[\p{Lu}\p{Lt}]", unicode::is_upper);
    assert_same(r"\p{M}", unicode::is_mark);
    assert_same(r"\p{N}", unicode::is_number);
    assert_same(r"[\p{L}\p{M}\p{N}]", unicode::is_alphanumeric);
    assert_same(r"\p{White_Space}", unicode::is_white_space);
    assert_same(r"[\p{White_Space}\x1C-\x1F]", unicode::is_word_space);
}

#[test]
fn each_script_group_is_its_scripts() {
    assert_same(r"\p{Han}", |c| script(c) == Script::Han);
    assert_same(r"[\p{Hiragana}\p{Katakana}ーｰ]", |c| script(c) == Script::Kana);
    assert_same(r"\p{Hangul}", |c| script(c) == Script::Hangul);
    assert_same(r"\p{Thai}", |c| script(c) == Script::Thai);
    assert_same(r"\p{Lao}", |c| script(c) == Script::Lao);
    assert_same(r"\p{Khmer}", |c| script(c) == Script::Khmer);
    assert_same(r"\p{Myanmar}", |c| script(c) == Script::Myanmar);
}

#[test]
fn lower_case_is_that_of_unicode_16_but_for_final_sigma() {
    for c in all() {
        let expected: String = match unicode_case_mapping::to_lowercase(c) {
            _ if c == 'ς' => "σ".into(),
            [0, _] => c.into(),
            mapped => mapped.into_iter().filter(|&code| code != 0).filter_map(char::from_u32).collect(),
        };
        assert_eq!(expected, lower(c).collect::<String>(), "U+{:04X}", u32::from(c));
    }
}

#[test]
fn dotted_capital_i_lowers_to_two_characters() {
    assert_eq!(2, lower('İ').len());
    assert_eq!("i\u{307}", lower('İ').collect::<String>());
}

#[test]
fn the_reference_crate_is_of_the_same_unicode_version() {
    assert_eq!((16, 0, 0), unicode_case_mapping::UNICODE_VERSION);
}
