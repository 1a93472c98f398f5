//! No token crosses a cut, and merging goes on apart on both sides of it.

use std::collections::BTreeSet;
use std::convert::Infallible;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::{Cuts, is_wide, width};
use crate::error::Error;
use crate::tokens::Encoding;
use crate::tokens::reference::{merge_long, reference, wide_text};
use crate::tokens::vocabulary::Vocabulary;

fn first_part(cuts: &Cuts, text: &[u8]) -> usize {
    let Ok(end) = cuts.first_part::<Infallible>(text, |_| Ok(()));
    end
}

/// The parts of a text.
fn parts<'t>(vocabulary: &Vocabulary, mut text: &'t [u8]) -> Vec<&'t [u8]> {
    let mut parts = Vec::new();
    while !text.is_empty() {
        let (part, rest) = text.split_at(first_part(&vocabulary.cuts, text));
        parts.push(part);
        text = rest;
    }
    parts
}

/// Whether the character that ends before `at` is of three bytes or more, as far as the token shows it.
fn may_end_wide(token: &[u8], at: usize) -> bool {
    let trails = token[..at].iter().rev().take_while(|&&byte| byte & 0xC0 == 0x80).count();
    trails > 0 && token[..at - trails].last().is_none_or(|&lead| lead >= 0xE0)
}

/// The characters that begin with these bytes: all of them but for the last of four, of which a few are enough.
fn completions(beginning: &[u8]) -> Vec<Vec<u8>> {
    let missing = width(beginning[0]) - beginning.len();
    (0..missing).fold(vec![beginning.to_vec()], |characters, done| {
        let trails = if characters[0].len() == 3 && done > 1 { 0x80..0x82 } else { 0x80..0xC0_u8 };
        let longer =
            |character: &Vec<u8>| trails.clone().map(|trail| [&character[..], &[trail]].concat()).collect::<Vec<_>>();
        characters.iter().flat_map(longer).collect()
    })
}

#[test]
fn no_token_crosses_a_cut() -> Result<(), Error> {
    for encoding in Encoding::ALL {
        let mut crossed = BTreeSet::new();
        for (_, token) in reference(encoding)?.tokens() {
            for at in (1..token.len()).filter(|&at| token[at] >= 0xE0 && may_end_wide(token, at)) {
                let end = token.len().min(at + width(token[at]));
                crossed.insert((token[at - 1], &token[at..end]));
            }
        }
        assert!(crossed.len() > 100, "{} boundaries of {encoding:?}", crossed.len());
        for (last, beginning) in crossed {
            for character in completions(beginning) {
                let text = [&[0xE4, 0xB8, last], &character[..]].concat();
                assert_eq!(first_part(&encoding.vocabulary()?.cuts, &text), text.len(), "{encoding:?} {text:X?}");
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn parts_merge_apart(text in wide_text(60)) {
        for encoding in Encoding::ALL {
            let vocabulary = encoding.vocabulary()?;
            let parts = parts(vocabulary, text.as_bytes());
            let apart: usize = parts.iter().map(|part| merge_long(&vocabulary.pairs, part).len()).sum();
            prop_assert_eq!(apart, merge_long(&vocabulary.pairs, text.as_bytes()).len());
            for part in parts {
                prop_assert!(std::str::from_utf8(part).is_ok());
            }
        }
    }

    #[test]
    fn parts_of_tokens_side_by_side_merge_apart(indices in vec(any::<Index>(), 1..30)) {
        for encoding in Encoding::ALL {
            let vocabulary = encoding.vocabulary()?;
            let file = &reference(encoding)?.file;
            let tokens = indices.iter().map(|index| String::from_utf8_lossy(file.token(index.index(file.len()))));
            let text: String = tokens.filter(|token| is_wide(token.as_bytes())).collect();
            let apart: usize =
                parts(vocabulary, text.as_bytes()).iter().map(|part| merge_long(&vocabulary.pairs, part).len()).sum();
            prop_assert_eq!(apart, merge_long(&vocabulary.pairs, text.as_bytes()).len());
        }
    }
}

proptest! {
    #[test]
    fn the_last_cut_is_one_of_those_between_parts(text in wide_text(60), most in 20..70_usize) {
        for encoding in Encoding::ALL {
            let vocabulary = encoding.vocabulary()?;
            let parts = parts(vocabulary, text.as_bytes());
            let ends = parts.iter().scan(0, |end, part| { *end += part.len(); Some(*end) });
            let expected = ends.filter(|end| (most / 2..=most).contains(end) && text.len() > most).last();
            prop_assert_eq!(vocabulary.cuts.last_cut(text.as_bytes(), most), expected);
        }
    }
}

#[test]
fn most_neighbours_are_cut_and_common_words_are_not() -> Result<(), Error> {
    let text: String = ('\u{4E00}'..'\u{9000}').step_by(7).collect();
    for encoding in Encoding::ALL {
        let vocabulary = encoding.vocabulary()?;
        let count = parts(vocabulary, text.as_bytes()).len();
        assert!(10 * count > 9 * text.chars().count(), "{encoding:?}: {count} parts of {}", text.chars().count());
        assert_eq!(parts(vocabulary, "中国".as_bytes()).len(), 1);
        assert_eq!(parts(vocabulary, "aé中 ж".as_bytes()).len(), 1);
    }
    Ok(())
}

#[test]
fn characters_of_three_bytes_and_more_are_wide() {
    for (text, wide) in [("", false), ("aé\u{7FF}", false), ("a\u{800}", true), ("\u{FFFF}b", true), ("😀", true)] {
        assert_eq!(is_wide(text.as_bytes()), wide, "{text:?}");
        assert_eq!(text.chars().map(char::len_utf8).max().is_some_and(|width| width > 2), wide);
    }
}
