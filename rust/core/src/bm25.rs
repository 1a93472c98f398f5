//! BM25 scores, by Lucene's formula.

use crate::error::Error;
use crate::interrupt::{Interrupt, Pace};
use crate::tally::Tally;
use crate::vocabulary::{Vocabulary, float};

/// How fast the count of a term in a text saturates.
const K1: f64 = 1.5;

/// How much the length of a text counts.
const B: f64 = 0.75;

/// Terms of the query that are added up in one step of a [`Pace`].
const TERMS_A_STEP: usize = 64;

/// The BM25 score of each text for the query, in the order of the texts.
///
/// Linear in the text, and in the terms of the query for each text that has one of them.
///
/// ```
/// use brimful_core::{bm25::bm25_scores, interrupt::Never};
/// let scores = bm25_scores("a cat", &["the cat sat", "a cat", "a dog", ""], &Never)?;
/// assert!(scores[1] > scores[0] && scores[0] > scores[3]);
/// assert_eq!(scores[3], 0.0);
/// # Ok::<(), brimful_core::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Interrupted`], [`Error::TooLarge`].
pub fn bm25_scores<S: AsRef<str>>(query: &str, texts: &[S], interrupt: &dyn Interrupt) -> Result<Vec<f64>, Error> {
    let pace = Pace::new(interrupt);
    let mut vocabulary = Vocabulary::with_room(query.len());
    let asked = vocabulary.learn(query, &pace)?;
    let mut tally = Tally::default();
    let described: Vec<Text> =
        texts.iter().map(|text| Text::of(text.as_ref(), &vocabulary, &mut tally, &pace)).collect::<Result<_, _>>()?;
    let mut formula = Formula::new(&described, &asked, vocabulary.size());
    let mut scores = Vec::with_capacity(texts.len());
    for text in &described {
        let work = if text.counts.is_empty() { 1 } else { asked.len() / TERMS_A_STEP + 1 };
        pace.advance(work)?;
        scores.push(formula.score(text));
    }
    Ok(scores)
}

/// What a score needs of a text.
struct Text {
    length: f64,
    /// How often it has each term of the query that it has, ascending.
    counts: Vec<(u32, f64)>,
}

impl Text {
    fn of(text: &str, vocabulary: &Vocabulary, tally: &mut Tally, pace: &Pace<'_>) -> Result<Self, Error> {
        let (numbers, length) = vocabulary.recall(text, pace)?;
        let mut counts = Vec::new();
        tally.count(&numbers, vocabulary.size(), |term, count| counts.push((term, count)))?;
        Ok(Self { length: float(length), counts })
    }
}

struct Formula<'q> {
    asked: &'q [u32],
    idfs: Vec<f64>,
    mean_length: f64,
    /// Scratch: what each term adds to the score of the text at hand; all 0 between two texts.
    shares: Vec<f64>,
}

impl<'q> Formula<'q> {
    fn new(texts: &[Text], asked: &'q [u32], terms: usize) -> Self {
        let mut having = vec![0.0; terms];
        let mut length = 0.0;
        for text in texts {
            // Whole numbers below 2^53: exact in any order.
            length += text.length;
            text.counts.iter().for_each(|&(term, _)| having[term as usize] += 1.0);
        }
        let count = float(texts.len());
        let idf = |having: f64| (1.0 + (count - having + 0.5) / (having + 0.5)).ln();
        let idfs = having.into_iter().map(idf).collect();
        Self { asked, idfs, mean_length: length / count, shares: vec![0.0; terms] }
    }

    fn score(&mut self, text: &Text) -> f64 {
        if text.counts.is_empty() {
            return 0.0;
        }
        let saturation = K1 * (1.0 - B + B * text.length / self.mean_length);
        for &(term, count) in &text.counts {
            self.shares[term as usize] = self.idfs[term as usize] * count / (count + saturation);
        }
        // A term that the text lacks adds 0.0, which changes nothing.
        let score = self.asked.iter().fold(0.0, |score, &term| score + self.shares[term as usize]);
        text.counts.iter().for_each(|&(term, _)| self.shares[term as usize] = 0.0);
        score
    }
}
