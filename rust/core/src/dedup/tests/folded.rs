//! Folded texts against the text rules, in all ways of classing bytes.

use proptest::prelude::*;

use super::{Folded, Traits, traits};
use crate::interrupt::{Never, Pace};
use crate::text::{Words, lower, split_words};
use crate::unicode::{self, Class, Script};
use crate::vectors::{BLOCK, Portable, Vectors, Work, with_vectors, with_widest_vectors};

struct Read<'t>(&'t str, Words);

impl Work for Read<'_> {
    type Output = Folded;
    fn run<V: Vectors>(self, vectors: V) -> Folded {
        let mut folded = Folded::new(true, true);
        folded.read("a longer one before, Ünd wider", self.1, vectors, &Pace::new(&Never)).unwrap_or_default();
        folded.read(self.0, self.1, vectors, &Pace::new(&Never)).unwrap_or_default();
        folded
    }
}

fn words_of(folded: &Folded) -> Vec<String> {
    let is_inside = |at: usize| folded.planes.inside()[at / BLOCK] >> (at % BLOCK) & 1 == 1;
    let marked = (0..folded.planes.length()).map(|at| if is_inside(at) { folded.bytes[at] } else { b' ' });
    String::from_utf8_lossy(&marked.collect::<Vec<_>>()).split(' ').map(str::to_owned).collect()
}

/// Of each byte in lower case: whether a capital begins there, and whether it belongs to a number.
fn marks_of(text: &str) -> Vec<(bool, bool)> {
    let marks = |character: char| {
        let bytes: usize = unicode::lower(character).map(char::len_utf8).sum();
        let (capital, number) = (unicode::is_upper(character), unicode::is_number(character));
        (0..bytes).map(move |at| (capital && at == 0, number))
    };
    text.chars().flat_map(marks).collect()
}

fn marks_in(folded: &Folded) -> Vec<(bool, bool)> {
    let planes = &folded.planes;
    let is_number = |at: usize| planes.numbers()[at / BLOCK] >> (at % BLOCK) & 1 == 1;
    (0..planes.length()).map(|at| (planes.has_capital(at), is_number(at))).collect()
}

proptest! {
    #[test]
    fn the_words_are_those_of_the_text_rules(
        text in "([a-zA-Z ]{0,70}|[ a-zA-Z0-9.,\\x1B-\\x20\\x00-\\x0E]{0,5}|\\PC{0,9}|[İΣς東ÉéȺẞ\u{212A}Ж한𐐀\u{3000}\u{85}]{0,9}){0,9}",
    ) {
        for words in [Words::Whitespace, Words::Alphanumeric] {
            let lowered = lower(&text, &Pace::new(&Never)).unwrap_or_default();
            let expected: Vec<_> = split_words(&lowered, words).collect();
            let read = || Read(&text, words);
            for folded in [with_widest_vectors(read()), with_vectors(read()), read().run(Portable)] {
                prop_assert_eq!(lowered.as_bytes(), &folded.bytes[..folded.planes.length()]);
                let mut found = words_of(&folded);
                found.retain(|word| !word.is_empty());
                prop_assert_eq!(&expected, &found);
                prop_assert_eq!(marks_of(&text), marks_in(&folded));
            }
        }
    }
}

#[test]
fn traits_are_those_of_the_class_the_script_and_the_lower_case() {
    for character in '\0'..=char::MAX {
        let (class, script) = (unicode::class(character), unicode::script(character));
        let has = |bit| traits(u32::from(character)).has(bit) == 1;
        assert_eq!(class != Class::WhiteSpace, has(Traits::NO_SPACE));
        assert_eq!(unicode::is_alphanumeric(character), has(Traits::ALPHANUMERIC));
        assert_eq!(unicode::is_alphanumeric(character) && script != Script::None, has(Traits::UNSPACED));
        assert_eq!(class == Class::Upper, has(Traits::CAPITAL));
        assert_eq!(class == Class::Number, has(Traits::NUMBER));
        assert!(has(Traits::LOWERS) || unicode::lower(character).eq([character]));
        for (at, lowered) in unicode::lower(character).enumerate() {
            let lowered = traits(u32::from(lowered));
            assert!(
                [Traits::NO_SPACE, Traits::ALPHANUMERIC].into_iter().all(|bit| has(bit) == (lowered.has(bit) == 1))
            );
            assert_eq!(has(Traits::UNSPACED) && at == 0, lowered.has(Traits::UNSPACED) == 1);
        }
    }
}

#[test]
fn more_than_half_of_the_letters_decides() {
    let texts = [("東京abc", false), ("東京都大abc", true), ("", false), ("...東", true), ("東a", false)];
    let symbols = [("東⼄㈀ab", false), ("၊။៚ab", false), ("東都⼄a", true)];
    for (text, unspaced) in texts.into_iter().chain(symbols) {
        assert_eq!(unspaced, with_vectors(Read(text, Words::Whitespace)).is_mostly_unspaced(), "{text}");
    }
}
