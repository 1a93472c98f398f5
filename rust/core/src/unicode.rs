//! What kind of character a character is, by the one Unicode 16.0 table that both back ends read.
//!
//! The standard library follows a newer Unicode with every release, and so would the words and the counts: no
//! `char::is_*` and no `to_lowercase` in a kernel. All functions take constant time.

use crate::unicode_table::{class as class_number, long_lower, record};

/// The kinds of characters. White space has the property `White_Space`; the others are general categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Class {
    /// Upper and title case letters: Lu, Lt.
    Upper,
    /// Lower case letters: Ll.
    Lower,
    /// Letters without case: Lm, Lo.
    OtherLetter,
    /// Marks: Mn, Mc, Me.
    Mark,
    /// Numbers: Nd, Nl, No.
    Number,
    /// `White_Space`; U+001C to U+001F do not have it.
    WhiteSpace,
    /// Connector punctuation: Pc, among them the low line.
    Connector,
    /// Anything else.
    Other,
}

impl Class {
    #[inline]
    pub(crate) fn is_alphanumeric(self) -> bool {
        !matches!(self, Self::WhiteSpace | Self::Connector | Self::Other)
    }
}

/// The scripts that are read apart: written without spaces between words, or in syllable blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Script {
    /// Any other script, or none.
    None,
    /// Chinese characters.
    Han,
    /// Hiragana and Katakana, with the prolonged sound marks U+30FC and U+FF70.
    Kana,
    /// Korean letters and syllables.
    Hangul,
    /// Thai.
    Thai,
    /// Lao.
    Lao,
    /// Khmer.
    Khmer,
    /// Burmese and its relatives.
    Myanmar,
}

/// The class of a character.
///
/// ```
/// use brimful_core::unicode::{Class, class};
/// assert_eq!(class('ǅ'), Class::Upper);
/// ```
#[inline]
#[must_use]
pub fn class(c: char) -> Class {
    class_of(class_number(c))
}

#[inline]
fn class_of(number: u8) -> Class {
    match number {
        0 => Class::Upper,
        1 => Class::Lower,
        2 => Class::OtherLetter,
        3 => Class::Mark,
        4 => Class::Number,
        5 => Class::WhiteSpace,
        6 => Class::Connector,
        _ => Class::Other,
    }
}

/// The script group of a character.
///
/// ```
/// use brimful_core::unicode::{Script, script};
/// assert_eq!(script('ー'), Script::Kana);
/// ```
#[inline]
#[must_use]
pub fn script(c: char) -> Script {
    match record(c).script() {
        1 => Script::Han,
        2 => Script::Kana,
        3 => Script::Hangul,
        4 => Script::Thai,
        5 => Script::Lao,
        6 => Script::Khmer,
        7 => Script::Myanmar,
        _ => Script::None,
    }
}

/// Whether it is a letter of any case or none: L.
#[inline]
#[must_use]
pub fn is_letter(c: char) -> bool {
    matches!(class(c), Class::Upper | Class::Lower | Class::OtherLetter)
}

/// Whether it is an upper or title case letter: Lu, Lt.
#[inline]
#[must_use]
pub fn is_upper(c: char) -> bool {
    class(c) == Class::Upper
}

/// Whether it is a mark: M.
#[inline]
#[must_use]
pub fn is_mark(c: char) -> bool {
    class(c) == Class::Mark
}

/// Whether it is a number: N.
#[inline]
#[must_use]
pub fn is_number(c: char) -> bool {
    class(c) == Class::Number
}

/// Whether it is a letter, a mark or a number: what alphanumeric words are runs of.
#[inline]
#[must_use]
pub fn is_alphanumeric(c: char) -> bool {
    class(c).is_alphanumeric()
}

/// Whether it has the property `White_Space`.
#[inline]
#[must_use]
pub fn is_white_space(c: char) -> bool {
    class(c) == Class::WhiteSpace
}

/// Whether it parts words: `White_Space`, or U+001C to U+001F, which Python's `str.split()` takes for white space.
#[inline]
#[must_use]
pub fn is_word_space(c: char) -> bool {
    is_white_space(c) || is_information_separator(c)
}

/// Whether it is one of U+001C to U+001F.
#[inline]
pub(crate) fn is_information_separator(c: char) -> bool {
    matches!(c, '\u{1C}'..='\u{1F}')
}

/// The one or two characters that a character lowers to.
#[derive(Clone, Debug)]
pub struct Lower {
    first: Option<char>,
    second: Option<char>,
}

impl Iterator for Lower {
    type Item = char;

    #[inline]
    fn next(&mut self) -> Option<char> {
        self.first.take().or_else(|| self.second.take())
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::from(self.first.is_some()) + usize::from(self.second.is_some());
        (left, Some(left))
    }
}

impl ExactSizeIterator for Lower {}

/// A character lower-cased, without a look at its neighbours: final sigma U+03C2 folds to U+03C3.
///
/// ```
/// use brimful_core::unicode::lower;
/// assert_eq!("ΟΔΟΣ".chars().flat_map(lower).collect::<String>(), "οδοσ");
/// ```
#[inline]
#[must_use]
pub fn lower(c: char) -> Lower {
    let offset = record(c).lower_offset();
    if offset == 0 && class(c) == Class::Upper {
        return lower_unpaired(c);
    }
    Lower { first: char::from_u32(u32::from(c).wrapping_add_signed(offset)), second: None }
}

/// Capitals that no single letter answers to are few: U+0130, U+03D2 to U+03D4, the mathematical alphabets.
#[cold]
fn lower_unpaired(c: char) -> Lower {
    match long_lower(c) {
        Some((first, second)) => Lower { first: Some(first), second: Some(second) },
        None => Lower { first: Some(c), second: None },
    }
}
