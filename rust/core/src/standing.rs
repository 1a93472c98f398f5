//! How the candidates of a selection stand: what is known of each, and who comes first.

use std::cmp::Ordering;
use std::ops::Range;

/// What is known of a candidate's similarity to the nearest of the picks it has seen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nearest {
    /// At most that similarity, and at least that less the spread.
    pub(crate) low: f64,
    /// The pick that seemed the nearest when it was seen.
    pub(crate) pick: usize,
    /// What the other picks that are not known seemed to be at most.
    pub(crate) second: f64,
    /// So many picks, the first ones, are known exactly: the similarity to none of them is more than `low`.
    pub(crate) known: usize,
}

impl Nearest {
    pub(crate) fn first(low: f64) -> Self {
        Self { low, pick: 0, second: f64::NEG_INFINITY, known: 0 }
    }

    /// Takes note of another pick.
    pub(crate) fn see(&mut self, pick: usize, low: f64) {
        if low > self.low {
            *self = Self { low, pick, second: self.low, ..*self };
        } else {
            self.second = self.second.max(low);
        }
    }

    /// Those of `picks` that are not known and of which one may be the nearest.
    pub(crate) fn nearby(&self, picks: usize, spread: f64) -> Range<usize> {
        if self.second + spread <= self.low { self.known.max(self.pick)..self.pick + 1 } else { self.known..picks }
    }

    /// Takes note of the similarity to one of those exactly; they come in order.
    pub(crate) fn know(&mut self, pick: usize, similarity: f64) {
        (self.low, self.known) = (self.low.max(similarity), pick + 1);
    }

    /// Takes note that none of those is left.
    pub(crate) fn know_all(&mut self, picks: usize) {
        (self.second, self.known) = (f64::NEG_INFINITY, picks);
    }
}

/// A candidate with the score it had after `seen` picks, or more: greater when it comes first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) score: f64,
    pub(crate) index: usize,
    pub(crate) seen: usize,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        // Scores are finite; `partial_cmp` takes -0.0 and 0.0 for equal, as the ties demand.
        let by_score = self.score.partial_cmp(&other.score).unwrap_or(Ordering::Equal);
        by_score.then_with(|| other.index.cmp(&self.index))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}
