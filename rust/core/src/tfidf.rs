//! TF-IDF: the cosines of texts with a query.

use crate::error::Error;
use crate::held::Held;
use crate::interrupt::{Interrupt, Pace};
use crate::text_vectors::{ENTRIES_A_STEP, TextVectors};

/// The TF-IDF cosine of each text with the query, in the order of the texts.
///
/// Linear in the text, plus the sorting of each text's terms.
///
/// ```
/// use brimful_core::{interrupt::Never, tfidf::tfidf_scores};
/// assert_eq!(tfidf_scores("C", &["c", "R", ""], true, &Never), Ok(vec![1.0, 0.0, 0.0]));
/// ```
///
/// # Errors
/// [`Error::Interrupted`], [`Error::TooLarge`].
pub fn tfidf_scores<S: AsRef<str>>(
    query: &str,
    texts: &[S],
    include_query: bool,
    interrupt: &dyn Interrupt,
) -> Result<Vec<f64>, Error> {
    query_scores(&TextVectors::new(Some(query), texts, include_query, interrupt)?, interrupt)
}

/// The cosine of each text with the query that the vectors were made with; 0 where there was none.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn query_scores(vectors: &TextVectors, interrupt: &dyn Interrupt) -> Result<Vec<f64>, Error> {
    let pace = Pace::new(interrupt);
    let mut held = Held::new(vectors);
    if let Some(query) = vectors.query() {
        held.hold_row(query);
    }
    let mut scores = Vec::with_capacity(vectors.len());
    for text in 0..vectors.len() {
        pace.advance(vectors.size(text) / ENTRIES_A_STEP + 1)?;
        scores.push(held.cosine(text));
    }
    Ok(scores)
}
