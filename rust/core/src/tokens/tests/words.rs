//! The set of the tokens holds them all, and nothing else.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::Words;
use crate::error::Error;
use crate::tokens::Encoding;
use crate::tokens::key;
use crate::tokens::reference::reference;

fn has(words: &Words, text: &[u8]) -> bool {
    key::pack(text).map_or_else(|| words.has_long(text), |key| words.has(key))
}

#[test]
fn every_token_is_a_word() -> Result<(), Error> {
    for encoding in Encoding::ALL {
        let words = &encoding.vocabulary()?.words;
        for (rank, token) in reference(encoding)?.tokens() {
            assert!(has(words, token), "{encoding:?} {rank}");
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_token_that_is_changed_a_little_is_a_word_where_it_is_a_token(
        indices in vec((any::<Index>(), any::<Index>(), any::<u8>()), 100),
    ) {
        for encoding in Encoding::ALL {
            let (words, reference) = (&encoding.vocabulary()?.words, reference(encoding)?);
            for (index, place, byte) in &indices {
                let token = reference.file.token(index.index(reference.file.len()));
                let mut changed = token.to_vec();
                changed[place.index(token.len())] = *byte;
                let texts = [changed, [token, &[*byte]].concat(), [token, &[0]].concat(), token[1..].to_vec()];
                for text in texts.iter().filter(|text| !text.is_empty()) {
                    prop_assert_eq!(has(words, text), reference.rank(text).is_some(), "{:?}", text);
                }
            }
        }
    }
}
