//! Vocabularies that cannot be merged are refused; the table of characters is what merging gives.

use super::Vocabulary;
use crate::error::Error;
use crate::tokens::Encoding;
use crate::tokens::bpe::merge;
use crate::tokens::rank_file::RankFile;
use crate::tokens::reference::reference;

/// A vocabulary of all bytes, whose ranks are their values, and these tokens.
fn with_tokens(tokens: &[&[u8]]) -> Result<Vocabulary, Error> {
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    Vocabulary::new(&RankFile::of_tokens(&bytes.chain(tokens.iter().map(|token| token.to_vec())).collect::<Vec<_>>()))
}

#[test]
fn tokens_that_their_bytes_come_down_to_are_taken() -> Result<(), Error> {
    let eights: Vec<_> = (1..=7).map(|power| vec![b'8'; 1 << power]).collect();
    let eights: Vec<_> = eights.iter().map(Vec::as_slice).collect();
    let made: [&[&[u8]]; 4] = [&[], &[b"ab", b"abc", b"zabc"], &[b"cd", b"ab", b"abcd"], &eights];
    for tokens in made {
        let vocabulary = with_tokens(tokens)?;
        for token in tokens.iter().filter(|token| token.len() <= 64) {
            assert_eq!(merge(&vocabulary.pairs, token), 1, "{token:?}");
        }
        assert_eq!(merge(&vocabulary.pairs, b"xyz"), 0b111);
    }
    Ok(())
}

#[test]
fn a_token_that_its_bytes_do_not_come_down_to_is_refused() {
    let broken: [&[&[u8]]; 11] = [
        &[b"abc"],
        &[b"ab", b"cd", b"abcde"],
        &[b"bc", b"ab", b"abcd"],
        &[&[b'x'; 65]],
        // Its parts are of higher ranks, so that others would have been merged before.
        &[b"abc", b"ab"],
        &[b"ab", b"abcd", b"abc", b"cd"],
        // Twice.
        &[b"a"],
        &[b"ab", b"ab"],
        &[b"ab", b"abc", b"abc"],
        &[b""],
        &[b"ab", b""],
    ];
    for tokens in broken {
        assert_eq!(with_tokens(tokens).err(), Some(Error::Vocabulary), "{tokens:?}");
    }
}

#[test]
fn a_vocabulary_without_some_byte_is_refused() {
    for missing in [0, b'a', u8::MAX] {
        let bytes: Vec<_> = (0..=u8::MAX).filter(|&byte| byte != missing).map(|byte| vec![byte]).collect();
        let longer = [bytes.clone(), vec![vec![missing, b'b']]].concat();
        for tokens in [bytes, longer, Vec::new()] {
            assert_eq!(Vocabulary::new(&RankFile::of_tokens(&tokens)).err(), Some(Error::Vocabulary), "{missing}");
        }
    }
}

#[test]
fn a_character_counted_alone_has_the_tokens_that_naive_merging_gives() -> Result<(), Error> {
    for encoding in Encoding::ALL {
        let (vocabulary, reference) = (encoding.vocabulary()?, reference(encoding)?);
        for character in ('\u{800}'..='\u{FFFF}').chain('\u{1F000}'..='\u{1FFFF}') {
            let piece = character.to_string();
            let expected = reference.merge(piece.as_bytes()).len() as u64;
            assert_eq!(vocabulary.count_character(piece.as_bytes()), Some(expected), "{encoding:?} {character:?}");
        }
        for piece in ["", "a", "é", "abc", "\u{10000}", "\u{20000}", "字字", "😀\u{FE0F}"] {
            assert_eq!(vocabulary.count_character(piece.as_bytes()), None, "{encoding:?} {piece:?}");
        }
    }
    Ok(())
}
