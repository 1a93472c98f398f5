//! The keys of the hashes of one call, drawn anew for each: nobody can choose texts whose hashes collide.
//!
//! A symbol, which is a word or a character, has 64 bits. Two different symbols have the same ones with a chance of
//! about 2^-64, and so have two different shingles (see `windows`): some 6e-4 pairs are to be expected among the
//! shingles of a million texts.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use crate::error::Error;
use crate::interrupt::Pace;

/// Bytes that may be read behind the end of a word.
pub(crate) const PADDING: usize = 16;

/// Bytes of a long word hashed between two looks at the interrupt.
const STRETCH: usize = 1 << 16;
const BYTES_A_STEP: usize = 256;

/// The keys, and the odd base of the polynomial that makes a shingle of symbols.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys {
    first: u64,
    second: u64,
    length: u64,
    character: u64,
    number: u64,
    /// Base of the polynomial, 3 modulo 8: its powers up to the 31st apart then differ in their lowest 8 bits.
    pub(crate) base: u64,
    /// What sets shingles of another length apart.
    pub(crate) size: u64,
    /// What sets apart the terms that are added up to a content hash.
    pub(crate) content: u64,
}

impl Keys {
    /// New keys, from the randomness that the standard library has for its maps.
    pub(crate) fn draw() -> Self {
        let random = RandomState::new();
        let key = |number: u8| random.hash_one(number);
        Self {
            first: key(0),
            second: key(1),
            length: key(2) | 1,
            character: key(3),
            base: key(4) & !7 | 3,
            size: key(5) | 1,
            content: key(6),
            number: key(7),
        }
    }

    /// The hash of the word `bytes[start..end]`; [`PADDING`] bytes more are there.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "compiled with the loop over the words, for its vectors")]
    pub(crate) fn word(&self, bytes: &[u8], start: usize, end: usize, pace: &Pace<'_>) -> Result<u64, Error> {
        let length = end - start;
        if length > PADDING {
            return self.long_word(&bytes[start..], length, pace);
        }
        Ok(self.last(self.first, &bytes[start..start + PADDING], length))
    }

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "compiled with the loop over the words, for its vectors")]
    fn last(&self, state: u64, bytes: &[u8], length: usize) -> u64 {
        let (low, high) = two_words(bytes);
        let [below_low, below_high] = BELOW[length];
        fold(
            low & below_low ^ state,
            high & below_high ^ self.second.wrapping_add((length as u64).wrapping_mul(self.length)),
        )
    }

    #[cold]
    fn long_word(&self, mut bytes: &[u8], mut length: usize, pace: &Pace<'_>) -> Result<u64, Error> {
        let mut state = self.first;
        while length > PADDING {
            let stretch = (length - 1).min(STRETCH) / PADDING * PADDING;
            for chunk in bytes[..stretch].as_chunks::<PADDING>().0 {
                let (low, high) = halves(u128::from_le_bytes(*chunk));
                state = fold(low ^ state, high ^ self.second);
            }
            pace.advance(stretch / BYTES_A_STEP)?;
            (bytes, length) = (&bytes[stretch..], length - stretch);
        }
        Ok(self.last(state, bytes, length))
    }

    /// The hash of a character, from its bytes in UTF-8: never that of a word.
    pub(crate) fn character(&self, utf8: u32) -> u64 {
        fold(u64::from(utf8) ^ self.character, self.second ^ self.size)
    }

    /// The polynomial of some symbols and one more, from that of the others.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "compiled with the loop over the words, for its vectors")]
    pub(crate) fn next_sum(&self, last: u64, symbol: u64) -> u64 {
        last.wrapping_mul(self.base).wrapping_add(symbol)
    }

    /// The hash of a number, from that of its characters as a word.
    pub(crate) fn number(&self, word: u64) -> u64 {
        fold(word ^ self.number, self.first ^ self.size)
    }

    /// A term of the content hash, of two shingles.
    ///
    /// Hashes of shingles are linear in their symbols, and a product in each of its factors: sums of products of chosen
    /// shingles would be equal. Both halves of it, one over the other, are linear in nothing; with the upper half
    /// beside them, nothing of the product is lost.
    #[inline]
    pub(crate) fn content_term(&self, one: u64, other: u64) -> u128 {
        let product = u128::from(one) * u128::from(other ^ self.content);
        product ^ product >> u64::BITS
    }
}

/// The lowest so many bytes.
static BELOW: [[u64; 2]; PADDING + 1] = {
    let mut masks = [[0; 2]; PADDING + 1];
    let mut length = 1;
    while length <= PADDING {
        masks[length] = masks[length - 1];
        masks[length][(length - 1) / 8] |= 0xFF << ((length - 1) % 8 * 8);
        length += 1;
    }
    masks
};

/// The first 16 bytes; zeros where there are not so many.
#[inline(always)]
#[allow(clippy::inline_always, reason = "compiled with the loop over the words, for its vectors")]
fn two_words(bytes: &[u8]) -> (u64, u64) {
    let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight));
    bytes.split_at_checked(8).map_or((0, 0), |(low, high)| (word(low), word(high)))
}

/// Both halves of a product, one over the other: each bit of it depends on all bits of both factors.
#[inline]
fn fold(one: u64, other: u64) -> u64 {
    let (low, high) = halves(u128::from(one) * u128::from(other));
    low ^ high
}

#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the halves are what is asked for")]
fn halves(whole: u128) -> (u64, u64) {
    (whole as u64, (whole >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Keys, PADDING, STRETCH};
    use crate::interrupt::{Never, Pace};

    impl Keys {
        /// The same but for the key of contents, which hides nothing.
        pub(crate) fn without_content(self) -> Self {
            Self { content: 0, ..self }
        }
    }

    fn word(keys: &Keys, text: &[u8], behind: u8) -> u64 {
        let mut bytes = text.to_vec();
        bytes.resize(text.len() + PADDING, behind);
        keys.word(&bytes, 0, text.len(), &Pace::new(&Never)).unwrap_or_default()
    }

    #[test]
    fn what_is_behind_a_word_does_not_matter_and_its_length_does() {
        let keys = Keys::draw();
        let mut seen = HashSet::new();
        for length in (0..200).chain(STRETCH - 20..STRETCH + 40) {
            let zeros = vec![0; length];
            assert_eq!(word(&keys, &zeros, 0), word(&keys, &zeros, 0xFF));
            assert!(seen.insert(word(&keys, &zeros, 0)), "{length}");
        }
    }

    #[test]
    fn every_byte_of_a_word_matters() {
        let keys = Keys::draw();
        for length in [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 100] {
            let plain = vec![b'a'; length];
            for at in 0..length {
                let mut other = plain.clone();
                other[at] ^= 0x20;
                assert_ne!(word(&keys, &plain, 0), word(&keys, &other, 0));
            }
        }
    }

    #[test]
    fn two_calls_have_other_keys() {
        assert_ne!(word(&Keys::draw(), b"word", 0), word(&Keys::draw(), b"word", 0));
    }
}
