//! Norms of rows, and cosines by them.
//!
//! A float64 row whose largest magnitude lies outside 2^-300 to 2^300 is taken times the power of two that brings
//! that magnitude between 1 and 2, so that no square overflows or vanishes; a cosine does not change by that. A row of
//! zeros has cosine 0 with everything.

use crate::error::Error;
use crate::lanes::{Component, dot, norm_and_dot};

/// Magnitudes between its inverse and this have squares and sums of squares well within float64.
const LARGEST_UNSCALED: f64 = 2.037_035_976_334_486e90; // 2^300

/// A row's Euclidean norm, one over it, and the power of two that the row is taken times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) norm: f64,
    pub(crate) inverse: f64,
    pub(crate) scale: f64,
    /// Whether the norm is of float32 sums.
    pub(crate) is_rough: bool,
}

impl Measured {
    pub(crate) fn new(norm: f64, scale: f64) -> Self {
        Self { norm, inverse: norm.recip(), scale, is_rough: false }
    }
}

/// The dot product over both norms; 0 where a row has none.
pub(crate) fn cosine(dot: f64, norm: f64, other: f64) -> f64 {
    if norm > 0.0 && other > 0.0 { dot / (norm * other) } else { 0.0 }
}

/// Square of the norm of a row taken times `scale`, and its dot product with the query, 0 without one.
pub(crate) fn measure<C: Component>(row: &[C], scale: f64, query: Option<&[f64]>, ahead: &[C]) -> (f64, f64) {
    if !is_one(scale) {
        return measure(&scaled(row, scale), 1.0, query, &[]);
    }
    match query {
        Some(query) => norm_and_dot(row, query, ahead),
        None => (dot(row, row, ahead), 0.0),
    }
}

pub(crate) fn scaled<C: Component>(row: &[C], scale: f64) -> Vec<f64> {
    row.iter().map(|component| component.wide() * scale).collect()
}

#[allow(clippy::float_cmp, reason = "1 is given out as it is, never computed")]
pub(crate) fn is_one(scale: f64) -> bool {
    scale == 1.0
}

/// The power of two that a row is taken times: 1 where its squares are safe as they are.
pub(crate) fn scale_of<C: Component>(row: &[C]) -> f64 {
    if C::EXACT {
        return 1.0;
    }
    let largest = row.iter().fold(0.0_f64, |largest, component| largest.max(component.wide().abs()));
    if largest == 0.0 || !largest.is_finite() || (1.0 / LARGEST_UNSCALED..=LARGEST_UNSCALED).contains(&largest) {
        return 1.0;
    }
    // The exponent of a subnormal reads -1023; 2^1022 brings it far enough.
    let exponent = i64::try_from(largest.to_bits() >> 52).unwrap_or(0) - 1023;
    power_of_two(-exponent.max(-1022))
}

/// 2 to the power of -1023 to 1022.
fn power_of_two(exponent: i64) -> f64 {
    let half = |exponent: i64| f64::from_bits(u64::try_from(exponent + 1023).unwrap_or(0) << 52);
    half(exponent / 2) * half(exponent - exponent / 2)
}

/// The norm from its square, which is finite if and only if every component is.
pub(crate) fn checked_norm<C: Component>(
    square: f64,
    row: &[C],
    argument: &'static str,
    index: Option<usize>,
) -> Result<f64, Error> {
    if square.is_finite() {
        return Ok(square.sqrt());
    }
    let column = row.iter().position(|component| !component.wide().is_finite()).unwrap_or(0);
    let value = row.get(column).map_or(f64::NAN, |component| component.wide());
    Err(Error::NotFinite { argument, row: index, column, value })
}
