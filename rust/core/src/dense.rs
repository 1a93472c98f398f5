//! Selection among dense rows, by their cosines.

use std::ops::{Range, RangeInclusive};

use crate::error::Error;
use crate::interrupt::{Interrupt, Pace};
use crate::lanes::{Component, dot};
use crate::mmr::{MOST_AT_ONCE, Request, Selection, Similarity, select};
use crate::norms::{Measured, checked_norm, cosine, is_one, measure, scale_of, scaled};

/// Components a step of [`Pace`]: about 100 ns of work.
const COMPONENTS_A_STEP: usize = 512;
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
