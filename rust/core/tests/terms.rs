//! Terms and their numbers, by the definition.
#![allow(clippy::expect_used, reason = "a test may panic")]

use brimful_core::error::Error;
use brimful_core::interrupt::{Interrupt, Never, Pace};
use brimful_core::terms::{Terms, fold};
use brimful_core::text::lower;
use brimful_core::unicode::{self, Class, Script};
use brimful_core::vocabulary::Vocabulary;
use proptest::prelude::*;

fn cut(text: &str) -> Vec<String> {
    let folded = fold(text, &Pace::new(&Never)).expect("nothing interrupts");
    Terms::new(&folded).map(str::to_owned).collect()
}

fn is_of_terms(character: char) -> bool {
    unicode::is_alphanumeric(character) || unicode::class(character) == Class::Connector
}

fn is_paired(character: char) -> bool {
    matches!(unicode::script(character), Script::Han | Script::Kana | Script::Hangul)
}

/// The definition, character by character.
fn naive(text: &str) -> Vec<String> {
    let folded = lower(text, &Pace::new(&Never)).expect("nothing interrupts");
    let mut terms = Vec::new();
    for run in folded.split(|character| !is_of_terms(character)) {
        let mut pieces: Vec<(bool, Vec<char>)> = Vec::new();
        for character in run.chars() {
            let after = pieces.last().is_some_and(|piece| piece.0);
            let paired = is_paired(character) || (after && unicode::is_mark(character));
            match pieces.last_mut() {
                Some(piece) if piece.0 == paired => piece.1.push(character),
                _ => pieces.push((paired, vec![character])),
            }
        }
        for (paired, piece) in pieces {
            let size = if paired { piece.len().min(2) } else { piece.len() };
            terms.extend(piece.windows(size).map(String::from_iter));
        }
    }
    terms
}

fn mixed() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "a",
        "Z",
        "9",
        "_",
        " ",
        ".",
        "'",
        "\0",
        "\u{7f}",
        "É",
        "İ",
        "Σς",
        "京",
        "東",
        "か",
        "ー",
        "한",
        "\u{301}",
        "\u{3099}",
        "\u{302a}",
        "ไ",
        "𠮷",
        "𝔘",
        "‿",
        "\u{200d}",
        "👩",
        "abcdefgh",
        "ABCDEFGHI",
    ]);
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn terms_are_those_of_the_definition(text in prop_oneof![mixed(), "\\PC{0,40}", "[ -~]{0,60}"]) {
        prop_assert_eq!(naive(&text), cut(&text));
    }

    #[test]
    fn terms_are_equal_exactly_where_their_numbers_are(texts in prop::collection::vec(mixed(), 0..8)) {
        let pace = Pace::new(&Never);
        let mut vocabulary = Vocabulary::with_room(0);
        let mut first_seen: Vec<String> = Vec::new();
        for text in &texts {
            let terms = naive(text);
            let expected: Vec<u32> = terms.iter().map(|term| {
                let known = first_seen.iter().position(|seen| seen == term);
                let number = known.unwrap_or_else(|| { first_seen.push(term.clone()); first_seen.len() - 1 });
                u32::try_from(number).expect("few")
            }).collect();

            prop_assert_eq!(Ok(expected.clone()), vocabulary.learn(text, &pace));
            prop_assert_eq!(Ok((expected, terms.len())), vocabulary.recall(text, &pace));
        }
        prop_assert_eq!(first_seen.len(), vocabulary.size());
    }
}

#[test]
fn every_character_is_cut_by_the_table() {
    let characters: Vec<char> = ('\0'..=char::MAX).collect();
    for some in characters.chunks(1024) {
        let text: String =
            some.iter().flat_map(|&character| ['w', character, '京', character, ' ', character]).collect();
        assert_eq!(naive(&text), cut(&text), "among the 1024 from {:?}", some[0]);
    }
}

#[test]
fn lower_casing_moves_no_character_into_or_out_of_terms_and_pairs() {
    for character in '\0'..=char::MAX {
        assert!(unicode::lower(character).all(|low| is_of_terms(low) == is_of_terms(character)), "{character:?}");
        assert!(unicode::lower(character).all(|low| is_paired(low) == is_paired(character)), "{character:?}");
    }
}

#[test]
fn terms_are_words_and_pairs_of_characters() {
    let expected: [(&str, &[&str]); 9] = [
        ("", &[]),
        ("?! \u{200d}", &[]),
        ("C 1 x_y don't", &["c", "1", "x_y", "don", "t"]),
        ("東京都 京", &["東京", "京都", "京"]),
        ("か\u{3099}き", &["か\u{3099}", "\u{3099}き"]),
        ("abc漢字\u{301}한글def", &["abc", "漢字", "字\u{301}", "\u{301}한", "한글", "def"]),
        ("ภาษาไทย", &["ภาษาไทย"]),
        ("İ", &["i\u{307}"]),
        ("👨\u{200d}👩 ①", &["①"]),
    ];

    for (text, terms) in expected {
        assert_eq!(terms, cut(text), "{text:?}");
    }
}

#[test]
fn terms_around_eight_bytes_are_told_apart_wherever_they_stand() {
    let pace = Pace::new(&Never);
    let mut vocabulary = Vocabulary::with_room(0);

    assert_eq!(Ok(vec![0, 1, 2, 3]), vocabulary.learn("abcdefg abcdefgh abcdefghi a", &pace));
    assert_eq!(Ok(vec![1, 0]), vocabulary.learn("abcdefgh,abcdefg", &pace));
    assert_eq!(Ok((vec![3, 2], 3)), vocabulary.recall("a abcdefghi b", &pace));
}

#[test]
fn many_terms_keep_their_numbers_whatever_room_there_was() {
    let pace = Pace::new(&Never);
    let text = (0..20_000).map(|word| format!("w{word} long-enough-word{word} ")).collect::<Vec<_>>().concat();
    let mut vocabularies = [0, 1 << 20].map(Vocabulary::with_room);
    let [first, again] = vocabularies.each_mut().map(|vocabulary| vocabulary.learn(&text, &pace).expect("never ends"));

    assert_eq!(first, again);
    assert_eq!([40_002; 2], vocabularies.each_ref().map(Vocabulary::size));
    for vocabulary in &mut vocabularies {
        assert_eq!(Ok((first.clone(), first.len())), vocabulary.recall(&text, &pace));
        assert_eq!(Ok(first.clone()), vocabulary.learn(&text, &pace));
    }
}

/// Stops at the first look.
struct Always;

impl Interrupt for Always {
    fn check(&self) -> Result<(), Error> {
        Err(Error::Interrupted)
    }
}

#[test]
fn an_interrupt_ends_the_work() {
    for text in ["a ".repeat(5_000), "京".repeat(5_000), "a".repeat(5_000_000)] {
        assert_eq!(Err(Error::Interrupted), Vocabulary::with_room(0).learn(&text, &Pace::new(&Always)));
        assert_eq!(Err(Error::Interrupted), Vocabulary::with_room(0).recall(&text, &Pace::new(&Always)));
    }
}
