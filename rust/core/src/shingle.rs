//! What shingles are windows of; `dedup::reader` makes them.

use crate::error::Error;

/// Characters a shingle, whatever the options say of words.
pub(crate) const CHARACTERS_A_SHINGLE: usize = 5;

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
