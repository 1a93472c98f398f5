//! Speed of `mmr_select_dense` over float32 rows, random and clustered, on one thread.
//!
//!     cargo bench --bench mmr
//!
//! The picks are compared with those of the plain form before anything is timed.
#![allow(clippy::expect_used, reason = "a bench may panic")]

use std::hint::black_box;

use brimful_core::dense::{Rows, mmr_select_dense};
use brimful_core::interrupt::Never;
use brimful_core::mmr::{First, Request};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

const SIZES: [(usize, usize, usize); 3] = [(50, 384, 10), (200, 768, 20), (1000, 1024, 50)];
const LAMBDA: f64 = 0.5;
/// How much of its centre a row of a cluster has, and how much of the direction that all centres share.
const CENTRE: f32 = 3.0;
const SHARED: f32 = 4.5;

fn selections(criterion: &mut Criterion) {
    for clustered in [false, true] {
        let kind = if clustered { "clustered" } else { "random" };
        let mut group = criterion.benchmark_group(format!("mmr_select_dense/{kind}"));
        for (count, width, limit) in SIZES {
            let (query, rows) = data(count, width, clustered);
            let request = Request { relevance: &[], lambda: LAMBDA, first: First::Relevance, limit, budget: None };
            let select = |rows: &[f32]| {
                let rows = Rows::new(rows, count, width).expect("whole rows");
                mmr_select_dense(Some(&query), rows, &request, &Never)
            };
            let picked = select(&rows).map(|selection| selection.indices);
            assert_eq!(picked, Ok(plain_picks(&query, &rows, limit)));
            group.bench_with_input(BenchmarkId::from_parameter(format!("{count}x{width}")), &rows, |bencher, rows| {
                bencher.iter(|| select(black_box(rows)));
            });
        }
        group.finish();
    }
}

/// The plain form: every candidate scored anew after every pick.
fn plain_picks(query: &[f32], rows: &[f32], limit: usize) -> Vec<i64> {
    let rows: Vec<&[f32]> = rows.chunks_exact(query.len()).collect();
    let relevance: Vec<f64> = rows.iter().map(|row| cosine(query, row)).collect();
    let mut nearest = vec![f64::NEG_INFINITY; rows.len()];
    let mut scores = relevance.clone();
    let mut picks = Vec::new();
    while picks.len() < limit {
        let best = (0..rows.len()).fold(0, |best, other| if scores[other] > scores[best] { other } else { best });
        picks.push(i64::try_from(best).unwrap_or(-1));
        for (index, row) in rows.iter().enumerate() {
            nearest[index] = nearest[index].max(cosine(row, rows[best]));
            scores[index] = LAMBDA * relevance[index] - (1.0 - LAMBDA) * nearest[index];
        }
        for pick in &picks {
            scores[usize::try_from(*pick).unwrap_or(0)] = f64::NEG_INFINITY;
        }
    }
    picks
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let dot = |one: &[f32], other: &[f32]| -> f64 {
        one.iter().zip(other).map(|(one, other)| f64::from(*one) * f64::from(*other)).sum()
    };
    dot(left, right) / (dot(left, left) * dot(right, right)).sqrt()
}

/// A query and rows, the same on every run.
fn data(count: usize, width: usize, clustered: bool) -> (Vec<f32>, Vec<f32>) {
    let mut dice = Dice(1);
    if !clustered {
        return (dice.row(width), dice.row(count * width));
    }
    let shared = dice.row(width);
    let centres: Vec<Vec<f32>> = (0..5.max(count / 20)).map(|_| dice.near(&shared, SHARED / CENTRE)).collect();
    let rows = (0..count).flat_map(|index| dice.near(&centres[index * 7 % centres.len()], CENTRE)).collect();
    (dice.near(&centres[0], CENTRE), rows)
}

/// A source of repeatable chance: a 64-bit linear congruential generator, of which the upper bits are used.
struct Dice(u64);

impl Dice {
    /// About normal: the sum of four even draws from -1 to 1.
    fn component(&mut self) -> f32 {
        (0..4).map(|_| self.even()).sum()
    }

    #[allow(clippy::cast_precision_loss)] // 24 bits
    fn even(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / 8_388_608.0 - 1.0
    }

    fn row(&mut self, width: usize) -> Vec<f32> {
        (0..width).map(|_| self.component()).collect()
    }

    /// A row that has `weight` times the components of another, and chance.
    fn near(&mut self, other: &[f32], weight: f32) -> Vec<f32> {
        other.iter().map(|component| weight * component + self.component()).collect()
    }
}

criterion_group!(benches, selections);
criterion_main!(benches);
