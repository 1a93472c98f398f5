//! What the text rules say of a text: the window through which tests compare both back ends with each other.

use crate::error::Error;
use crate::grapheme::Cursor;
use crate::interrupt::{Interrupt, Pace};
use crate::normal::nfc;
use crate::unicode::{class, lower, script};

/// The rules' answers for one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextReport {
    /// A byte a code point: class, and script group shifted left by four bits.
    pub classes: Vec<u8>,
    /// The text lower-cased by the table.
    pub lowered: String,
    /// The text's NFC.
    pub composed: String,
    /// A byte a code point: 1 where an extended grapheme cluster begins, else 0.
    pub grapheme_starts: Vec<u8>,
}

/// Reports on a text; `classes` and `grapheme_starts` have one entry a code point. Linear.
///
/// # Errors
/// [`Error::Interrupted`].
///
/// ```
/// use brimful_core::{interrupt::Never, text_report::inspect_text};
/// let report = inspect_text("É", &Never)?;
/// assert_eq!((report.classes, report.lowered.as_str()), (vec![0], "é"));
/// # Ok::<(), brimful_core::error::Error>(())
/// ```
pub fn inspect_text(text: &str, interrupt: &dyn Interrupt) -> Result<TextReport, Error> {
    let pace = Pace::new(interrupt);
    let mut report = TextReport { lowered: String::with_capacity(text.len()), ..TextReport::default() };
    let mut cursor = Cursor::new();
    for character in text.chars() {
        pace.advance(1)?;
        report.classes.push(class(character) as u8 | (script(character) as u8) << 4);
        report.lowered.extend(lower(character));
        report.grapheme_starts.push(u8::from(cursor.begins(character)));
    }
    report.composed = nfc(text, &pace)?.into_owned();
    Ok(report)
}
