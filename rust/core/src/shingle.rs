//! The shingles of texts, as small numbers: equal numbers if and only if equal shingles.

use crate::error::Error;
use crate::interrupt::Pace;
use crate::numbering::Numbering;
use crate::text::{Words, split_words};
use crate::unicode::{self, Script};

const CHARACTERS_A_SHINGLE: usize = 5;

/// What a text's shingles are windows of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shingles {
    /// Words, in every text.
    Words,
    /// Characters in texts that are mostly in a script written without spaces, words in the others.
    Auto,
}

impl Shingles {
    /// The rule of that name.
    ///
    /// # Errors
    /// [`Error::UnknownOption`] for any other name.
    pub fn parse(name: &str) -> Result<Self, Error> {
        match name {
            "words" => Ok(Self::Words),
            "auto" => Ok(Self::Auto),
            _ => Err(Error::UnknownOption { option: "shingles" }),
        }
    }
}

/// Numbers for words and shingles.
///
/// A shingle is a window of symbols: the numbers of its words, or its code points with [`CHARACTER`] added.
#[derive(Debug, Default)]
pub struct Interner {
    words: Numbering<u8>,
    shingles: Numbering<u32>,
}

/// Sets the symbols of characters apart from those of words, so that no shingle is of both kinds.
const CHARACTER: u32 = 1 << 31;

impl Interner {
    /// The number of `word`, which is given one if it has none.
    ///
    /// # Errors
    /// [`Error::TooLarge`] past 2^31 words.
    pub fn word(&mut self, word: &str) -> Result<u32, Error> {
        let number = self.words.number(word.as_bytes())?;
        if number < CHARACTER { Ok(number) } else { Err(Error::TooLarge) }
    }

    /// How many shingles have a number: the numbers are those below.
    #[must_use]
    pub fn shingle_count(&self) -> usize {
        self.shingles.len()
    }

    /// The distinct shingles of a lower-cased text, ascending; never empty.
    ///
    /// # Errors
    /// [`Error::Interrupted`], [`Error::TooLarge`].
    pub fn shingles(
        &mut self,
        folded: &str,
        size: usize,
        words: Words,
        shingles: Shingles,
        pace: &Pace<'_>,
    ) -> Result<Vec<u32>, Error> {
        let by_character = shingles == Shingles::Auto && is_mostly_unspaced(folded, pace)?;
        let size = if by_character { CHARACTERS_A_SHINGLE } else { size };
        let symbols = self.symbols(folded, words, by_character, pace)?;
        let mut numbers = Vec::with_capacity(symbols.len().saturating_sub(size) + 1);
        for window in windows(&symbols, size) {
            pace.advance(1)?;
            numbers.push(self.shingles.number(window)?);
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    fn symbols(&mut self, folded: &str, words: Words, by_character: bool, pace: &Pace<'_>) -> Result<Vec<u32>, Error> {
        let mut symbols = Vec::new();
        for word in split_words(folded, words) {
            pace.advance(1)?;
            if by_character {
                symbols.extend(word.chars().map(|character| u32::from(character) + CHARACTER));
            } else {
                symbols.push(self.word(word)?);
            }
        }
        Ok(symbols)
    }
}

/// Every window of `size` symbols, or all of them where there are fewer.
fn windows(symbols: &[u32], size: usize) -> impl Iterator<Item = &[u32]> {
    let short = (symbols.len() < size).then_some(symbols);
    short.into_iter().chain(symbols.windows(size))
}

/// Whether more than half of the letters, marks and numbers are of scripts written without spaces.
fn is_mostly_unspaced(folded: &str, pace: &Pace<'_>) -> Result<bool, Error> {
    if folded.is_ascii() {
        return Ok(false);
    }
    let (mut alphanumeric, mut unspaced) = (0_usize, 0_usize);
    for character in folded.chars() {
        pace.advance(1)?;
        if unicode::is_alphanumeric(character) {
            alphanumeric += 1;
            unspaced += usize::from(unicode::script(character) != Script::None);
        }
    }
    Ok(2 * unspaced > alphanumeric)
}
