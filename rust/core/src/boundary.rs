//! Where a text may be cut: between graphemes, between words, between sentences.
//!
//! A text is read in stretches, so that its end can be cut without a look at its beginning. Every stretch begins where
//! the rules have nothing to remember; see [`is_fresh`].

use crate::error::Error;
use crate::grapheme::{Cursor, breaks};
use crate::interrupt::Pace;
use crate::unicode::{Script, is_alphanumeric, is_word_space, script};
use crate::unicode_table::record;

/// Bytes of a stretch, the first and the longest: a small budget reads little, and the memory is bounded.
const STRETCHES: (usize, usize) = (256, 64 * 1024);

/// What ends a sentence.
const STOPS: &str = ".!?…。！？";

/// Closing quotes and brackets, which belong to the sentence before them.
const CLOSERS: &str = "\"')]}’”»›〉》」』】〕〗〙〛＂＇）］｝｠｣";

/// The break classes Other and `Extended_Pictographic`, without a conjunct class, as the table numbers them.
const PLAIN: [u32; 2] = [0, 14];

/// What a cut leaves whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// Extended grapheme clusters.
    Grapheme,
    /// Runs of letters, marks and numbers; every grapheme between them stands alone.
    Word,
    /// Sentences, by their final punctuation.
    Sentence,
}

impl Boundary {
    /// All, in the order in which they are tried until something fits.
    pub const COARSEST_FIRST: [Self; 3] = [Self::Sentence, Self::Word, Self::Grapheme];

    /// The boundary of that name.
    ///
    /// # Errors
    /// [`Error::UnknownOption`] for any other name.
    pub fn parse(name: &str) -> Result<Self, Error> {
        match name {
            "grapheme" => Ok(Self::Grapheme),
            "word" => Ok(Self::Word),
            "sentence" => Ok(Self::Sentence),
            _ => Err(Error::UnknownOption { option: "boundary" }),
        }
    }
}

/// The beginning or the end of a grapheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Bytes before it.
    pub at: usize,
    /// Whether what is kept may end here.
    pub may_end: bool,
    /// Whether what is kept may begin here.
    pub may_begin: bool,
}

/// The ends of the graphemes of a text from the first on; then the end of the text again and again.
#[derive(Debug)]
pub struct Heads<'t> {
    text: &'t str,
    boundary: Boundary,
    read: usize,
    stretch: usize,
    places: std::vec::IntoIter<Place>,
}

impl<'t> Heads<'t> {
    /// The places of a text, none read yet.
    #[must_use]
    pub fn new(text: &'t str, boundary: Boundary) -> Self {
        Self { text, boundary, read: 0, stretch: STRETCHES.0, places: Vec::new().into_iter() }
    }

    /// The next place. Linear in all.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn next(&mut self, pace: &Pace<'_>) -> Result<Place, Error> {
        loop {
            if let Some(place) = self.places.find(|place| place.at > 0) {
                return Ok(place);
            }
            if self.read == self.text.len() {
                return Ok(Place { at: self.read, may_end: false, may_begin: false });
            }
            let end = next_fresh(self.text, self.read.saturating_add(self.stretch), self.boundary, pace)?;
            self.places = places(self.text, self.read, end, self.boundary, pace)?.into_iter();
            self.read = end;
            self.stretch = STRETCHES.1.min(2 * self.stretch);
        }
    }
}

/// The beginnings of the graphemes of a text from the last on; then its beginning again and again.
#[derive(Debug)]
pub struct Tails<'t> {
    text: &'t str,
    boundary: Boundary,
    unread: usize,
    stretch: usize,
    places: Vec<Place>,
}

impl<'t> Tails<'t> {
    /// The places of a text, none read yet.
    #[must_use]
    pub fn new(text: &'t str, boundary: Boundary) -> Self {
        Self { text, boundary, unread: text.len(), stretch: STRETCHES.0, places: Vec::new() }
    }

    /// The next place. Linear in all.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn next(&mut self, pace: &Pace<'_>) -> Result<Place, Error> {
        loop {
            if let Some(place) = self.places.pop() {
                return Ok(place);
            }
            if self.unread == 0 {
                return Ok(Place { at: 0, may_end: false, may_begin: false });
            }
            let start = last_fresh(self.text, self.unread.saturating_sub(self.stretch), self.boundary, pace)?;
            self.places = places(self.text, start, self.unread, self.boundary, pace)?;
            self.unread = start;
            self.stretch = STRETCHES.1.min(2 * self.stretch);
        }
    }
}

