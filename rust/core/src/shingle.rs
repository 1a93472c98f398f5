//! The shingles of texts, as small numbers: equal numbers if and only if equal shingles.

use std::collections::HashMap;

use crate::error::Error;
use crate::interrupt::Pace;
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

/// Numbers for words and shingles. They are compared in full, so two different ones never meet.
#[derive(Debug, Default)]
pub struct Interner {
    words: HashMap<Box<str>, u32>,
    word_shingles: HashMap<Box<[u32]>, u32>,
    character_shingles: HashMap<Box<[u32]>, u32>,
}

impl Interner {
    /// The number of `word`, which is given one if it has none.
    ///
    /// # Errors
    /// [`Error::TooLarge`] past 2^32 words.
    pub fn word(&mut self, word: &str) -> Result<u32, Error> {
        let next = number(self.words.len())?;
        if let Some(&known) = self.words.get(word) {
            return Ok(known);
        }
        self.words.insert(word.into(), next);
        Ok(next)
    }

    /// How many shingles have a number: the numbers are those below.
    #[must_use]
    pub fn shingle_count(&self) -> usize {
        self.word_shingles.len() + self.character_shingles.len()
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
        let parts = split_words(folded, words);
        let symbols: Vec<u32> = if by_character {
            parts.flat_map(str::chars).map(u32::from).collect()
        } else {
            parts.map(|part| pace.advance(1).and_then(|()| self.word(part))).collect::<Result<_, _>>()?
        };
        let size = if by_character { CHARACTERS_A_SHINGLE } else { size };
        let mut numbers = Vec::with_capacity(symbols.len().saturating_sub(size) + 1);
        for window in windows(&symbols, size) {
            pace.advance(1)?;
            numbers.push(self.shingle(window, by_character)?);
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    fn shingle(&mut self, window: &[u32], by_character: bool) -> Result<u32, Error> {
        let next = number(self.shingle_count())?;
        let known = if by_character { &mut self.character_shingles } else { &mut self.word_shingles };
        if let Some(&number) = known.get(window) {
            return Ok(number);
        }
        known.insert(window.into(), next);
        Ok(next)
    }
}

/// Every window of `size` symbols, or all of them where there are fewer.
fn windows(symbols: &[u32], size: usize) -> impl Iterator<Item = &[u32]> {
    let short = (symbols.len() < size).then_some(symbols);
    short.into_iter().chain(symbols.windows(size))
}

fn number(count: usize) -> Result<u32, Error> {
    u32::try_from(count).map_err(|_| Error::TooLarge)
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
