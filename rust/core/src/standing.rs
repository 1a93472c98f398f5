//! How the candidates of a selection stand: what is known of each, and who comes first.

use std::cmp::Ordering;

/// What is known of a candidate's similarity to the nearest of the picks it has seen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Nearest {
    /// At most that similarity, and at least that less the spread.
    pub(crate) low: f64,
    /// The pick of which `low` is.
    pub(crate) pick: usize,
    /// The largest number of the same kind of any other pick.
    pub(crate) second: f64,
}

impl Nearest {
    pub(crate) fn first(low: f64) -> Self {
        Self { low, pick: 0, second: f64::NEG_INFINITY }
    }

    /// Takes note of another pick.
    pub(crate) fn see(&mut self, pick: usize, low: f64) {
        if low > self.low {
            *self = Self { low, pick, second: self.low };
        } else {
            self.second = self.second.max(low);
        }
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
