//! How much two texts must share for the later one to repeat the earlier one, in whole shingles.
//!
//! Every answer is the least count for which the division itself reaches the bound. A product such as `ceil(t * n)`
//! is wrong for 39 of the 999 thresholds k / 1000. Quotients of whole numbers grow with the count that is shared,
//! rounding is monotone, so the counts that reach a bound are those from a least one on.

use crate::jaccard::{containment, jaccard};

/// The bounds of one call. Containment counts where it can be reached, that is up to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    threshold: f64,
    containment: Option<f64>,
}

impl Bounds {
    pub(crate) fn new(threshold: f64, containment: Option<f64>) -> Self {
        Self { threshold, containment: containment.filter(|&bound| bound <= 1.0) }
    }

    /// Whether a text may repeat a longer one that does not repeat it.
    pub(crate) fn has_containment(&self) -> bool {
        self.containment.is_some()
    }

    /// Whether any two texts repeat each other, also those that share nothing.
    pub(crate) fn hold_always(&self) -> bool {
        self.share() <= 0.0
    }

    /// The share of its own shingles that a text must have in common with whatever it repeats: a Jaccard is at most
    /// the containment.
    fn share(&self) -> f64 {
        self.containment.map_or(self.threshold, |bound| bound.min(self.threshold))
    }

    /// Whether some text may repeat another.
    pub(crate) fn can_be_reached(&self) -> bool {
        self.share() <= 1.0
    }

    /// The part of a text's shingles that may be lacking in what it repeats, about.
    pub(crate) fn slack(&self) -> f64 {
        (1.0 - self.share()).max(0.0)
    }

    /// How many shingles of a text of `size` meet each text that it repeats at least once, whichever they are.
    ///
    /// It shares `least` or more, so it lacks `size - least` at most, and one more than that cannot all be lacking.
    /// This never falls as `size` grows: with one shingle more, one more shared is enough.
    pub(crate) fn prefix(&self, size: usize) -> usize {
        prefix(self.share(), size)
    }

    /// Likewise, but only of the texts that it repeats by containment.
    pub(crate) fn containment_prefix(&self, size: usize) -> usize {
        self.containment.map_or(0, |bound| prefix(bound, size))
    }

    /// The least count that two texts must share, `None` where they are too unlike in length.
    pub(crate) fn needed(&self, own: usize, other: usize) -> Option<usize> {
        if self.hold_always() {
            return Some(0);
        }
        let most = own.min(other);
        let by_jaccard = (jaccard(most, own, other) >= self.threshold).then(|| {
            let guess = product(self.threshold / (1.0 + self.threshold), own + other);
            least_reaching(self.threshold, most, guess, |shared| jaccard(shared, own, other))
        });
        let by_containment = self.containment.filter(|&bound| containment(most, own) >= bound).map(|bound| {
            let guess = product(bound, own);
            least_reaching(bound, most, guess, |shared| containment(shared, own))
        });
        by_jaccard.into_iter().chain(by_containment).min()
    }

    /// The similarity by which a text repeats another, from what they share and how many shingles each has.
    pub(crate) fn similarity(&self, shared: usize, own: usize, other: usize) -> Option<f64> {
        let by_jaccard = jaccard(shared, own, other);
        if by_jaccard >= self.threshold {
            return Some(by_jaccard);
        }
        let by_containment = containment(shared, own);
        self.containment.is_some_and(|bound| by_containment >= bound).then_some(by_containment)
    }
}

/// How many shingles of a text of `size` meet each text that has such a share of them.
fn prefix(share: f64, size: usize) -> usize {
    if share <= 0.0 {
        return usize::MAX;
    }
    if share > 1.0 {
        return 0;
    }
    size + 1 - least_reaching(share, size, product(share, size), |shared| containment(shared, size))
}

/// The least count up to `most` whose quotient reaches `bound`, which that of `most` does. The guess saves the search.
fn least_reaching(bound: f64, most: usize, guess: usize, quotient: impl Fn(usize) -> f64) -> usize {
    let mut least = guess.clamp(1, most);
    while least > 1 && quotient(least - 1) >= bound {
        least -= 1;
    }
    while least < most && quotient(least) < bound {
        least += 1;
    }
    least
}

/// About the least count: off by one at most, as rounding goes.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a guess")]
fn product(part: f64, whole: usize) -> usize {
    (part * whole as f64).ceil() as usize
}

#[cfg(test)]
mod tests {
    use super::Bounds;

    /// The least count by trying all of them.
    fn tried(bounds: &Bounds, own: usize, other: usize) -> Option<usize> {
        (1..=own.min(other)).find(|&shared| bounds.similarity(shared, own, other).is_some())
    }

    #[test]
    fn the_least_count_is_that_of_the_division_for_every_thousandth() {
        for thousandth in 1_u32..=1001 {
            let threshold = f64::from(thousandth) / 1000.0;
            let bounds = Bounds::new(threshold, None);
            for own in [1, 2, 3, 7, 20, 99, 196, 200, 1000] {
                for other in [1, 2, 5, 19, 20, 150, 196, 1001] {
                    assert_eq!(tried(&bounds, own, other), bounds.needed(own, other), "{threshold}");
                }
            }
        }
    }

    #[test]
    fn either_bound_is_enough() {
        for (threshold, bound) in [(0.5, 0.8), (0.85, 0.2), (1.5, 0.3), (0.7, 1.2), (1.0, 1.0), (1e-300, 1e-9)] {
            let bounds = Bounds::new(threshold, Some(bound));
            for own in 1..40 {
                for other in 1..40 {
                    assert_eq!(tried(&bounds, own, other), bounds.needed(own, other));
                }
            }
        }
    }

    #[test]
    fn a_prefix_is_what_cannot_all_be_lacking() {
        for thousandth in 1_u32..=1001 {
            let threshold = f64::from(thousandth) / 1000.0;
            let bounds = Bounds::new(threshold, None);
            for size in [1, 2, 3, 10, 39, 196, 500] {
                let least = (1..=size).filter_map(|other| tried(&bounds, size, other)).min();
                assert_eq!(least.map_or(0, |least| size + 1 - least), bounds.prefix(size), "{threshold} {size}");
                assert!(bounds.prefix(size) <= bounds.prefix(size + 1));
            }
        }
    }
}
