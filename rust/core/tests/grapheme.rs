//! Grapheme clusters against `unicode-segmentation` 1.12.0, which is of Unicode 16.0.

use brimful_core::grapheme::{Cursor, breaks};
use proptest::prelude::*;
use unicode_segmentation::{UNICODE_VERSION, UnicodeSegmentation};

/// A character of each break class and conjunct class: CR, LF, Control, Extend (that is a conjunct extend, that is
/// none), ZWJ, `Regional_Indicator`, Prepend, `SpacingMark`, L, V, T, LV, LVT, pictograph, consonant, linker, other.
const PROBES: [char; 18] = [
    '\r', '\n', '\u{1}', '\u{308}', '\u{200C}', '\u{200D}', '🇦', '\u{600}', '\u{903}', '\u{1100}', '\u{1160}',
    '\u{11A8}', '가', '각', '👩', 'क', '\u{94D}', 'a',
];

fn expected(text: &str) -> Vec<usize> {
    text.grapheme_indices(true).map(|(at, _)| at).collect()
}

fn check(text: &str) {
    assert_eq!(expected(text), breaks(text).collect::<Vec<_>>(), "{text:?}");
}

/// Each string stands on a line of its own: every cluster ends at a control.
fn check_among_probes(c: char) {
    let contexts = format!("क\u{94D}{c}क\nक{c}\u{94D}क\n👩{c}\u{200D}👩\n{c}👩\n{c}क\n{c}가\n🇦{c}🇦🇦\n{c}🇦\n🇦🇦{c}\n");
    let between = PROBES.into_iter().flat_map(|probe| [probe, c, probe, '\n']);
    check(&contexts.chars().chain(between).collect::<String>());
}

/// Han, Tangut, private use and nothing: a shorter text still tells any class of theirs from Other.
fn is_uniform(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{E000}'..='\u{F8FF}' | '\u{14400}'..='\u{160FF}')
        || matches!(c, '\u{17000}'..='\u{1AFFF}' | '\u{20000}'..='\u{DFFFF}' | '\u{E1000}'..)
}

#[test]
fn every_character_of_plane_0_breaks_as_in_the_reference() {
    ('\0'..='\u{FFFF}').filter(|&c| !is_uniform(c)).for_each(check_among_probes);
}

#[test]
fn every_character_of_the_other_planes_breaks_as_in_the_reference() {
    ('\u{10000}'..=char::MAX).filter(|&c| !is_uniform(c)).for_each(check_among_probes);
}

#[test]
fn every_character_of_uniform_blocks_breaks_as_in_the_reference() {
    let uniform: Vec<char> = ('\0'..=char::MAX).filter(|&c| is_uniform(c)).collect();
    for characters in uniform.chunks(64) {
        check(&characters.iter().flat_map(|&c| [c, '\u{600}', c, '\u{200D}', '👩']).collect::<String>());
    }
}

#[test]
fn the_empty_text_has_no_cluster() {
    assert_eq!(None, breaks("").next());
}

#[test]
fn a_cluster_of_a_million_marks_is_one() {
    let text = format!("a{}b", "\u{301}".repeat(1_000_000));
    assert_eq!(vec![0, 2_000_001], breaks(&text).collect::<Vec<_>>());
}

#[test]
fn the_reference_crate_is_of_the_same_unicode_version() {
    assert_eq!((16, 0, 0), UNICODE_VERSION);
}

proptest! {
    #[test]
    fn random_sequences_of_probes_break_as_in_the_reference(
        characters in prop::collection::vec(prop_oneof![9 => prop::sample::select(&PROBES), 1 => any::<char>()], 0..24),
    ) {
        let text: String = characters.into_iter().collect();
        prop_assert_eq!(expected(&text), breaks(&text).collect::<Vec<_>>());
    }

    #[test]
    fn a_cursor_begins_clusters_where_they_break(text in any::<String>()) {
        let mut cursor = Cursor::new();
        let begun: Vec<usize> = text.char_indices().filter(|&(_, c)| cursor.begins(c)).map(|(at, _)| at).collect();
        prop_assert_eq!(expected(&text), begun);
    }
}
