//! Selection by MMR: the lazy heap against scoring everything in every round.
#![allow(clippy::expect_used, reason = "a test may panic")]

use brimful_core::costs::{Budget, Costs};
use brimful_core::dense::{Rows, mmr_select_dense};
use brimful_core::error::Error;
use brimful_core::interrupt::{Interrupt, Never, Pace};
use brimful_core::lanes::Component;
use brimful_core::mmr::{First, MOST_AT_ONCE, Request, Selection, Similarity, select};
use proptest::prelude::*;

use std::cell::Cell;
use std::ops::Range;

/// Similarities from a table.
struct Table {
    similar: Vec<Vec<f64>>,
    picks: Vec<usize>,
    /// Of candidates that were given more than that.
    relevance: Vec<Option<f64>>,
    spread: f64,
    at_once: usize,
}

impl Similarity for Table {
    fn pick(&mut self, candidate: usize) {
        self.picks.push(candidate);
    }

    fn to_pick(&self, candidate: usize, pick: usize) -> f64 {
        self.similar[candidate][self.picks[pick]]
    }

    /// Off by more or less of the spread, in no order.
    fn lows(&self, candidate: usize, picks: Range<usize>, _: Option<usize>) -> [f64; MOST_AT_ONCE] {
        assert!((1..=self.at_once).contains(&picks.len()), "as many picks as may be asked for");
        let mut lows = [f64::NAN; MOST_AT_ONCE];
        for (low, pick) in lows.iter_mut().zip(picks) {
            let share = [0.0, 1.0, 0.5][(candidate * 5 + pick * 7) % 3];
            *low = self.to_pick(candidate, pick) - share * self.spread;
        }
        lows
    }

    fn at_once(&self) -> usize {
        self.at_once
    }

    fn spread(&self) -> f64 {
        self.spread
    }

    fn relevance(&mut self, candidate: usize) -> Option<f64> {
        self.relevance[candidate].take()
    }

    fn steps(&self, _: usize) -> usize {
        1
    }
}

fn cost(request: &Request<'_>, index: usize) -> i64 {
    request.budget.map_or(0, |budget| budget.costs.of(index).expect("nothing interrupts"))
}

#[allow(clippy::cast_possible_wrap)]
fn naive(similar: &[Vec<f64>], request: &Request<'_>) -> Selection {
    let mut left = request.budget.map_or(0, |budget| budget.room);
    let mut found = Selection::default();
    while found.indices.len() < request.limit {
        let mut best: Option<(f64, f64, usize)> = None;
        for (index, similar) in similar.iter().enumerate() {
            if cost(request, index) > left || found.indices.contains(&(index as i64)) {
                continue;
            }
            let picks = found.indices.iter().filter_map(|&pick| usize::try_from(pick).ok());
            let nearest = picks.map(|pick| similar[pick]).reduce(f64::max).unwrap_or(0.0);
            let score = request.lambda * request.relevance[index] - (1.0 - request.lambda) * nearest;
            let by_relevance = found.indices.is_empty() && request.first == First::Relevance;
            let merit = if by_relevance { request.relevance[index] } else { score };
            if best.is_none_or(|(highest, ..)| merit > highest) {
                best = Some((merit, score, index));
            }
        }
        let Some((_, score, index)) = best else { break };
        found.indices.push(index as i64);
        found.scores.push(score);
        left -= cost(request, index);
    }
    found
}

fn few() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![-1.0, -0.5, 0.0, 0.25, 0.5, 1.0])
}

/// Symmetric similarities of a few different values, relevances and costs.
fn tables() -> impl Strategy<Value = (Vec<Vec<f64>>, Vec<f64>, Vec<i64>)> {
    (1_usize..12).prop_flat_map(|count| {
        let square = prop::collection::vec(prop::collection::vec(few(), count), count);
        let symmetric = square.prop_map(move |table| {
            let cell = |row: usize, column: usize| table[row.max(column)][row.min(column)];
            (0..count).map(|row| (0..count).map(|column| cell(row, column)).collect()).collect()
        });
        (symmetric, prop::collection::vec(few(), count), prop::collection::vec(0_i64..5, count))
    })
}

proptest! {
    #[test]
    fn lazy_picks_and_scores_are_those_of_scoring_everything(
        (similar, relevance, costs) in tables(),
        lambda in prop::sample::select(vec![0.0, 0.3, 0.5, 0.9, 1.0]),
        by_score in any::<bool>(),
        limit in 0_usize..14,
        budget in prop::option::of(0_i64..20),
        spread in prop::sample::select(vec![0.0, 0.125, 1.0]),
        at_once in 1..=MOST_AT_ONCE,
    ) {
        let first = if by_score { First::Score } else { First::Relevance };
        let budget = budget.map(|room| Budget { costs: Costs::Given(&costs), room });
        let request = Request { relevance: &relevance, lambda, first, limit, budget };
        let bounded = |index: usize| spread > 0.0 && !index.is_multiple_of(3);
        let bounds: Vec<f64> = relevance.iter().enumerate().map(|(index, relevance)| {
            if bounded(index) { relevance + [spread, 0.25][index % 2] } else { *relevance }
        }).collect();
        let exact = relevance.iter().enumerate().map(|(index, relevance)| bounded(index).then_some(*relevance)).collect();
        let mut table = Table { similar: similar.clone(), picks: Vec::new(), relevance: exact, spread, at_once };

        let found = select(&mut table, &Request { relevance: &bounds, ..request }, &Pace::new(&Never));

        prop_assert_eq!(Ok(naive(&similar, &request)), found);
    }
}

