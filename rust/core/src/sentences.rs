//! Where sentences end.

use crate::boundary::{Boundary, Heads};
use crate::error::Error;
use crate::interrupt::{Interrupt, Pace};
use crate::parallel::map_rows;

/// The ends of the sentences of n texts.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// How many sentences each text has.
    pub counts: Vec<i64>,
    /// The code points before the end of each sentence, text after text.
    pub ends: Vec<i64>,
}

/// Where the sentences of each text end: before white space that follows, and the last one at the end of the text.
///
/// Linear.
///
/// # Errors
/// [`Error::Interrupted`], [`Error::TooLarge`].
///
/// ```
/// use brimful_core::{interrupt::Never, sentences::sentence_ends};
/// let found = sentence_ends(&["It is wet. Is it?", ""], &Never)?;
/// assert_eq!((&found.counts[..], &found.ends[..]), (&[2, 0][..], &[10, 17][..]));
/// # Ok::<(), brimful_core::error::Error>(())
/// ```
pub fn sentence_ends<S: AsRef<str> + Sync>(texts: &[S], interrupt: &dyn Interrupt) -> Result<Ends, Error> {
    let bytes = texts.iter().map(|text| text.as_ref().len()).sum();
    let rows = map_rows(texts, bytes, interrupt, |text, interrupt| find_ends(text.as_ref(), interrupt))?;
    let mut found = Ends::default();
    for row in rows {
        found.counts.push(i64::try_from(row.len()).map_err(|_| Error::TooLarge)?);
        found.ends.extend(row);
    }
    Ok(found)
}

fn find_ends(text: &str, interrupt: &dyn Interrupt) -> Result<Vec<i64>, Error> {
    let pace = Pace::new(interrupt);
    let mut heads = Heads::new(text, Boundary::Sentence);
    let (mut ends, mut read, mut points) = (Vec::new(), 0, 0);
    while read < text.len() {
        let head = heads.next(&pace)?;
        points += text[read..head.at].chars().count();
        read = head.at;
        if head.may_end || read == text.len() {
            ends.push(i64::try_from(points).map_err(|_| Error::TooLarge)?);
        }
    }
    Ok(ends)
}
