//! Texts as sparse vectors of TF-IDF weights.

use std::ops::Range;

use crate::error::Error;
use crate::interrupt::{Interrupt, Pace};
use crate::tally::Tally;
use crate::vocabulary::{Vocabulary, float};

/// Entries of a vector that are multiplied in one step of a [`Pace`].
pub(crate) const ENTRIES_A_STEP: usize = 64;

/// The TF-IDF vectors of texts, and of a query where there is one.
///
/// A vector is a row of weights, one a distinct term, in the order of the vocabulary.
#[derive(Clone, Debug, Default)]
pub struct TextVectors {
    ends: Vec<usize>,
    terms: Vec<u32>,
    /// Counts until they are weighed.
    weights: Vec<f64>,
    norms: Vec<f64>,
    vocabulary_size: usize,
    /// Rows before the first text's: one where the query's terms come first.
    before: usize,
    query: Option<usize>,
}

impl TextVectors {
    /// The vectors of `texts`; with `include_query` the query is one of them as far as the weights of terms go.
    ///
    /// # Errors
    /// [`Error::Interrupted`], [`Error::TooLarge`].
    pub fn new<S: AsRef<str>>(
        query: Option<&str>,
        texts: &[S],
        include_query: bool,
        interrupt: &dyn Interrupt,
    ) -> Result<Self, Error> {
        let pace = Pace::new(interrupt);
        let (included, asked) = if include_query { (query, None) } else { (None, query) };
        let learned = || included.into_iter().chain(texts.iter().map(AsRef::as_ref));
        let mut counts = Counts::with_room(learned().map(str::len).sum());
        for text in learned() {
            counts.learn(text, &pace)?;
        }
        let idfs = counts.idfs(&pace)?;
        if let Some(query) = asked {
            counts.recall(query, &pace)?;
        }
        let Counts { vocabulary, lengths, mut vectors, .. } = counts;
        vectors.weigh(&lengths, &idfs, &pace)?;
        vectors.vocabulary_size = vocabulary.size();
        vectors.before = included.map_or(0, |_| 1);
        vectors.query = included.map(|_| 0).or(asked.map(|_| texts.len()));
        Ok(vectors)
    }

    /// How many texts there are, the query apart.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len() - usize::from(self.query.is_some())
    }

    /// Whether there are no texts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many distinct terms a text has: the work of a cosine.
    #[must_use]
    pub fn size(&self, text: usize) -> usize {
        self.range(self.row(text)).len()
    }

    /// How many terms the vocabulary has: the numbers of terms are those below.
    pub(crate) fn vocabulary_size(&self) -> usize {
        self.vocabulary_size
    }

    /// The row of the query, where there is one.
    pub(crate) fn query(&self) -> Option<usize> {
        self.query
    }

    /// The row of a text.
    pub(crate) fn row(&self, text: usize) -> usize {
        self.before + text
    }

    /// The distinct terms of a row and their weights, in the order of the vocabulary.
    pub(crate) fn entries(&self, row: usize) -> impl Iterator<Item = (u32, f64)> {
        let range = self.range(row);
        self.terms[range.clone()].iter().copied().zip(self.weights[range].iter().copied())
    }

    /// The cosine of two rows with this dot product.
    pub(crate) fn quotient(&self, dot: f64, left: usize, right: usize) -> f64 {
        let norms = self.norms[left] * self.norms[right];
        if norms == 0.0 { 0.0 } else { dot / norms }
    }

    /// Makes weights of the counts, and norms of the weights.
    fn weigh(&mut self, lengths: &[usize], idfs: &[f64], pace: &Pace<'_>) -> Result<(), Error> {
        for (row, &length) in lengths.iter().enumerate() {
            let range = self.range(row);
            pace.advance(range.len() / ENTRIES_A_STEP + 1)?;
            let mut square = 0.0;
            for (&term, weight) in self.terms[range.clone()].iter().zip(&mut self.weights[range]) {
                *weight = *weight / float(length) * idfs[term as usize];
                square += *weight * *weight;
            }
            self.norms.push(square.sqrt());
        }
        Ok(())
    }

    fn range(&self, row: usize) -> Range<usize> {
        row.checked_sub(1).map_or(0, |former| self.ends[former])..self.ends[row]
    }
}

/// Vectors in the making.
struct Counts {
    vocabulary: Vocabulary,
    tally: Tally,
    vectors: TextVectors,
    /// Terms of each row, repeated and unknown ones included.
    lengths: Vec<usize>,
    /// How many rows have each term.
    having: Vec<usize>,
}

impl Counts {
    fn with_room(bytes: usize) -> Self {
        Self {
            vocabulary: Vocabulary::with_room(bytes),
            tally: Tally::default(),
            vectors: TextVectors::default(),
            lengths: Vec::new(),
            having: Vec::new(),
        }
    }

    fn learn(&mut self, text: &str, pace: &Pace<'_>) -> Result<(), Error> {
        let numbers = self.vocabulary.learn(text, pace)?;
        self.having.resize(self.vocabulary.size(), 0);
        self.add(numbers.len(), &numbers, pace)
    }

    fn recall(&mut self, text: &str, pace: &Pace<'_>) -> Result<(), Error> {
        let (numbers, length) = self.vocabulary.recall(text, pace)?;
        self.add(length, &numbers, pace)
    }

    fn add(&mut self, length: usize, numbers: &[u32], pace: &Pace<'_>) -> Result<(), Error> {
        self.lengths.push(length);
        self.tally.count(numbers, self.vocabulary.size(), |term, count| {
            self.having[term as usize] += 1;
            self.vectors.terms.push(term);
            self.vectors.weights.push(count);
        })?;
        self.vectors.ends.push(self.vectors.terms.len());
        pace.advance(length / ENTRIES_A_STEP + 1)
    }

    /// The weight of each term, by how many of the rows have it.
    fn idfs(&self, pace: &Pace<'_>) -> Result<Vec<f64>, Error> {
        let rows = self.lengths.len();
        let idf = |having: usize| (float(rows + 1) / float(having + 1)).ln() + 1.0;
        // Many terms are in equally many rows, and a logarithm is dear.
        let by_having: Vec<f64> =
            (0..=rows).map(|having| pace.advance(1).map(|()| idf(having))).collect::<Result<_, _>>()?;
        self.having.iter().map(|&having| pace.advance(1).map(|()| by_having[having])).collect()
    }
}
