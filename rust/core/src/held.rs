//! One text's TF-IDF cosines with many others.

use crate::text_vectors::TextVectors;

/// One text spread over the whole vocabulary, so that others are multiplied with it entry by entry.
#[derive(Clone, Debug)]
pub struct Held<'v> {
    vectors: &'v TextVectors,
    weights: Vec<f64>,
    row: Option<usize>,
}

impl<'v> Held<'v> {
    /// A holder of none of these texts as yet.
    #[must_use]
    pub fn new(vectors: &'v TextVectors) -> Self {
        Self { vectors, weights: vec![0.0; vectors.vocabulary_size()], row: None }
    }

    /// Holds `text` in place of the one before. Linear in their distinct terms.
    pub fn hold(&mut self, text: usize) {
        self.hold_row(self.vectors.row(text));
    }

    pub(crate) fn hold_row(&mut self, row: usize) {
        if let Some(former) = self.row.replace(row) {
            self.vectors.entries(former).for_each(|(term, _)| self.weights[term as usize] = 0.0);
        }
        self.vectors.entries(row).for_each(|(term, weight)| self.weights[term as usize] = weight);
    }

    /// Whether `text` is the one held.
    #[must_use]
    pub fn holds(&self, text: usize) -> bool {
        self.row == Some(self.vectors.row(text))
    }

    /// The cosine of the text held and `other`; 0 while none is held. Linear in the distinct terms of `other`.
    #[must_use]
    pub fn cosine(&self, other: usize) -> f64 {
        let Some(row) = self.row else { return 0.0 };
        let other = self.vectors.row(other);
        let mut dot = 0.0;
        for (term, weight) in self.vectors.entries(other) {
            // A term that the text held lacks adds 0.0, and no sum of weights is -0.0: nothing changes.
            dot += self.weights[term as usize] * weight;
        }
        self.vectors.quotient(dot, row, other)
    }
}
