//! Similarities of two sets, from the counts alone.

/// What two sets share over their union, as a float64 quotient; the sets are never both empty.
#[must_use]
pub fn jaccard(shared: usize, left: usize, right: usize) -> f64 {
    quotient(shared, left + right - shared)
}

/// What two sets share over the size of the later one.
#[must_use]
pub fn containment(shared: usize, later: usize) -> f64 {
    quotient(shared, later)
}

/// Counts of shingles are far below 2^53, so both conversions are exact and the division rounds once.
#[allow(clippy::cast_precision_loss)]
fn quotient(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}
