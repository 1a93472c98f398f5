//! Texts made comparable, and their words.

use std::borrow::Cow;

use crate::error::Error;
use crate::interrupt::Pace;
use crate::normal::nfc;
use crate::unicode;

const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// What counts as a word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// A maximal run without white space (`White_Space` and U+001C to U+001F).
    Whitespace,
    /// A maximal run of letters, marks and numbers.
    Alphanumeric,
}

impl Words {
    /// The rule of that name.
    ///
    /// # Errors
    /// [`Error::UnknownOption`] for any other name.
    pub fn parse(name: &str) -> Result<Self, Error> {
        match name {
            "whitespace" => Ok(Self::Whitespace),
            "alphanumeric" => Ok(Self::Alphanumeric),
            _ => Err(Error::UnknownOption { option: "words" }),
        }
    }

    /// Whether a character belongs to words; lower-casing changes nothing about it.
    fn hold(self, character: char) -> bool {
        match self {
            Self::Whitespace => !unicode::is_word_space(character),
            Self::Alphanumeric => unicode::is_alphanumeric(character),
        }
    }
}

/// The text as it is compared: with `normalize`, its NFC without a leading byte order mark.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn comparable<'t>(text: &'t str, normalize: bool, pace: &Pace<'_>) -> Result<Cow<'t, str>, Error> {
    if normalize { nfc(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text), pace) } else { Ok(Cow::Borrowed(text)) }
}

/// Every character lower-cased by the table, final sigma folded to sigma. Linear.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn lower(text: &str, pace: &Pace<'_>) -> Result<String, Error> {
    let mut lowered = String::with_capacity(text.len());
    for character in text.chars() {
        pace.advance(1)?;
        if character.is_ascii() {
            lowered.push(character.to_ascii_lowercase());
        } else {
            lowered.extend(unicode::lower(character));
        }
    }
    Ok(lowered)
}

/// The words of a text, in order.
pub fn split_words(text: &str, words: Words) -> impl Iterator<Item = &str> {
    text.split(move |character| !words.hold(character)).filter(|word| !word.is_empty())
}