/// Whether the rules remember nothing of what is before a position.
///
/// Graphemes: after a character of class Other, without a conjunct class, and after a pictograph, the rules know that
/// character only; and none but `GB9b` and `GB11` joins it to the one before. Sentences: no end is near.
fn is_fresh(text: &str, at: usize, boundary: Boundary) -> bool {
    let (Some(before), Some(after)) = (text[..at].chars().next_back(), text[at..].chars().next()) else { return true };
    let near_an_end = || is_word_space(before) || STOPS.contains(before) || CLOSERS.contains(before);
    if !PLAIN.contains(&record(after).cluster()) || (boundary == Boundary::Sentence && near_an_end()) {
        return false;
    }
    let mut cursor = Cursor::new();
    cursor.begins(before);
    cursor.begins(after) && before != '\u{200D}'
}

fn next_fresh(text: &str, at: usize, boundary: Boundary, pace: &Pace<'_>) -> Result<usize, Error> {
    let mut at = ceil(text, at);
    while !is_fresh(text, at, boundary) {
        pace.advance(1)?;
        at = ceil(text, at + 1);
    }
    Ok(at)
}

fn last_fresh(text: &str, at: usize, boundary: Boundary, pace: &Pace<'_>) -> Result<usize, Error> {
    let mut at = ceil(text, at);
    while !is_fresh(text, at, boundary) {
        pace.advance(1)?;
        at -= text[..at].chars().next_back().map_or(at, char::len_utf8);
    }
    Ok(at)
}

/// The first boundary of a character from `at` on.
pub(crate) fn ceil(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// The beginnings of the graphemes from the fresh position `start` to `end`.
fn places(text: &str, start: usize, end: usize, boundary: Boundary, pace: &Pace<'_>) -> Result<Vec<Place>, Error> {
    let before = text[..start].chars().next_back();
    let is_blank = ends_blank(&text[..start]);
    let mut reader = Reader { boundary, places: Vec::new(), before, is_final: false, is_open: start == 0, is_blank };
    let mut cursor = Cursor::new();
    for (offset, character) in text[start..end].char_indices() {
        pace.advance(1)?;
        if cursor.begins(character) {
            reader.begin(start + offset, character);
        }
        reader.pass(character);
    }
    reader.finish();
    Ok(reader.places)
}

/// Whether the last grapheme is of white space alone: two characters show it, since few join white space.
fn ends_blank(text: &str) -> bool {
    let two = text.char_indices().rev().take(2).last().map_or("", |(at, _)| &text[at..]);
    breaks(two).last().is_some_and(|at| two[at..].chars().all(is_word_space))
}

/// What the boundaries ask about the characters before a position.
struct Reader {
    boundary: Boundary,
    places: Vec<Place>,
    before: Option<char>,
    /// The last characters are final punctuation and what may close after it.
    is_final: bool,
    /// Nothing but white space came since a boundary.
    is_open: bool,
    /// The last grapheme is of white space alone.
    is_blank: bool,
}

impl Reader {
    /// A grapheme begins with `first`.
    fn begin(&mut self, at: usize, first: char) {
        self.finish();
        let parts = self.parts(first);
        self.is_open = parts || (self.is_open && self.is_blank);
        let may_end = parts && !(self.is_blank && self.boundary != Boundary::Grapheme);
        self.places.push(Place { at, may_end, may_begin: self.is_open });
        self.is_blank = true;
    }

    fn pass(&mut self, character: char) {
        self.is_blank &= is_word_space(character);
        self.is_final = STOPS.contains(character) || (self.is_final && CLOSERS.contains(character));
        self.before = Some(character);
    }

    /// What is kept does not begin with white space; whether a grapheme is that shows at its end.
    fn finish(&mut self) {
        if self.is_blank && self.boundary != Boundary::Grapheme {
            self.places.last_mut().into_iter().for_each(|place| place.may_begin = false);
        }
    }

    /// Whether there is a boundary before a grapheme that begins with `first`.
    fn parts(&self, first: char) -> bool {
        let Some(before) = self.before else { return true };
        match self.boundary {
            Boundary::Grapheme => true,
            Boundary::Word => !(is_alphanumeric(before) && is_alphanumeric(first)),
            Boundary::Sentence if is_word_space(first) => self.is_final,
            Boundary::Sentence => self.is_final && matches!(script(first), Script::Han | Script::Kana | Script::Hangul),
        }
    }
}
