//! TF-IDF cosines of texts with a query, and of chosen texts with each other.

use std::mem;

use crate::error::Error;
use crate::interrupt::{Interrupt, Pace};
use crate::text_vectors::TextVectors;
use crate::tfidf::query_scores;

/// Entries of vectors that are read, or products that are added, in one step of a [`Pace`].
const ENTRIES_A_STEP: usize = 64;

/// What a selection goes by.
#[derive(Clone, Debug, PartialEq)]
pub struct Similarities {
    /// The cosine of each text with the query.
    pub scores: Vec<f64>,
    /// The cosines of the chosen texts with each other, row by row.
    pub cosines: Vec<f64>,
}

/// The TF-IDF cosine of each text with the query (0 where there is none), and the cosines among the texts `chosen`.
///
/// Linear in the text, plus the terms that each pair of chosen texts shares. Memory for the square of their number.
///
/// ```
/// use brimful_core::{interrupt::Never, pairwise::tfidf_similarities};
/// let found = tfidf_similarities(Some("fox"), &["fox", "hen", "fox"], &[0, 1, 2], true, &Never)?;
/// assert_eq!(found.scores, [1.0, 0.0, 1.0]);
/// assert_eq!(found.cosines, [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
/// # Ok::<(), brimful_core::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Interrupted`], [`Error::TooLarge`], [`Error::NoMemory`].
pub fn tfidf_similarities<S: AsRef<str>>(
    query: Option<&str>,
    texts: &[S],
    chosen: &[usize],
    include_query: bool,
    interrupt: &dyn Interrupt,
) -> Result<Similarities, Error> {
    let vectors = TextVectors::new(query, texts, include_query, interrupt)?;
    let scores = query_scores(&vectors, interrupt)?;
    Ok(Similarities { scores, cosines: cosines_among(&vectors, chosen, &Pace::new(interrupt))? })
}

/// The cosines of the texts `chosen` with each other, row by row.
fn cosines_among(vectors: &TextVectors, chosen: &[usize], pace: &Pace<'_>) -> Result<Vec<f64>, Error> {
    let count = chosen.len();
    let mut cosines = zeros(count.saturating_mul(count))?;
    let mut postings = Postings::new(vectors, chosen, pace)?;
    let mut dots = vec![0.0; count];
    for (later, &text) in chosen.iter().enumerate() {
        pace.advance((vectors.size(text) + later) / ENTRIES_A_STEP + 1)?;
        postings.multiply(vectors, text, later, &mut dots, pace)?;
        for (earlier, dot) in dots[..=later].iter_mut().enumerate() {
            let cosine = vectors.quotient(mem::take(dot), vectors.row(text), vectors.row(chosen[earlier]));
            cosines[later * count + earlier] = cosine;
            cosines[earlier * count + later] = cosine;
        }
    }
    Ok(cosines)
}

/// So many zeros, if there is room for them.
fn zeros(count: usize) -> Result<Vec<f64>, Error> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(count).map_err(|_| Error::NoMemory { numbers: count })?;
    zeros.resize(count, 0.0);
    Ok(zeros)
}

/// For each term, the chosen texts that have it and its weights there, all in one arena.
struct Postings {
    begins: Vec<usize>,
    /// Where the postings of each term end so far.
    ends: Vec<usize>,
    entries: Vec<(u32, f64)>,
}

impl Postings {
    /// With room for the terms of the texts `chosen`.
    fn new(vectors: &TextVectors, chosen: &[usize], pace: &Pace<'_>) -> Result<Self, Error> {
        let mut begins = vec![0; vectors.vocabulary_size()];
        for &text in chosen {
            pace.advance(vectors.size(text) / ENTRIES_A_STEP + 1)?;
            vectors.entries(vectors.row(text)).for_each(|(term, _)| begins[term as usize] += 1);
        }
        let mut total = 0;
        for begin in &mut begins {
            total += mem::replace(begin, total);
        }
        Ok(Self { ends: begins.clone(), begins, entries: vec![(0, 0.0); total] })
    }

    /// Adds `text`, the chosen one of that number, and to `dots` its products with those added so far, itself too.
    fn multiply(
        &mut self,
        vectors: &TextVectors,
        text: usize,
        number: usize,
        dots: &mut [f64],
        pace: &Pace<'_>,
    ) -> Result<(), Error> {
        let number = u32::try_from(number).map_err(|_| Error::TooLarge)?;
        for (term, weight) in vectors.entries(vectors.row(text)) {
            let (begin, end) = (self.begins[term as usize], &mut self.ends[term as usize]);
            self.entries[*end] = (number, weight);
            *end += 1;
            pace.advance((*end - begin) / ENTRIES_A_STEP)?;
            // Terms come in the order of the vocabulary, so each dot is added up in that order.
            self.entries[begin..*end].iter().for_each(|&(other, its)| dots[other as usize] += weight * its);
        }
        Ok(())
    }
}
