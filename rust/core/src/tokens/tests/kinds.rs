//! Kinds against the classes that the published patterns name, for every character, and contractions.

use regex_syntax::hir::{Class, ClassUnicode, HirKind};

use super::{Kind, Reader, STRETCH, contraction};
use crate::error::Error;
use crate::interrupt::{Interrupt, Never, Pace};

/// The characters that match a class, by the tables of `regex-syntax` 0.8.11 (Unicode 16.0).
fn ranges(pattern: &str) -> Result<ClassUnicode, String> {
    match regex_syntax::parse(pattern).map_err(|error| error.to_string())?.into_kind() {
        HirKind::Class(Class::Unicode(ranges)) => Ok(ranges),
        kind => Err(format!("{pattern} is no class but {kind:?}")),
    }
}

/// The kind of every character; of surrogates, which are none, nothing.
fn kinds() -> Vec<Option<Kind>> {
    let mut kinds = vec![None; 0x11_0000];
    for character in '\0'..=char::MAX {
        let mut bytes = [0; 4];
        let width = character.encode_utf8(&mut bytes).len();
        let read = Reader { text: &bytes[..width], pace: &Pace::new(&Never) }.read(0);
        assert_eq!(read.map(|(_, end)| end), Some(width), "{character:?}");
        kinds[character as usize] = read.map(|(kind, _)| kind);
    }
    kinds
}

#[test]
fn each_question_is_a_class_of_the_patterns() -> Result<(), String> {
    let questions: [(&str, &dyn Fn(Kind) -> bool); 12] = [
        (r"\p{L}", &Kind::is_letter),
        (r"[^\r\n\p{L}\p{N}]", &Kind::may_lead),
        (r"[^\s\p{L}\p{N}]", &Kind::is_punctuation),
        (r"\s", &Kind::is_space),
        (r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", &Kind::may_be_capital),
        (r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]", &Kind::may_be_small),
        (r"\p{N}", &|kind| kind == Kind::Number),
        (r"[\r\n]", &|kind| kind == Kind::Newline),
        (r"[\p{Lu}\p{Lt}]", &|kind| kind == Kind::Upper),
        (r"\p{Ll}", &|kind| kind == Kind::Lower),
        (r"[\p{Lm}\p{Lo}]", &|kind| kind == Kind::Caseless),
        (r"\p{M}", &|kind| kind == Kind::Mark),
    ];
    let kinds = kinds();
    for (pattern, question) in questions {
        let mut expected = vec![false; kinds.len()];
        for range in ranges(pattern)?.ranges() {
            expected[range.start() as usize..=range.end() as usize].fill(true);
        }
        let differs = |&(kind, expected): &(&Option<Kind>, &bool)| kind.is_some_and(|kind| question(kind) != *expected);
        assert_eq!(kinds.iter().zip(&expected).position(|pair| differs(&pair)), None, "{pattern}");
    }
    Ok(())
}

#[test]
fn a_run_ends_at_the_first_character_of_another_kind_or_at_the_end() {
    let reader = Reader { text: "aЖ中1".as_bytes(), pace: &Pace::new(&Never) };
    assert_eq!(reader.skip(0, Kind::is_letter), Ok(6));
    assert_eq!(reader.skip(6, Kind::is_letter), Ok(6));
    assert_eq!(reader.skip(6, |kind| kind == Kind::Number), Ok(7));
    assert_eq!(reader.skip_some(1, Kind::is_letter), Ok(Some(6)));
    assert_eq!(reader.skip_some(6, Kind::is_letter), Ok(None));
    assert_eq!(reader.read(7), None);
}

#[test]
fn a_run_longer_than_a_stretch_ends_where_it_does_and_can_be_stopped() {
    struct Stop;
    impl Interrupt for Stop {
        fn check(&self) -> Result<(), Error> {
            Err(Error::Interrupted)
        }
    }
    for length in [STRETCH - 1, STRETCH, STRETCH + 1, 300 * STRETCH] {
        let text = format!("{}1", "é".repeat(length));
        let end = |interrupt: &dyn Interrupt| {
            Reader { text: text.as_bytes(), pace: &Pace::new(interrupt) }.skip(0, Kind::is_letter)
        };
        assert_eq!(end(&Never), Ok(2 * length));
        assert_eq!(end(&Stop).is_err(), length > 200 * STRETCH);
    }
}

#[test]
fn contractions_are_those_of_the_list_in_any_case() {
    let list = ["s", "t", "re", "ve", "m", "ll", "d", "ſ"];
    let letters: Vec<char> = (0..128_u8).map(char::from).chain("ſıK’é".chars()).collect();
    let mut found = 0;
    for first in &letters {
        for second in &letters {
            let text = format!("a'{first}{second}");
            let small = text[2..].to_ascii_lowercase();
            let expected = list.iter().find(|letters| small.starts_with(*letters)).map(|letters| 2 + letters.len());
            assert_eq!(contraction(text.as_bytes(), 1), expected, "{text:?}");
            found += u32::from(expected.is_some());
        }
    }
    assert_eq!(found, 9 * u32::try_from(letters.len()).unwrap_or(0) + 12);
}

#[test]
fn a_contraction_needs_its_apostrophe_and_all_its_letters() {
    for text in ["", "s", "'", "'l", "'r", "'v", "'lr", "’s", "`s", " 's"] {
        assert_eq!(contraction(text.as_bytes(), 0), None, "{text:?}");
    }
    assert_eq!(contraction(b"'s", 0), Some(2));
    assert_eq!(contraction(b"'ll", 0), Some(3));
    assert_eq!(contraction(b"'s", 2), None);
}
