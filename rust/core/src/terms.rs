//! The terms of a text: its words, and pairs of characters where words are not parted by spaces.

use std::mem;
use std::ops::Range;

use crate::error::Error;
use crate::interrupt::Pace;
use crate::text::lower;
use crate::unicode::{Class, Script, class, script};

/// Bytes that ASCII lower-casing does in one step of a [`Pace`].
const BYTES_A_STEP: usize = 1024;

/// What a character does to a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Ends it.
    Gap,
    /// Belongs to it.
    Plain,
    /// Belongs to what is before it.
    Mark,
    /// Han, Kana, Hangul: two make a term.
    Paired,
}

fn kind(character: char) -> Kind {
    match (class(character), script(character)) {
        (Class::WhiteSpace | Class::Other, _) => Kind::Gap,
        (_, Script::Han | Script::Kana | Script::Hangul) => Kind::Paired,
        (Class::Mark, _) => Kind::Mark,
        _ => Kind::Plain,
    }
}

/// Most text is ASCII, where the table need not be asked; a test holds this against it.
fn ascii_kind(byte: u8) -> Kind {
    if byte.is_ascii_alphanumeric() || byte == b'_' { Kind::Plain } else { Kind::Gap }
}

/// How many of 8 bytes come before the first that is no lower-case ASCII letter, digit or low line.
///
/// A processor cannot foresee where a word ends, so a look at each byte costs more than one at all of them.
#[inline]
fn plain_prefix(bytes: [u8; 8]) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let word = u64::from_le_bytes(bytes);
    let from = |first: u8| (word & !HIGH) + ONES * u64::from(0x80 - first);
    let within = |first: u8, last: u8| from(first) & !from(last + 1);
    let plain = (within(b'a', b'z') | within(b'0', b'9') | within(b'_', b'_')) & !word;
    (!plain & HIGH).trailing_zeros() as usize / 8
}

/// The text as [`Terms`] take it: every character lower-cased by the table.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn fold(text: &str, pace: &Pace<'_>) -> Result<String, Error> {
    if !text.is_ascii() {
        return lower(text, pace);
    }
    pace.advance(text.len() / BYTES_A_STEP + 1)?;
    Ok(text.to_ascii_lowercase())
}

/// The terms of a lower-cased text, in order.
///
/// ```
/// use brimful_core::terms::Terms;
/// assert_eq!(Terms::new("c: x_1 東京都").collect::<Vec<_>>(), ["c", "x_1", "東京", "京都"]);
/// ```
#[derive(Clone, Debug)]
pub struct Terms<'t> {
    folded: &'t str,
    at: usize,
    /// Whether the character at `at` has ended a pair already.
    paired: bool,
}

impl<'t> Terms<'t> {
    /// The terms of `folded`.
    #[must_use]
    pub fn new(folded: &'t str) -> Self {
        Self { folded, at: 0, paired: false }
    }

    /// Where in the text the next term is.
    #[inline]
    pub(crate) fn next_range(&mut self) -> Option<Range<usize>> {
        loop {
            let (kind, end) = self.look(self.at)?;
            match (self.paired, kind) {
                (false, Kind::Gap) => self.at = end,
                (false, Kind::Plain | Kind::Mark) => return Some(self.plain_run(end)),
                _ => {
                    if let Some(term) = self.pair(end) {
                        return Some(term);
                    }
                }
            }
        }
    }

    /// The kind of the character at `at`, and the position after it.
    #[inline]
    fn look(&self, at: usize) -> Option<(Kind, usize)> {
        let byte = *self.folded.as_bytes().get(at)?;
        if byte.is_ascii() { Some((ascii_kind(byte), at + 1)) } else { self.look_beyond_ascii(at) }
    }

    #[inline(never)]
    fn look_beyond_ascii(&self, at: usize) -> Option<(Kind, usize)> {
        let character = self.folded[at..].chars().next()?;
        Some((kind(character), at + character.len_utf8()))
    }

    #[inline]
    fn plain_run(&mut self, mut end: usize) -> Range<usize> {
        let start = self.at;
        loop {
            end = self.pass_plain(end);
            match self.look(end) {
                Some((Kind::Plain | Kind::Mark, beyond)) => end = beyond,
                after => {
                    // A gap that has been looked at need not be looked at again.
                    self.at = if let Some((Kind::Gap, beyond)) = after { beyond } else { end };
                    return start..end;
                }
            }
        }
    }

    /// The first position from `end` on that is no lower-case ASCII letter, digit or low line, or one of the last 8.
    #[inline]
    fn pass_plain(&self, mut end: usize) -> usize {
        while let Some(&next) = self.folded.as_bytes()[end..].first_chunk() {
            let passed = plain_prefix(next);
            end += passed;
            if passed < next.len() {
                break;
            }
        }
        end
    }

    /// The pair that begins here, or the character where it is alone; nothing at the last one of a longer run.
    fn pair(&mut self, end: usize) -> Option<Range<usize>> {
        let start = self.at;
        self.at = end;
        if let Some((Kind::Paired | Kind::Mark, beyond)) = self.look(end) {
            self.paired = true;
            return Some(start..beyond);
        }
        let alone = !mem::take(&mut self.paired);
        alone.then_some(start..end)
    }
}

impl<'t> Iterator for Terms<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        self.next_range().map(|term| &self.folded[term])
    }
}
