//! Cosines of dense rows, and selection by them.
//!
//! A float64 row whose largest magnitude lies outside 2^-300 to 2^300 is taken times the power of two that brings
//! that magnitude between 1 and 2, so that no square overflows or vanishes; a cosine does not change by that. A row of
//! zeros has cosine 0 with everything.

use std::ops::{Range, RangeInclusive};

use crate::error::Error;
use crate::interrupt::{Interrupt, Pace};
use crate::lanes::{Component, dot, norm_and_dot};
use crate::mmr::{MOST_AT_ONCE, Request, Selection, Similarity, select};

/// Components a step of [`Pace`]: about 100 ns of work.
const COMPONENTS_A_STEP: usize = 512;
/// Magnitudes between its inverse and this have squares and sums of squares well within float64.
const LARGEST_UNSCALED: f64 = 2.037_035_976_334_486e90; // 2^300
/// Products of norms for which `Component::rough_dots` has a bound.
const ROUGH_NORMS: RangeInclusive<f64> = 1e-30..=1e30;

/// Squares of norms of which a rough one shows that all components are finite, and has a bound.
const ROUGH_SQUARES: RangeInclusive<f64> = 1e-28..=1e28;

/// Rows of `width` components each, one after another.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'r, C> {
    components: &'r [C],
    width: usize,
    count: usize,
}

impl<'r, C: Component> Rows<'r, C> {
    /// `components` as `count` rows, which may be of width 0; None where there are not enough components.
    #[must_use]
    pub fn new(components: &'r [C], count: usize, width: usize) -> Option<Self> {
        let enough = count.checked_mul(width).is_some_and(|needed| needed <= components.len());
        enough.then_some(Self { components, width, count })
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn row(&self, index: usize) -> &'r [C] {
        &self.components[index * self.width..(index + 1) * self.width]
    }

    /// A row that will be read next; an empty one where there is none.
    fn ahead(&self, index: Option<usize>) -> &'r [C] {
        index.filter(|index| *index < self.count).map_or(&[], |index| self.row(index))
    }
}

/// Selects rows by maximal marginal relevance. With a query, its cosine with each row is the relevance, and
/// `request.relevance` is not read.
///
/// Extra memory: 104 bytes a row, 8 bytes a component of the query, and of two rows where a float64 row is scaled.
///
/// # Errors
/// [`Error::Interrupted`]; [`Error::NotFinite`] with row and column.
pub fn mmr_select_dense<C: Component>(
    query: Option<&[C]>,
    rows: Rows<'_, C>,
    request: &Request<'_>,
    interrupt: &dyn Interrupt,
) -> Result<Selection, Error> {
    let pace = Pace::new(interrupt);
    let query = query.map(Query::new).transpose()?;
    let with_query = query.is_some();
    let mut cosines = Cosines::new(rows, query);
    let mut relevance = Vec::with_capacity(if with_query { rows.len() } else { 0 });
    for index in 0..rows.len() {
        pace.advance(cosines.steps(index))?;
        let (measured, cosine) = match cosines.measure_roughly(index) {
            Some(rough) => rough,
            None => cosines.measure(index)?,
        };
        cosines.measured.push(measured);
        if with_query {
            relevance.push(cosine);
        }
    }
    let request = if with_query { Request { relevance: &relevance, ..*request } } else { *request };
    select(&mut cosines, &request, &pace)
}

/// A row's Euclidean norm, one over it, and the power of two that the row is taken times.
#[derive(Clone, Copy, Debug)]
struct Measured {
    norm: f64,
    inverse: f64,
    scale: f64,
    /// Whether the norm is of float32 sums.
    is_rough: bool,
}

impl Measured {
    fn new(norm: f64, scale: f64) -> Self {
        Self { norm, inverse: norm.recip(), scale, is_rough: false }
    }
}

/// A query as it was given, and in float64, scaled, with its norm.
struct Query<'r, C> {
    row: &'r [C],
    components: Vec<f64>,
    norm: f64,
}

impl<'r, C: Component> Query<'r, C> {
    fn new(row: &'r [C]) -> Result<Self, Error> {
        let components = scaled(row, scale_of(row));
        // float32 widened: the products are exact all the same, so the sum is that of the float32 row.
        let norm = checked_norm(dot(&components, &components, &[]), row, "query", None)?;
        Ok(Self { row, components, norm })
    }
}

/// The cosines of rows with the picks among them, and with the query.
struct Cosines<'r, C> {
    rows: Rows<'r, C>,
    query: Option<Query<'r, C>>,
    measured: Vec<Measured>,
    picks: Vec<usize>,
    /// How far a rough cosine may be off: twice what float32 rounds off in the product. A rough norm is off by half as
    /// much, relatively, and the norm of a pick is exact, which leaves room for what float64 does.
    error: f64,
}

impl<'r, C: Component> Cosines<'r, C> {
    #[allow(clippy::cast_precision_loss, reason = "no row has 2^53 components")]
    fn new(rows: Rows<'r, C>, query: Option<Query<'r, C>>) -> Self {
        let error = C::ROUGHNESS * rows.width as f64;
        Self { rows, query, measured: Vec::with_capacity(rows.len()), picks: Vec::new(), error }
    }

