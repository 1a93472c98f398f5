//! Selection of texts by maximal marginal relevance, compared by TF-IDF cosine.

use std::cell::RefCell;

use crate::error::Error;
use crate::held::Held;
use crate::interrupt::{Interrupt, Pace};
use crate::mmr::{Request, Selection, Similarity, select};
use crate::text_vectors::TextVectors;
use crate::tfidf::query_scores;

/// Distinct terms a step of [`Pace`]: about 100 ns of work.
const TERMS_A_STEP: usize = 64;

/// Selects texts by maximal marginal relevance. With a query, which is included in the vocabulary, its cosine with each
/// text is the relevance, and `request.relevance` is not read.
///
/// # Errors
/// [`Error::Interrupted`], [`Error::TooLarge`].
///
/// ```
/// use brimful_core::{interrupt::Never, mmr::{First, Request}, text_selection::mmr_select_text};
/// let request = Request { relevance: &[], lambda: 0.3, first: First::Relevance, limit: 2, budget: None };
/// let selection = mmr_select_text(Some("red fox"), &["red fox", "red fox", "a red hen"], &request, &Never)?;
/// assert_eq!(selection.indices, [0, 2]);
/// # Ok::<(), brimful_core::error::Error>(())
/// ```
pub fn mmr_select_text<S: AsRef<str>>(
    query: Option<&str>,
    texts: &[S],
    request: &Request<'_>,
    interrupt: &dyn Interrupt,
) -> Result<Selection, Error> {
    let vectors = TextVectors::new(query, texts, true, interrupt)?;
    let relevance = if query.is_some() { query_scores(&vectors, interrupt)? } else { Vec::new() };
    let request = if query.is_some() { Request { relevance: &relevance, ..*request } } else { *request };
    let mut cosines = Cosines { vectors: &vectors, held: RefCell::new(Held::new(&vectors)), picks: Vec::new() };
    select(&mut cosines, &request, &Pace::new(interrupt))
}

struct Cosines<'v> {
    vectors: &'v TextVectors,
    held: RefCell<Held<'v>>,
    picks: Vec<usize>,
}

impl Similarity for Cosines<'_> {
    fn pick(&mut self, candidate: usize) {
        if self.picks.is_empty() {
            // All candidates are compared with the first pick. From then on a candidate meets several picks in a row.
            self.held.get_mut().hold(candidate);
        }
        self.picks.push(candidate);
    }

    fn to_pick(&self, candidate: usize, pick: usize) -> f64 {
        let pick = self.picks[pick];
        let mut held = self.held.borrow_mut();
        if held.holds(pick) {
            return held.cosine(candidate);
        }
        if !held.holds(candidate) {
            held.hold(candidate);
        }
        held.cosine(pick)
    }

    fn steps(&self, candidate: usize) -> usize {
        self.vectors.size(candidate) / TERMS_A_STEP + 1
    }
}
