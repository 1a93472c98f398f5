//! A text in lower case, with a bit a byte that says whether it is inside a word.
//!
//! ASCII goes 64 bytes at a time by masks; other characters one by one by the Unicode table. Both follow `text.rs`:
//! a test compares them.
#![allow(
    clippy::inline_always,
    reason = "code is compiled for the vectors only where it is inlined into such a function"
)]

use super::keys::PADDING;
use crate::error::Error;
use crate::interrupt::Pace;
use crate::text::Words;
use crate::tokens::vectors::{BLOCK, Masks, Vectors};
use crate::unicode::{self, Script};

/// A block with more bytes beyond ASCII is read one character after the other to its end.
const FEW_WIDE: u32 = 12;

/// Lower-cased text and its word mask, and what tells whether it is written without spaces.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    bytes: Vec<u8>,
    inside: Vec<u64>,
    length: usize,
    /// Whether [`Folded::is_mostly_unspaced`] will be asked: it costs a second look at the table.
    counts_scripts: bool,
    alphanumeric: usize,
    unspaced: usize,
}

impl Folded {
    /// Reads texts, and what their scripts are where that is asked for.
    pub(crate) fn new(counts_scripts: bool) -> Self {
        Self { counts_scripts, ..Self::default() }
    }

    /// Reads a text. Linear.
    #[inline(always)]
    pub(crate) fn read<V: Vectors>(
        &mut self,
        text: &str,
        words: Words,
        vectors: V,
        pace: &Pace<'_>,
    ) -> Result<(), Error> {
        self.make_room(text.len());
        let mut at = 0;
        while at < text.len() {
            pace.advance(1)?;
            let (block, count) = block_at(text.as_bytes(), at);
            let masks = vectors.classify(&block);
            if masks.wide == 0 {
                self.push_ascii(&block, &masks, count, words);
                at += count;
                continue;
            }
            let narrow = masks.wide.trailing_zeros() as usize;
            self.push_ascii(&block, &masks, narrow, words);
            at = self.push_wide(text, at + narrow, at + count, masks.wide.count_ones() <= FEW_WIDE, words);
        }
        Ok(())
    }

    /// Lower-casing makes at most three bytes of two.
    fn make_room(&mut self, length: usize) {
        let most = length + length / 2 + BLOCK;
        if self.bytes.len() < most + PADDING {
            // New zeros take no time until they are touched.
            self.bytes = vec![0; most + PADDING];
        }
        self.inside.clear();
        self.inside.resize(most / BLOCK + 2, 0);
        (self.length, self.alphanumeric, self.unspaced) = (0, 0, 0);
    }

    #[inline(always)]
    fn push_ascii(&mut self, block: &[u8; BLOCK], masks: &Masks, count: usize, words: Words) {
        let alphanumeric = masks.letters | masks.digits;
        let inside = match words {
            Words::Whitespace => !(masks.white | masks.separators),
            Words::Alphanumeric => alphanumeric,
        };
        let mut lowered = *block;
        lowered.make_ascii_lowercase();
        self.bytes[self.length..self.length + BLOCK].copy_from_slice(&lowered);
        let kept = if count < BLOCK { (1 << count) - 1 } else { u64::MAX };
        self.alphanumeric += (alphanumeric & kept).count_ones() as usize;
        self.push_bits(inside & kept, count);
    }

    /// Characters from `at` to `end` or, if only the run is asked for, to the first of ASCII. Returns where it ended.
    fn push_wide(&mut self, text: &str, mut at: usize, end: usize, only_run: bool, words: Words) -> usize {
        let (mut inside_bits, mut count, mut length) = (0, 0, self.length);
        for character in text[at..].chars() {
            if at >= end || (only_run && character.is_ascii()) {
                break;
            }
            at += character.len_utf8();
            let (class, first, second) = unicode::class_and_lower(character);
            let inside = words.hold_class(class, character);
            for lowered in [Some(first), second].into_iter().flatten() {
                let bytes = self.put(length, lowered);
                if count + bytes > BLOCK {
                    self.push_bits(inside_bits, count);
                    (inside_bits, count) = (0, 0);
                }
                inside_bits |= if inside { ((1 << bytes) - 1) << count } else { 0 };
                (count, length) = (count + bytes, length + bytes);
            }
            if self.counts_scripts && class.is_alphanumeric() {
                // Lower-casing changes neither, but one letter may become a letter and a mark.
                self.alphanumeric += 1 + usize::from(second.is_some());
                self.unspaced += usize::from(unicode::script(character) != Script::None);
            }
        }
        self.push_bits(inside_bits, count);
        at
    }