/// Candidates to which each pick is a little nearer than the one before it, by less than is known at first.
struct Cluster {
    compared: Cell<usize>,
}

impl Similarity for Cluster {
    fn pick(&mut self, _: usize) {}

    #[allow(clippy::cast_precision_loss, reason = "small numbers")]
    fn to_pick(&self, _: usize, pick: usize) -> f64 {
        self.compared.set(self.compared.get() + 1);
        pick as f64 / 128.0
    }

    fn lows(&self, _: usize, _: Range<usize>, _: Option<usize>) -> [f64; MOST_AT_ONCE] {
        [-1.0; MOST_AT_ONCE]
    }

    fn spread(&self) -> f64 {
        2.0
    }

    fn steps(&self, _: usize) -> usize {
        1
    }
}

#[test]
fn a_candidate_is_compared_with_a_pick_exactly_once() {
    let mut cluster = Cluster { compared: Cell::new(0) };
    let request = Request { relevance: &[0.5; 100], ..request(60) };

    let found = select(&mut cluster, &request, &Pace::new(&Never)).map(|found| found.indices);

    assert_eq!(Ok((0..60).collect()), found);
    assert!(cluster.compared.get() <= 100 * 60, "{}", cluster.compared.get());
}

fn request(limit: usize) -> Request<'static> {
    Request { relevance: &[], lambda: 0.5, first: First::Relevance, limit, budget: None }
}

fn rows_of<C: Component>(components: &[C], width: usize) -> Rows<'_, C> {
    Rows::new(components, components.len() / width, width).expect("whole rows")
}

fn picks<C: Component>(query: &[C], components: &[C], width: usize) -> Result<Vec<i64>, Error> {
    mmr_select_dense(Some(query), rows_of(components, width), &request(9), &Never).map(|found| found.indices)
}

#[test]
fn rows_without_components_are_alike_and_no_rows_give_nothing() {
    let empty = Rows::<f32>::new(&[], 3, 0).expect("they need nothing");

    let found = mmr_select_dense(Some(&[]), empty, &request(9), &Never).map(|found| found.indices);

    assert_eq!(Ok(vec![0, 1, 2]), found);
    assert_eq!(Ok(vec![]), picks::<f64>(&[1.0], &[], 1));
    assert!(Rows::new(&[1.0], 2, 1).is_none());
}

#[test]
fn large_and_tiny_rows_are_scaled() {
    let rows = [1e300, 1e300, 1e-300, 1e-300, 1.0, -1.0, 5e-324, 5e-324];

    let by_relevance = Request { lambda: 1.0, ..request(9) };

    let found = mmr_select_dense(Some(&[1e250, 1e250]), rows_of(&rows, 2), &by_relevance, &Never).unwrap_or_default();

    // At lambda 1 the scores are the cosines: three rows point the way of the query, one stands at right angles.
    let expected = [1.0, 1.0, 1.0, 0.0];
    assert_eq!(4, found.scores.len());
    assert!(found.scores.iter().zip(expected).all(|(score, expected)| (score - expected).abs() < 1e-15));
    assert_eq!(Some(&2), found.indices.last());
}

#[test]
fn what_is_not_finite_is_named_by_row_and_column() {
    let bad = |argument, row, column, value: f64| Error::NotFinite { argument, row, column, value };

    assert_eq!(
        Err(bad("candidates", Some(1), 0, f64::INFINITY)),
        picks(&[1.0, 0.0], &[1.0, 2.0, f64::INFINITY, 0.0], 2)
    );
    assert_eq!(Err(bad("query", None, 1, f64::NEG_INFINITY)), picks(&[1.0, f64::NEG_INFINITY], &[1.0, 2.0], 2));
    assert_eq!("query[1] must be finite, got nan", bad("query", None, 1, f64::NAN).to_string());
}

struct Always;

impl Interrupt for Always {
    fn check(&self) -> Result<(), Error> {
        Err(Error::Interrupted)
    }
}

#[test]
fn an_interrupt_ends_the_work() {
    let components = vec![1.0_f32; 10_000 * 16];

    let outcome = mmr_select_dense(Some(&components[..16]), rows_of(&components, 16), &request(9), &Always);

    assert_eq!(Err(Error::Interrupted), outcome);
}