    /// The norm of a row in float32, and at least its cosine with the query; None where that has no bound.
    fn measure_roughly(&self, index: usize) -> Option<(Measured, f64)> {
        let query =
            self.query.as_ref().filter(|query| C::EXACT && ROUGH_SQUARES.contains(&(query.norm * query.norm)))?;
        let row = self.rows.row(index);
        let [square, dot] = C::rough_dots(row, [row, query.row], self.rows.ahead(Some(index + 1)));
        if !ROUGH_SQUARES.contains(&square) {
            return None;
        }
        let measured = Measured { is_rough: true, ..Measured::new(square.sqrt(), 1.0) };
        Some((measured, dot * measured.inverse / query.norm + self.error))
    }

    /// The norm of a row, and its cosine with the query, 0 without one.
    fn measure(&self, index: usize) -> Result<(Measured, f64), Error> {
        let row = self.rows.row(index);
        let scale = scale_of(row);
        let query = self.query.as_ref().map(|query| query.components.as_slice());
        let (square, dot) = measure(row, scale, query, self.rows.ahead(Some(index + 1)));
        let measured = Measured::new(checked_norm(square, row, "candidates", Some(index))?, scale);
        Ok((measured, self.query.as_ref().map_or(0.0, |query| cosine(dot, measured.norm, query.norm))))
    }

    /// The norm of a row.
    fn norm(&self, index: usize) -> f64 {
        let measured = self.measured[index];
        if measured.is_rough { dot(self.rows.row(index), self.rows.row(index), &[]).sqrt() } else { measured.norm }
    }

    /// The cosine of two rows.
    fn between(&self, one: usize, another: usize) -> f64 {
        let (row, other) = (self.rows.row(one), self.rows.row(another));
        let (norm, other_norm) = (self.norm(one), self.norm(another));
        let (one, another) = (self.measured[one], self.measured[another]);
        let dot = if is_one(one.scale) && is_one(another.scale) {
            dot(row, other, &[])
        } else {
            dot(&scaled(row, one.scale), &scaled(other, another.scale), &[])
        };
        cosine(dot, norm, other_norm)
    }

    /// At most the cosine of two rows: by their rough product where there is a bound, and then without a division.
    fn low(&self, rough: f64, one: usize, another: usize) -> f64 {
        let (row, other) = (self.measured[one], self.measured[another]);
        let norms = row.norm * other.norm;
        if !is_one(row.scale) || !is_one(other.scale) || !ROUGH_NORMS.contains(&norms) {
            return self.between(one, another);
        }
        if C::EXACT { rough * (row.inverse * other.inverse) - self.error } else { rough / norms }
    }
}

impl<C: Component> Similarity for Cosines<'_, C> {
    fn pick(&mut self, candidate: usize) {
        self.picks.push(candidate);
    }

    fn to_pick(&self, candidate: usize, pick: usize) -> f64 {
        self.between(candidate, self.picks[pick])
    }

    fn lows(&self, candidate: usize, picks: Range<usize>, next: Option<usize>) -> [f64; MOST_AT_ONCE] {
        let picks = &self.picks[picks];
        let (row, ahead) = (self.rows.row(candidate), self.rows.ahead(next));
        let mut lows = [f64::NEG_INFINITY; MOST_AT_ONCE];
        if let [pick] = picks {
            [lows[0]] = C::rough_dots(row, [self.rows.row(*pick)], ahead);
        } else {
            let last = picks.len().saturating_sub(1);
            lows = C::rough_dots(row, std::array::from_fn(|at| self.rows.row(picks[at.min(last)])), ahead);
        }
        for (low, pick) in lows.iter_mut().zip(picks) {
            *low = self.low(*low, candidate, *pick);
        }
        lows
    }

    fn at_once(&self) -> usize {
        if C::EXACT { MOST_AT_ONCE } else { 1 }
    }

    fn spread(&self) -> f64 {
        2.0 * self.error
    }

    fn relevance(&mut self, candidate: usize) -> Option<f64> {
        self.query.as_ref().filter(|_| self.measured[candidate].is_rough)?;
        // A row that was measured roughly is finite.
        let (measured, relevance) = self.measure(candidate).ok()?;
        self.measured[candidate] = measured;
        Some(relevance)
    }

    fn steps(&self, _: usize) -> usize {
        self.rows.width / COMPONENTS_A_STEP + 1
    }
}

/// The dot product over both norms; 0 where a row has none.
fn cosine(dot: f64, norm: f64, other: f64) -> f64 {
    if norm > 0.0 && other > 0.0 { dot / (norm * other) } else { 0.0 }
}

/// Square of the norm of a row taken times `scale`, and its dot product with the query, 0 without one.
fn measure<C: Component>(row: &[C], scale: f64, query: Option<&[f64]>, ahead: &[C]) -> (f64, f64) {
    if !is_one(scale) {
        return measure(&scaled(row, scale), 1.0, query, &[]);
    }
    match query {
        Some(query) => norm_and_dot(row, query, ahead),
        None => (dot(row, row, ahead), 0.0),
    }
}

fn scaled<C: Component>(row: &[C], scale: f64) -> Vec<f64> {
    row.iter().map(|component| component.wide() * scale).collect()
}

#[allow(clippy::float_cmp, reason = "1 is given out as it is, never computed")]
fn is_one(scale: f64) -> bool {
    scale == 1.0
}

/// The power of two that a row is taken times: 1 where its squares are safe as they are.
fn scale_of<C: Component>(row: &[C]) -> f64 {
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
fn checked_norm<C: Component>(
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