    /// Writes a character in UTF-8 at `length`, and zeros behind it up to four bytes. Returns how many it has.
    #[inline(always)]
    fn put(&mut self, length: usize, lowered: char) -> usize {
        let code = u32::from(lowered);
        let (bytes, count) = if code < 0x80 {
            (code, 1)
        } else if code < 0x800 {
            (0x80C0 | code >> 6 | (code & 0x3F) << 8, 2)
        } else {
            let mut bytes = [0; 4];
            let count = lowered.encode_utf8(&mut bytes).len();
            (u32::from_le_bytes(bytes), count)
        };
        self.bytes[length..length + 4].copy_from_slice(&bytes.to_le_bytes());
        count
    }

    /// Appends `count` bits for as many bytes that are there now; those above are 0.
    #[inline(always)]
    fn push_bits(&mut self, bits: u64, count: usize) {
        let (word, shift) = (self.length / BLOCK, self.length % BLOCK);
        self.inside[word] |= bits << shift;
        if shift + count > BLOCK {
            self.inside[word + 1] |= bits >> (BLOCK - shift);
        }
        self.length += count;
    }

    /// The lower-cased bytes, with [`PADDING`] and maybe more behind them that mean nothing.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The mask: a bit a byte, at least one more than there are bytes.
    pub(crate) fn inside(&self) -> &[u64] {
        &self.inside[..=self.length / BLOCK]
    }

    /// Whether more than half of the letters, marks and numbers are of scripts written without spaces.
    pub(crate) fn is_mostly_unspaced(&self) -> bool {
        2 * self.unspaced > self.alphanumeric
    }
}

/// The next 64 bytes and how many of them there are; behind the end are spaces.
#[inline(always)]
fn block_at(bytes: &[u8], at: usize) -> ([u8; BLOCK], usize) {
    let rest = &bytes[at..];
    if let Some(block) = rest.first_chunk() {
        return (*block, BLOCK);
    }
    let mut block = [b' '; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    (block, rest.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Folded;
    use crate::interrupt::{Never, Pace};
    use crate::text::{Words, lower, split_words};
    use crate::tokens::vectors::{BLOCK, Portable, Vectors, Work, with_vectors};
    use crate::unicode::{self, Script};

    struct Read<'t>(&'t str, Words);

    impl Work for Read<'_> {
        type Output = Folded;
        fn run<V: Vectors>(self, vectors: V) -> Folded {
            let mut folded = Folded::new(true);
            folded.read("a longer one before, Ünd wider", self.1, vectors, &Pace::new(&Never)).unwrap_or_default();
            folded.read(self.0, self.1, vectors, &Pace::new(&Never)).unwrap_or_default();
            folded
        }
    }

    fn words_of(folded: &Folded) -> Vec<String> {
        let is_inside = |at: usize| folded.inside()[at / BLOCK] >> (at % BLOCK) & 1 == 1;
        let marked = (0..folded.length).map(|at| if is_inside(at) { folded.bytes[at] } else { b' ' });
        String::from_utf8_lossy(&marked.collect::<Vec<_>>()).split(' ').map(str::to_owned).collect()
    }

    proptest! {
        #[test]
        fn the_words_are_those_of_the_text_rules(
            text in "([a-zA-Z ]{0,70}|[ a-zA-Z0-9.,\\x1B-\\x20\\x00-\\x0E]{0,5}|\\PC{0,9}|[İΣς東Éé\u{3000}\u{85}]{0,9}){0,9}",
        ) {
            for words in [Words::Whitespace, Words::Alphanumeric] {
                let lowered = lower(&text, &Pace::new(&Never)).unwrap_or_default();
                let expected: Vec<_> = split_words(&lowered, words).collect();
                for folded in [with_vectors(Read(&text, words)), Read(&text, words).run(Portable)] {
                    prop_assert_eq!(lowered.as_bytes(), &folded.bytes[..folded.length]);
                    let mut found = words_of(&folded);
                    found.retain(|word| !word.is_empty());
                    prop_assert_eq!(&expected, &found);
                }
            }
        }
    }

    #[test]
    fn a_character_is_counted_as_what_it_lowers_to() {
        for character in '\0'..=char::MAX {
            let (class, first, second) = unicode::class_and_lower(character);
            assert_eq!(unicode::class(character), class);
            assert!(unicode::lower(character).eq([Some(first), second].into_iter().flatten()));
            assert_eq!(unicode::script(character), unicode::script(first));
            assert!(second.is_none_or(|second| class.is_alphanumeric()
                && unicode::is_alphanumeric(second)
                && unicode::script(second) == Script::None));
        }
    }

    #[test]
    fn more_than_half_of_the_letters_decides() {
        for (text, unspaced) in
            [("東京abc", false), ("東京都大abc", true), ("", false), ("...東", true), ("東a", false)]
        {
            assert_eq!(unspaced, with_vectors(Read(text, Words::Whitespace)).is_mostly_unspaced(), "{text}");
        }
    }
}
